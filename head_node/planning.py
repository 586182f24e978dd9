"""Who runs where: a function without side effects."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from head_node.contracts import Ending, Job, Node, Placement, SlotKind, Wish


def plan(jobs: Sequence[Job], nodes: Sequence[Node], now: datetime) -> list[Placement]:
    """Placements for the workers that jobs still miss: highest priority first, then first come, first served.

    Deterministic, never over a node's slots, and no job gets a second worker before every job of its priority that can
    have one has its first.
    """
    taken = Counter((worker.node, job.slots) for job in jobs for worker in job.live)
    waiting = sorted(
        (job for job in jobs if may_start(job, now)), key=lambda job: (-job.priority, job.submitted_at, job.id)
    )
    placements: list[Placement] = []
    for priority in sorted({job.priority for job in waiting}, reverse=True):
        rank = [job for job in waiting if job.priority == priority]
        placements += _fill(rank, nodes, taken)
    return placements


def may_start(job: Job, now: datetime) -> bool:
    """Whether workers may be placed for a job at all."""
    if job.is_held or job.wish is not Wish.RUN or job.ending is not Ending.NONE:
        return False
    return job.earliest_start is None or job.earliest_start <= now


def _fill(jobs: Sequence[Job], nodes: Sequence[Node], taken: Counter[tuple[str, SlotKind]]) -> list[Placement]:
    placements: list[Placement] = []
    missing = {job.id: _missing_numbers(job) for job in jobs}
    while True:
        placed = [placement for job in jobs if (placement := _place_one(job, missing[job.id], nodes, taken))]
        if not placed:
            return placements
        placements += placed


def _missing_numbers(job: Job) -> list[int]:
    present = {worker.number for worker in job.live}
    return [number for number in range(1, job.workers + 1) if number not in present]


def _place_one(
    job: Job, missing: list[int], nodes: Sequence[Node], taken: Counter[tuple[str, SlotKind]]
) -> Placement | None:
    if not missing:
        return None
    free = [node for node in nodes if fits(job, node) and taken[node.name, job.slots] < node.slots(job.slots)]
    if not free:
        return None
    roomiest = min(free, key=lambda node: (taken[node.name, job.slots] - node.slots(job.slots), node.name))
    taken[roomiest.name, job.slots] += 1
    return Placement(job.id, missing.pop(0), roomiest.name)


def fits(job: Job, node: Node) -> bool:
    """Whether a node may take workers of a job, free slots or not."""
    return node.is_online and job.node in (None, node.name) and node.slots(job.slots) > 0


def why_waiting(job: Job, nodes: Sequence[Node], now: datetime) -> str:
    """The sentence for a job that has no worker and got none."""
    if job.earliest_start is not None and job.earliest_start > now:
        return f"Waiting: it may start at {job.earliest_start:%Y-%m-%d %H:%M} UTC."
    kind = "browser slot" if job.slots is SlotKind.BROWSER else "slot"
    if job.node is not None and not any(node.name == job.node and node.is_online for node in nodes):
        return f"Waiting: the node {job.node} is not online."
    if not any(fits(job, node) for node in nodes):
        return f"Waiting: no node that is online has a {kind}."
    return f"Waiting: no node with a free {kind}."
