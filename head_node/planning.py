"""Who runs where: a function without side effects.

Jobs are asked in the order of `queueing`, places given by `room`; `reasons` has the sentence for whoever got none.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from head_node.contracts import Job, Node, Placement
from head_node.queueing import JobQueue, is_early
from head_node.reasons import why_waiting
from head_node.room import Room


@dataclass(frozen=True, slots=True)
class Schedule:
    """Placements to make, and by job why it waits for the workers that it still misses."""

    placements: Sequence[Placement]
    waiting: Mapping[int, str]


def plan(jobs: Sequence[Job], nodes: Sequence[Node], now: datetime) -> list[Placement]:
    """Placements for the workers that jobs still miss. Deterministic, and never over a node's slots."""
    return list(schedule(jobs, nodes, now).placements)


def schedule(jobs: Sequence[Job], nodes: Sequence[Node], now: datetime) -> Schedule:
    """As `plan`, with the reasons of those who wait."""
    queue, room = JobQueue(jobs, now), Room(jobs, nodes, now)
    placements: list[Placement] = []
    waiting = {job.id: why_waiting(job, nodes, now) for job in jobs if is_early(job, now)}
    while (job := queue.pop()) is not None:
        node = room.take(job)
        if node is not None:
            placements.append(Placement(job.id, queue.placed(job), node.name))
            continue
        keeper = room.keeper_before(job)
        waiting[job.id] = why_waiting(job, nodes, now, workers=queue.workers_of(job), keeper=keeper)
        if not queue.workers_of(job):
            room.keep(job)
    return Schedule(placements, waiting)
