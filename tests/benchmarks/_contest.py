"""What the contestants of the crawl benchmark share: the six fields, the clock, and the line they end with."""

import json
import os
import time
from dataclasses import asdict, dataclass

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
    """What one contestant did, from its first request to its last byte stored."""

    pages: int
    documents: int
    cpu_seconds: float
    wall_seconds: float


class Stopwatch:
    """CPU time of this process and its ended children, and wall time, from now on."""

    def __init__(self) -> None:
        self._cpu, self._wall = _cpu_seconds(), time.perf_counter()

    def result(self, *, pages: int, documents: int) -> Result:
        return Result(pages, documents, _cpu_seconds() - self._cpu, time.perf_counter() - self._wall)


def _cpu_seconds() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def tell(result: Result) -> None:
    """The last line of a contestant."""
    print(json.dumps(asdict(result)), flush=True)
