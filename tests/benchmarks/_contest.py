"""What the contestants of the crawl benchmark share: the six fields, the clock, and the line they end with."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

FIELDS = {
    "name": "//article[@class='product']/h1",
    "brand": "//article[@class='product']/p[@class='brand']",
    "price": "//article[@class='product']/p[@class='price']",
    "sku": "//dd[@class='sku']",
    "rating": "//dd[@class='rating']",
    "stock": "//dd[@class='stock']",
}
CONCURRENCY = 16


@dataclass(frozen=True)
class Result:
    """What one contestant did, from its first request to its last byte stored.

    `memory_mb` is what it held in memory, looked at now and then.
    """

    pages: int
    documents: int
    cpu_seconds: float
    wall_seconds: float
    memory_mb: tuple[float, ...] = ()


class Stopwatch:
    """CPU time of this process and its ended children, and wall time, from now on."""

    def __init__(self) -> None:
        self._cpu, self._wall = _cpu_seconds(), time.perf_counter()

    def result(self, *, pages: int, documents: int) -> Result:
        return Result(pages, documents, _cpu_seconds() - self._cpu, time.perf_counter() - self._wall)


class MemoryWatch:
    """Looks now and then, from a thread, how much memory this process holds."""

    EVERY_SECONDS = 0.5

    def __init__(self) -> None:
        self.samples_mb: list[float] = []
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        page_mb = os.sysconf("SC_PAGE_SIZE") / 1e6
        while not self._over.wait(self.EVERY_SECONDS):
            self.samples_mb.append(int(Path("/proc/self/statm").read_text().split()[1]) * page_mb)


def _cpu_seconds() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def tell(result: Result) -> None:
    """The last line of a contestant."""
    print(json.dumps(asdict(result)), flush=True)


READY, GO = "ready", "go"


def wait_for_the_others() -> None:
    """Say that all is prepared, and begin when told: those who begin together meet the same machine."""
    print(READY, flush=True)
    if sys.stdin.readline().strip() != GO:
        sys.exit("It was not told to begin.")


def begin_together(started: "Sequence[subprocess.Popen[str]]") -> list[str]:
    """Wait until all are prepared, let them begin, and give the last line of each."""
    pipes = [(each.stdin, each.stdout) for each in started if each.stdin is not None and each.stdout is not None]
    for _, answers in pipes:
        if answers.readline().strip() != READY:
            sys.exit("One of them could not begin.")
    for orders, _ in pipes:
        orders.write(f"{GO}\n")
        orders.flush()
    return [answers.readlines()[-1] for _, answers in pipes]
