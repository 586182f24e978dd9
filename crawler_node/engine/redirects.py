"""Which redirects lead somewhere, which in circles, and in which circles it helps to ask again."""

from enum import Enum, auto
from typing import NamedTuple

_MAX_KNOWN = 20_000
_MAX_STEPS = 20


class RedirectWay(Enum):
    """Where a redirect leads: on, round in a circle, or back with something new, so that asking again helps.

    New is a cookie that was given on the way, or a spelling of the address that was not asked for yet.
    """

    ON = auto()
    LOOP = auto()
    AGAIN = auto()


class Spelling(NamedTuple):
    """An address as it is asked for, and the page it is taken for: spellings of one page share its key."""

    url: str
    key: bytes


class RedirectMap:
    """What one worker remembers of redirects, a bounded number of them. What it forgets, the limit on hops ends."""

    def __init__(self) -> None:
        # Spellings are told by the hash of their text: hostile ones are long.
        self._steps: dict[int, tuple[int, bytes, bool]] = {}
        self._asked: dict[bytes, int] = {}

    def note(self, page: Spelling, target: Spelling, *, sets_cookies: bool) -> RedirectWay:
        """Note that a page redirects, and tell where that leads."""
        if len(self._steps) >= _MAX_KNOWN:
            self._steps.clear()
            self._asked.clear()
        start = hash(page.url)
        self._steps[start] = (hash(target.url), target.key, sets_cookies)
        self._asked[page.key] = start
        is_back, has_news = self._follow(start)
        if not is_back:
            return RedirectWay.ON
        return RedirectWay.AGAIN if has_news else RedirectWay.LOOP

    def _follow(self, start: int) -> tuple[bool, bool]:
        """Whether the way from a spelling leads back to it, and whether there is something new on it."""
        here, has_news = start, False
        for _ in range(_MAX_STEPS):
            here, key, gave_cookie = self._steps[here]
            is_new = here not in self._steps
            has_news = has_news or gave_cookie or is_new
            if is_new and key not in self._asked:
                break
            here = self._asked[key] if is_new else here
            if here == start:
                return True, has_news
        return False, has_news
