"""Cookies of a runner: kept by the lane, and carried between workers as text."""

import json
from http.cookies import Morsel, SimpleCookie

import aiohttp
from aiohttp.abc import AbstractCookieJar
from yarl import URL

_MAX_COOKIES_PER_HOST = 50


class CookieShelf:
    """A cookie jar that knows what is new in it, so that workers can tell each other.

    `take_news(host)` is the host's cookies as text when they changed since the last call, else None.
    """

    def __init__(self, *, is_kept: bool) -> None:
        self.jar: AbstractCookieJar = aiohttp.CookieJar(unsafe=True) if is_kept else aiohttp.DummyCookieJar()
        self._is_kept = is_kept
        self._changed: dict[str, URL] = {}

    def notice(self, response: aiohttp.ClientResponse) -> None:
        """Remember that an answer set cookies; the session has put them into the jar already."""
        if self._is_kept and "Set-Cookie" in response.headers:
            self._changed[response.url.authority] = response.url.origin()

    def take_news(self, authority: str) -> str | None:
        """What another worker needs to look like this one to the host."""
        origin = self._changed.pop(authority, None)
        if origin is None:
            return None
        cookies = self.jar.filter_cookies(origin)
        pairs = {name: morsel.value for name, morsel in list(cookies.items())[:_MAX_COOKIES_PER_HOST]}
        return json.dumps({"origin": str(origin), "cookies": pairs})

    def learn(self, text: str) -> None:
        """Take over what another worker's `take_news` said."""
        if not self._is_kept:
            return
        known = json.loads(text)
        jar: SimpleCookie = SimpleCookie()
        for name, value in known["cookies"].items():
            morsel: Morsel[str] = Morsel()
            morsel.set(name, value, value)
            morsel["path"] = "/"
            jar[name] = morsel
        self.jar.update_cookies(jar, URL(known["origin"]))
