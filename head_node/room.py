"""Where there is room: free slots, when taken ones come back, and slots kept for a job that could not start yet.

A job that needs more slots than any node has free gets a reservation on the node where it can start first, of those
where nobody has one yet. Others may use those slots only when they end before it or leave it enough (EASY backfilling:
Lifka, “The ANL/IBM SP scheduling system”, 1995). So short jobs fill gaps, and delay nobody.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from head_node.contracts import Job, Node, SlotKind

_Place = tuple[str, SlotKind]


@dataclass(frozen=True, slots=True)
class Reservation:
    """`starts_at` is when its slots will be free at the latest; None when nobody can know."""

    job_id: int
    node: str
    slots: int
    starts_at: datetime | None


class Room:
    """The slots of all nodes during one round of planning."""

    def __init__(self, jobs: Sequence[Job], nodes: Sequence[Node], now: datetime) -> None:
        self._now = now
        self._nodes = sorted(nodes, key=lambda node: node.name)
        self._taken: Counter[_Place] = Counter()
        self._returns: dict[_Place, list[tuple[datetime | None, int]]] = defaultdict(list)
        self._kept: dict[_Place, Reservation] = {}
        for job in jobs:
            for worker in job.live:
                self._occupy(job, worker.node)

    def take(self, job: Job) -> Node | None:
        """A place for one worker: on the node with the most room; None when there is none.

        One where its workers did not crash goes before all others: a node that kills them at once always has room.
        """
        possible = preferred(job, [node for node in self._nodes if self._has_room(job, node)])
        if not possible or (possible[0].name in job.avoid and is_holding_out(job, self._nodes)):
            return None
        roomiest = max(possible, key=lambda node: self._free(node, job.slots))
        self._occupy(job, roomiest.name)
        return roomiest

    def keep(self, job: Job) -> None:
        """Reserve a place for a job that cannot start, where none is kept yet: on each node the first to ask gets one.

        One for all nodes would not do: a job that may go to one node only would keep it for as long as that is taken,
        and whoever comes after it would wait for gaps that others fill.
        """
        fitting = preferred(job, [node for node in self._nodes if fits(job, node)])
        fitting = [node for node in fitting if (node.name, job.slots) not in self._kept]
        if not fitting:
            return
        starts = {node.name: self._start_on(job, node) for node in fitting}
        known = {name: moment for name, moment in starts.items() if moment is not None}
        # Nobody knows when: then where the most room is already, and the node of the first name among equals.
        best = min(known, key=lambda name: (known[name], name)) if known else self._roomiest(fitting, job.slots)
        self._kept[best, job.slots] = Reservation(job.id, best, job.slots_each, known.get(best))

    def keeper_before(self, job: Job) -> int | None:
        """The job for which slots are kept that are free and would be enough for this one; None without any."""
        for node in self._nodes:
            is_enough = fits(job, node) and self._free(node, job.slots) >= job.slots_each
            if is_enough and not self._may_use(job, node):
                return self._kept[node.name, job.slots].job_id
        return None

    def _has_room(self, job: Job, node: Node) -> bool:
        return fits(job, node) and self._free(node, job.slots) >= job.slots_each and self._may_use(job, node)

    def _may_use(self, job: Job, node: Node) -> bool:
        kept = self._kept.get((node.name, job.slots))
        if kept is None or kept.job_id == job.id:
            return True
        ends = self._end_of(job)
        if ends is not None and (kept.starts_at is None or ends <= kept.starts_at):
            return True
        if kept.starts_at is None:
            return False
        return self._free_at(node, job.slots, kept.starts_at) - kept.slots >= job.slots_each

    def _start_on(self, job: Job, node: Node) -> datetime | None:
        """The first moment at which enough slots are certainly free."""
        moments = sorted(moment for moment, _ in self._returns[node.name, job.slots] if moment is not None)
        for moment in moments:
            if self._free_at(node, job.slots, moment) >= job.slots_each:
                return moment
        return None

    def _free_at(self, node: Node, kind: SlotKind, moment: datetime) -> int:
        back = sum(slots for ends, slots in self._returns[node.name, kind] if ends is not None and ends <= moment)
        return self._free(node, kind) + back

    def _free(self, node: Node, kind: SlotKind) -> int:
        return node.slots(kind) - self._taken[node.name, kind]

    def _roomiest(self, nodes: Sequence[Node], kind: SlotKind) -> str:
        return max(nodes, key=lambda node: self._free(node, kind)).name

    def _occupy(self, job: Job, node: str) -> None:
        self._taken[node, job.slots] += job.slots_each
        self._returns[node, job.slots].append((self._end_of(job), job.slots_each))

    def _end_of(self, job: Job) -> datetime | None:
        left = job.wall_time_left(self._now)
        return self._now + left if left is not None else None


def fits(job: Job, node: Node) -> bool:
    """Whether a node may take workers of a job, free slots or not."""
    is_there = node.is_online and node.is_within_reach
    return is_there and job.node in (None, node.name) and node.slots(job.slots) >= job.slots_each


def preferred(job: Job, nodes: Sequence[Node]) -> list[Node]:
    """Those where none of its workers crashed lately; all of them where there is no such node."""
    return [node for node in nodes if node.name not in job.avoid] or list(nodes)


def has_elsewhere(job: Job, nodes: Sequence[Node]) -> bool:
    """Whether there is a node that may take its workers, free slots or not, and where none of them crashed lately."""
    return any(fits(job, node) and node.name not in job.avoid for node in nodes)


def is_holding_out(job: Job, nodes: Sequence[Node]) -> bool:
    """Whether it crashed too often to be tried again where it did, but has another node to wait for."""
    return job.has_crashed_enough and has_elsewhere(job, nodes)
