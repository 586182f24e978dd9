"""The live line of a crawl on the terminal: pages, documents, rate, queue, errors, time left."""

import time
from collections import deque
from typing import Any

from backend.apps.runners.models import Runner
from backend.apps.runners.selectors import statistics_of
from backend.config.live_line import LiveLine
from wording import say_count

WINDOW = 20


class CrawlProgress:
    """How far a run is, as a live line."""

    def __init__(self, out: Any) -> None:
        self._line = LiveLine(out)
        self._samples: deque[tuple[float, int]] = deque(maxlen=WINDOW)

    def show(self, runner: Runner) -> None:
        counts = statistics_of(runner)
        self._samples.append((time.monotonic(), counts["pages"]))
        self._line.say(f"{runner.status}: {describe(counts, self._rate())}")

    def close(self) -> None:
        self._line.close()

    def _rate(self) -> float:
        (first_at, first), (last_at, last) = self._samples[0], self._samples[-1]
        return (last - first) / (last_at - first_at) if last_at > first_at else 0.0


def describe(counts: dict[str, Any], rate: float) -> str:
    waiting = counts["queued"] + counts["leased"]
    parts = [
        say_count(counts["pages"], "page"),
        say_count(counts["documents"], "document"),
        f"{rate:.1f} pages/s",
        f"{waiting:,} waiting",
        f"{counts['failed']:,} failed",
    ]
    if rate > 0 and waiting:
        parts.append(f"about {_duration(waiting / rate)} left")
    return ", ".join(parts)


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5_400 else f"{seconds / 3_600:.1f} h"
