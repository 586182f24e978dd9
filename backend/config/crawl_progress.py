"""The live line of a crawl on the terminal: pages, documents, rate, queue, errors, time left."""

import time
from collections import deque
from collections.abc import Callable
from typing import Any

from backend.apps.runners.models import Runner, RunnerStatus
from backend.apps.runners.selectors import statistics_of
from backend.config.live_line import LiveLine
from wording import say_count

WAITING = (RunnerStatus.QUEUED, RunnerStatus.LOST)
WINDOW_SECONDS = 6.0
LONGEST_WINDOW_SECONDS = 120.0
ENOUGH_PAGES = 10
"""A crawl that comes by so few in a window is looked at for longer, or its rate would jump between nothing and much."""


class CrawlProgress:
    """How far a run is, as a live line."""

    def __init__(self, out: Any, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._line = LiveLine(out)
        self._clock = clock
        self._samples: deque[tuple[float, int]] = deque()

    def show(self, runner: Runner) -> None:
        counts = statistics_of(runner)
        self._sample(counts["pages"])
        max_pages = runner.specification["crawler"].get("max_pages")
        told = describe(counts, self._rate(), max_pages=max_pages)
        if runner.status in WAITING and runner.reason:
            told = f"{runner.reason} {told}" if counts["pages"] else runner.reason
        self._line.say(f"{runner.status}: {told}")

    def close(self) -> None:
        self._line.close()

    def _sample(self, pages: int) -> None:
        """Remember how many there are now, and forget what is older than the window."""
        now = self._clock()
        self._samples.append((now, pages))
        while len(self._samples) > 2 and self._is_old(*self._samples[1]):
            self._samples.popleft()

    def _is_old(self, at: float, pages: int) -> bool:
        """Whether the window may begin there."""
        last_at, last = self._samples[-1]
        length = LONGEST_WINDOW_SECONDS if last - pages < ENOUGH_PAGES else WINDOW_SECONDS
        return last_at - at >= length

    def _rate(self) -> float:
        (first_at, first), (last_at, last) = self._samples[0], self._samples[-1]
        return (last - first) / (last_at - first_at) if last_at > first_at else 0.0


def describe(counts: dict[str, Any], rate: float, *, max_pages: int | None = None) -> str:
    """What matters most comes first: a narrow terminal shows only the beginning."""
    waiting = counts["queued"] + counts["leased"]
    to_come = waiting if max_pages is None else min(waiting, max_pages - counts["pages"])
    parts = [
        say_count(counts["pages"], "page"),
        say_count(counts["documents"], "document"),
        f"{counts['failed']:,} failed",
        *([f"{say_duration(to_come / rate)} left"] if rate > 0 and to_come > 0 else []),
        f"{rate:.1f}/s" if rate >= 1 or not rate else f"{rate * 60:.0f}/min",
        f"{waiting:,} waiting",
    ]
    return ", ".join(parts)


def say_duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5_400 else f"{seconds / 3_600:.1f} h"
