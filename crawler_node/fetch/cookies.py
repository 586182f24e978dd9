"""Cookies of a runner: kept by the lane, and carried between workers as text."""

import json
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from email.utils import formatdate
from http.cookies import Morsel
from typing import Any

import aiohttp
from aiohttp.abc import AbstractCookieJar
from yarl import URL

from crawler_node.urls.parse import split

_MAX_COOKIES_PER_HOST = 50
_MAX_AGE_SECONDS = 400 * 86_400  # as browsers do
_FAR_FUTURE = 4_000_000_000


@dataclass(frozen=True, slots=True)
class StoredCookie:
    """A cookie with all that says where it goes, as `Set-Cookie` writes it.

    A domain that begins with a dot counts for its subdomains too. Without `expires` it lasts as long as the run.
    """

    name: str
    value: str
    domain: str
    path: str = "/"
    is_secure: bool = False
    expires: str = ""

    @property
    def origin(self) -> URL:
        """Raises ValueError where the domain can be no host."""
        host = self.domain.lstrip(".")
        return URL(f"https://[{host}]" if ":" in host else f"https://{host}")

    @property
    def header(self) -> str:
        """As a server of its domain would set it."""
        parts = [f"{self.name}={self.value}", f"Path={self.path}"]
        parts += [f"Domain={self.origin.raw_host}"] if self.domain.startswith(".") else []
        parts += ["Secure"] if self.is_secure else []
        parts += [f"Expires={self.expires}"] if self.expires else []
        return "; ".join(parts)


class CookieShelf:
    """A cookie jar that knows what is new in it, so that workers can tell each other.

    `take_news(authority)` is the host's cookies as text when they changed since the last call, else None.
    """

    def __init__(self, *, is_kept: bool) -> None:
        self.jar: AbstractCookieJar = _jar() if is_kept else aiohttp.DummyCookieJar()
        self._is_kept = is_kept
        self._changed: dict[str, str] = {}

    def notice(self, response: aiohttp.ClientResponse) -> None:
        """Remember that an answer set cookies; the session has put them into the jar already."""
        if not self._is_kept or "Set-Cookie" not in response.headers:
            return
        # Not `url.authority`: that names default ports and writes names in their own scripts, as no lease does.
        parsed = split(str(response.url))
        if parsed is not None:
            self._changed[parsed.authority] = parsed.host.strip("[]")

    def take_news(self, authority: str) -> str | None:
        """What another worker needs to look like this one to the host."""
        host = self._changed.pop(authority, None)
        if host is None:
            return None
        found = list(self._cookies_for(host))[:_MAX_COOKIES_PER_HOST]
        return json.dumps({"cookies": [asdict(cookie) for cookie in found]})

    def learn(self, text: str) -> None:
        """Take over what another worker's `take_news` said, but for cookies of what can be no host."""
        for cookie in _read(json.loads(text)):
            with suppress(ValueError):
                self.put(cookie)

    def put(self, cookie: StoredCookie) -> None:
        """Have a cookie as if its domain had set it; one that has expired is not kept."""
        self.jar.update_cookies_from_headers([cookie.header], cookie.origin)

    def _cookies_for(self, host: str) -> Iterator[StoredCookie]:
        """The cookies that some page of the host gets."""
        next(iter(self.jar), None)  # looking into a jar puts out what has expired
        host_only = self.jar.host_only_cookies
        for (domain, path), morsels in self.jar.cookies.items():
            for name, morsel in morsels.items():
                is_own = (domain, path, name) in host_only
                if host == domain or (not is_own and host.endswith(f".{domain}")):
                    yield _stored(morsel, domain if is_own else f".{domain}")


class _Jar(aiohttp.CookieJar):
    """Its values go back as they came, as from a browser: with or without the quotes and escapes they had."""

    def _build_morsel(self, cookie: "Morsel[str]") -> "Morsel[str]":
        morsel = super()._build_morsel(cookie)
        # The only way past Morsel's own quoting, and aiohttp's; the types of the standard library lack it.
        morsel.__setstate__({"key": cookie.key, "value": cookie.value, "coded_value": cookie.coded_value})  # type: ignore[attr-defined]
        return morsel


def _jar() -> aiohttp.CookieJar:
    return _Jar(unsafe=True, quote_cookie=False)


def _stored(morsel: "Morsel[str]", domain: str) -> StoredCookie:
    path, is_secure = morsel["path"] or "/", bool(morsel["secure"])
    age = morsel["max-age"]
    expires = http_date(time.time() + min(int(age), _MAX_AGE_SECONDS)) if age else morsel["expires"]
    return StoredCookie(morsel.key, morsel.coded_value, domain, path, is_secure, expires)


def http_date(seconds: float) -> str:
    """A moment, in seconds since 1970, as cookies have it."""
    return formatdate(min(seconds, _FAR_FUTURE), usegmt=True)


def _read(known: dict[str, Any]) -> Iterator[StoredCookie]:
    """The cookies of a text; a text of earlier versions has but names and values."""
    if isinstance(known["cookies"], list):
        yield from (StoredCookie(**row) for row in known["cookies"])
        return
    for name, value in known["cookies"].items():
        yield StoredCookie(name, value, URL(known["origin"]).raw_host or "")
