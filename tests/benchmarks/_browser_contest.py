"""What the contestants of the browser benchmark share: the pages, the truth about them, and the clock."""

import json
import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass

import psutil

from backend.demo_site.truth import KINDS, DocumentKind

LIST, ITEMS = KINDS["dynamic list"], KINDS["dynamic items"]
# The kinds with the XPath by which one sees that the page is there.
READY = {LIST.name: "//li[@class='item']", ITEMS.name: "//article[@id='item']/p[@class='summary']"}
SCOPES = {LIST.name: LIST.item_scope, ITEMS.name: ""}


@dataclass(frozen=True)
class Result:
    """What one contestant did with one kind of page, in a browser that had started."""

    pages: int
    cpu_seconds: float
    wall_seconds: float
    memory_mb: float


def pages_of(kind: DocumentKind, count: int) -> list[str]:
    """Paths of pages of a kind, over and over."""
    paths = list(dict.fromkeys(document.path for document in kind.documents()))
    return [paths[place % len(paths)] for place in range(count)]


def documents_on(kind: DocumentKind, path: str) -> int:
    return sum(document.path == path for document in kind.documents())


class Measurement:
    """Takes the time while a contestant goes through `paths`; `check` each, then ask for the `result`."""

    def __init__(self, kind: DocumentKind, count: int) -> None:
        self._kind = kind
        self.paths = pages_of(kind, count)
        self._cpu, self._wall = tree_cpu_seconds(), time.perf_counter()

    def check(self, path: str, found: int) -> None:
        """All documents must have been found."""
        if found != documents_on(self._kind, path):
            raise SystemExit(f"{path}: {found} documents instead of {documents_on(self._kind, path)}")

    def result(self) -> Result:
        seconds = time.perf_counter() - self._wall
        return Result(len(self.paths), tree_cpu_seconds() - self._cpu, seconds, tree_memory_mb())


def measure(kind: DocumentKind, count: int, show: Callable[[str], int]) -> Result:
    """Show pages one after another; `show` gives how many documents it found."""
    measurement = Measurement(kind, count)
    for path in measurement.paths:
        measurement.check(path, show(path))
    return measurement.result()


def tell(results: dict[str, Result]) -> None:
    """The last line of a contestant."""
    print(json.dumps({name: asdict(result) for name, result in results.items()}), flush=True)


def tree_cpu_seconds() -> float:
    """CPU of this process and all below it, those that have ended too."""
    own = os.times()
    total = own.user + own.system + own.children_user + own.children_system
    for process in psutil.Process().children(recursive=True):
        try:
            used = process.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += used.user + used.system + used.children_user + used.children_system
    return total


def tree_memory_mb() -> float:
    """Memory of all processes below this one, shared pages counted once."""
    total = 0
    for process in psutil.Process().children(recursive=True):
        try:
            total += process.memory_full_info().pss
        except psutil.Error:
            continue
    return total / 1e6
