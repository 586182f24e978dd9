"""What a worker holds in advance: leases that wait for their moment, how fast it uses them up, when it asks again."""

import heapq
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field

from crawler_node.contracts import Lease, LeaseBatch

_FIRST_WAIT_SECONDS = 0.25
# While nothing is queued, whatever others commit is work for all: a crawl begins with one page.
_FIRST_DRY_SECONDS = 0.03
# What others bring is noticed so much later at most.
_OTHERS_SECONDS = 1.0
# What people bring (more seeds, failed pages to be tried again) is noticed so much later at most.
_LONGEST_WAIT_SECONDS = 5.0


@dataclass(slots=True)
class Shelf:
    """Leases waiting for their moment, the earliest first; those of a full host wait beside the heap."""

    heap: list[tuple[float, int, Lease]] = field(default_factory=list)
    parked: dict[str, list[Lease]] = field(default_factory=dict)
    _due: dict[int, float] = field(default_factory=dict)
    _number: "itertools.count[int]" = field(default_factory=itertools.count)

    def __len__(self) -> int:
        return len(self.heap) + sum(map(len, self.parked.values()))

    def put(self, lease: Lease, due: float) -> None:
        self._due.setdefault(lease.fence, due)
        heapq.heappush(self.heap, (due, next(self._number), lease))

    def pop(self) -> Lease:
        """The lease that comes next; it may be put back or parked, and stays as late as it was."""
        return heapq.heappop(self.heap)[2]

    def park(self, lease: Lease) -> None:
        self.parked.setdefault(lease.host, []).append(lease)

    def unpark(self, host: str, due: float) -> None:
        for lease in self.parked.pop(host, ()):
            self.put(lease, due)

    def lateness(self, lease: Lease, now: float) -> float:
        """For how long it could have been begun."""
        return now - self._due.get(lease.fence, now)

    def let_go(self, lease: Lease) -> None:
        """It is begun, or given back."""
        self._due.pop(lease.fence, None)

    def take(self, wanted: Callable[[Lease], bool]) -> list[Lease]:
        """Remove and return the leases that are wanted."""
        self.unpark_all()
        taken = [lease for _, _, lease in self.heap if wanted(lease)]
        self.heap = [entry for entry in self.heap if not wanted(entry[2])]
        heapq.heapify(self.heap)
        for lease in taken:
            self.let_go(lease)
        return taken

    def unpark_all(self) -> None:
        for host in list(self.parked):
            self.unpark(host, 0.0)


class Appetite:
    """How fast a worker uses up its leases, measured from one meal to the next."""

    def __init__(self) -> None:
        self._since = 0.0
        self._shelf = 0
        self._meal = 0

    def feed(self, leases: int, *, shelf: int, now: float) -> None:
        """So many new leases came; that many are on the shelf now."""
        self._since, self._shelf, self._meal = now, shelf, leases

    def wanted(self, *, shelf: int, now: float, seconds: float) -> int:
        """What it will use up in so many seconds, when it goes on like that."""
        return round((self._shelf - shelf) * seconds / max(now - self._since, 0.05))

    @property
    def low_water(self) -> int:
        """When the next meal should be ordered: it takes a moment to come."""
        return self._meal // 4


class Patience:
    """How long a worker that got nothing waits: until something can be leased, but never so long that it misses news.

    While others work it asks sooner, and the less often the longer they have brought nothing for it; at the beginning
    and at the end of a crawl, when nothing is queued, it stays at hand.
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """There was something to lease."""
        self._most = _FIRST_WAIT_SECONDS
        self._most_dry = _FIRST_DRY_SECONDS

    def wait_seconds(self, batch: LeaseBatch) -> float:
        """How long to wait after this empty batch."""
        most = self._most_seconds(batch) if batch.others_work else _LONGEST_WAIT_SECONDS
        wait = batch.retry_after_seconds
        return most if wait is None else min(wait, most)

    def _most_seconds(self, batch: LeaseBatch) -> float:
        if batch.is_dry:
            most, self._most_dry = self._most_dry, min(2 * self._most_dry, _FIRST_WAIT_SECONDS)
        else:
            most, self._most = self._most, min(2 * self._most, _OTHERS_SECONDS)
        return most
