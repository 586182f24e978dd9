"""Proxies in rotation: the one that rested longest goes next, and one that fails rests longer and longer."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from crawler_node.errors import ProxyError
from crawler_node.urls.parse import parse_url

_FIRST_REST_SECONDS = 5.0
_LONGEST_REST_SECONDS = 600.0


@dataclass(slots=True)
class Proxy:
    """One proxy and its health: `failures` in a row, `usable_at` on the ring's clock."""

    url: str
    failures: int = 0
    usable_at: float = 0.0
    used_at: float = -1.0


class ProxyRing:
    """Chooses a proxy for each request. There is always one: when all are resting, the one that is back first."""

    def __init__(self, urls: Sequence[str], *, clock: Callable[[], float]) -> None:
        for url in urls:
            if (sentence := check_proxy(url)) is not None:
                raise ProxyError(sentence)
        self._proxies = [Proxy(url) for url in urls]
        self._clock = clock

    def __bool__(self) -> bool:
        return bool(self._proxies)

    def choose(self) -> Proxy:
        """The healthy proxy that was used longest ago."""
        now = self._clock()
        chosen = min(self._proxies, key=lambda proxy: (max(proxy.usable_at, now), proxy.used_at))
        chosen.used_at = now
        return chosen

    def report(self, proxy: Proxy, *, worked: bool) -> None:
        """Tell how it went: each failure in a row doubles the rest, one success ends it."""
        if worked:
            proxy.failures, proxy.usable_at = 0, 0.0
            return
        proxy.failures += 1
        rest = min(_FIRST_REST_SECONDS * 2 ** (proxy.failures - 1), _LONGEST_REST_SECONDS)
        proxy.usable_at = self._clock() + rest


def check_proxy(url: str) -> str | None:
    """None for a proxy that can be used, else a sentence that says what to write instead."""
    if parse_url(url) is None:
        return f"“{hide_password(url)}” is not a proxy address. Write one like http://name:password@proxy.example:3128."
    return None


def hide_password(url: str) -> str:
    """A proxy's address fit for logs."""
    before, at, after = url.rpartition("@")
    return f"{before.partition('://')[0]}://…@{after}" if at else url
