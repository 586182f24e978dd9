"""How a browser gets in: a chain that signs in, a mark by which one sees that one is out, and cookies of a person."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from crawler_node.browser.actions.chain import Action


@dataclass(frozen=True, slots=True)
class Login:
    """Where and how to sign in. `logged_out` is an XPath that matches a page only for people who are not signed in."""

    url: str
    actions: tuple[Action, ...]
    logged_out: str = ""

    @property
    def budget_seconds(self) -> float:
        """The longest that signing in may take, beside opening its page."""
        return sum(action.budget_seconds for action in self.actions)


@dataclass(frozen=True, slots=True)
class Cookie:
    """A cookie taken over from a person's browser."""

    name: str
    value: str
    domain: str
    path: str = "/"
    is_secure: bool = False

    def as_parameter(self) -> dict[str, Any]:
        """As `Network.setCookies` takes it."""
        named = {"name": self.name, "value": self.value, "domain": self.domain, "path": self.path}
        return named | {"secure": self.is_secure}


def parse_cookies(rows: Sequence[Mapping[str, Any]]) -> tuple[Cookie, ...]:
    """Cookies as a crawler stores them, their values filled in."""
    return tuple(
        Cookie(row["name"], row["value"], row["domain"], row.get("path") or "/", bool(row.get("secure")))
        for row in rows
    )
