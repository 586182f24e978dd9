"""How a browser gets in: a chain that signs in, a mark by which one sees that one is out, and cookies of a person."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from crawler_node.browser.actions.chain import Action, Chain
from crawler_node.fetch.cookies import StoredCookie, http_date
from crawler_node.urls.parse import parse_url


@dataclass(frozen=True, slots=True)
class Login:
    """Where and how to sign in. `logged_out` is an XPath that matches a page only for people who are not signed in."""

    url: str
    actions: tuple[Action, ...]
    logged_out: str = ""

    def is_at(self, url: str) -> bool:
        """Whether an address is the login's own, whatever it is asked with. A site's first page is nobody's alone."""
        own, other = parse_url(self.url), parse_url(url)
        if own is None or other is None or own.path == "/":
            return False
        return (own.authority, own.path) == (other.authority, other.path)

    @property
    def budget_seconds(self) -> float:
        """The longest that signing in may take, beside opening its page."""
        return Chain(self.actions).budget_seconds


@dataclass(frozen=True, slots=True)
class Cookie:
    """A cookie taken over from a person's browser. `expires` is in seconds since 1970, None: at the end of the run."""

    name: str
    value: str
    domain: str
    path: str = "/"
    is_secure: bool = False
    expires: float | None = None

    def has_expired(self, now: float) -> bool:
        return self.expires is not None and self.expires <= now

    def as_parameter(self) -> dict[str, Any]:
        """As `Network.setCookies` takes it."""
        named = {"name": self.name, "value": self.value, "domain": self.domain, "path": self.path}
        lasting = {} if self.expires is None else {"expires": self.expires}
        return named | {"secure": self.is_secure} | lasting

    def as_stored(self) -> StoredCookie:
        """As a lane without a browser keeps it."""
        expires = "" if self.expires is None else http_date(self.expires)
        return StoredCookie(self.name, self.value, self.domain, self.path, self.is_secure, expires)


def parse_cookies(rows: Sequence[Mapping[str, Any]]) -> tuple[Cookie, ...]:
    """Cookies as a crawler stores them, their values filled in."""
    return tuple(
        Cookie(
            *(row["name"], row["value"], row["domain"], row.get("path") or "/"),
            is_secure=bool(row.get("secure")),
            expires=row.get("expires"),
        )
        for row in rows
    )
