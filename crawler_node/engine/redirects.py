"""Which redirects lead somewhere, which in circles, and which circles a cookie opens."""

from enum import Enum, auto

_MAX_KNOWN = 20_000
_MAX_STEPS = 20


class RedirectWay(Enum):
    """Where a redirect leads: on, round in a circle, or back after a cookie was given (then asking again helps)."""

    ON = auto()
    LOOP = auto()
    COOKIE_GATE = auto()


class RedirectMap:
    """What one worker remembers of redirects, a bounded number of them. What it forgets, the limit on hops ends."""

    def __init__(self) -> None:
        self._targets: dict[bytes, tuple[bytes, bool]] = {}

    def note(self, key: bytes, target: bytes, *, sets_cookies: bool) -> RedirectWay:
        """Note that a page redirects, and tell where that leads."""
        if len(self._targets) >= _MAX_KNOWN:
            self._targets.clear()
        self._targets[key] = (target, sets_cookies)
        has_cookie, here = sets_cookies, target
        for _ in range(_MAX_STEPS):
            if here == key:
                return RedirectWay.COOKIE_GATE if has_cookie else RedirectWay.LOOP
            if here not in self._targets:
                break
            here, gave_cookie = self._targets[here]
            has_cookie = has_cookie or gave_cookie
        return RedirectWay.ON
