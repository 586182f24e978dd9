"""Which addresses are refused as traps, and which are only taken so many times."""

from collections import Counter
from dataclasses import dataclass
from hashlib import blake2b
from typing import NamedTuple

from crawler_node.contracts import Refusal
from crawler_node.traps.shapes import CalendarDate, date_in_calendar, pattern_of
from crawler_node.urls.canonicalize import CanonicalUrl

_PAST_YEARS, _FUTURE_YEARS = 10, 1


class TrapVerdict(NamedTuple):
    """`refusal` when the address is a trap by itself; else how many of its `pattern` may be queued (0: any number)."""

    refusal: Refusal | None = None
    pattern: int = 0
    budget: int = 0


FREE = TrapVerdict()
TRAPPED = TrapVerdict(Refusal.TRAP)


@dataclass(frozen=True, slots=True)
class TrapRules:
    """Limits that real sites keep, and budgets for the shapes of endless ones.

    `this_year` is when the runner started: calendar pages near it get `calendar_budget`, all others `far_budget`,
    or `vague_budget` where they may be no calendar's. `pattern_budget` is the user's own limit for any shape, None for
    none. `max_growth` is how many parameters an address may have that only adds one to the address of the page it was
    found on.
    """

    this_year: int
    max_url_characters: int = 2_000
    max_segments: int = 30
    max_parameters: int = 30
    max_repeats: int = 3
    max_growth: int = 6
    calendar_budget: int = 1_000
    far_budget: int = 40
    vague_budget: int = 300
    pattern_budget: int | None = None

    def judge(self, url: CanonicalUrl) -> TrapVerdict:
        """The verdict, from the address alone: the same on every worker."""
        if len(url.url) > self.max_url_characters or self._repeats(url.path) or self._grows(url.query):
            return TRAPPED
        shown = date_in_calendar(url.path, url.query, this_year=self.this_year)
        if shown is not None:
            budget = self._calendar_budget(shown)
            return TrapVerdict(None, _number(f"{budget} {pattern_of(url.authority, url.path, url.query)}"), budget)
        if self.pattern_budget is not None:
            return TrapVerdict(None, _number(pattern_of(url.authority, url.path, url.query)), self.pattern_budget)
        return FREE

    def _calendar_budget(self, shown: CalendarDate) -> int:
        if self.this_year - _PAST_YEARS <= shown.year <= self.this_year + _FUTURE_YEARS:
            return self.calendar_budget
        return self.vague_budget if shown.is_vague else self.far_budget

    def _repeats(self, path: str) -> bool:
        """Whether the path goes in circles: `/a/b/a/b/a/b`, a sign of relative links gone wrong."""
        if path.count("/") < self.max_repeats:
            return False
        segments = path.strip("/").split("/")
        if len(segments) > self.max_segments:
            return True
        if len(set(segments)) == len(segments):
            return False
        if any(count > self.max_repeats and not part.isdigit() for part, count in Counter(segments).items()):
            return True
        longest = len(segments) // self.max_repeats
        return any(_has_cycle(segments, size, self.max_repeats) for size in range(1, longest + 1))

    def grows_from(self, url: CanonicalUrl, page: CanonicalUrl) -> bool:
        """Whether a link only piles one more parameter on those of its own page, and there are too many already."""
        if url.query.count("&") < self.max_growth or url.path != page.path or url.authority != page.authority:
            return False
        return set(url.query.split("&")) > set(page.query.split("&"))

    def _grows(self, query: str) -> bool:
        """Whether parameters pile up: too many, or the same one again and again."""
        if query.count("&") < self.max_repeats:
            return False
        parts = query.split("&")
        return len(parts) > self.max_parameters or max(map(parts.count, parts)) > self.max_repeats


def _has_cycle(segments: list[str], size: int, repeats: int) -> bool:
    """Whether some run of `size` segments follows itself so often; digits alone may (`/1/1/1` is a date or an id)."""
    run = 0
    for index in range(size, len(segments)):
        run = run + 1 if segments[index] == segments[index - size] else 0
        if run >= size * (repeats - 1) and not all(part.isdigit() for part in segments[index - size : index]):
            return True
    return False


def _number(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=7).digest(), "big") + 1
