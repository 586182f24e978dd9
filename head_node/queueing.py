"""Who comes next: priorities, then fair shares between projects, then first come, first served.

Whoever has waited long enough joins a higher priority that waits, and goes before every newcomer of its project there:
so nobody starves. Nobody gets above what others asked for, so that among equals the shares decide, whatever their age.
"""

import heapq
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta

from head_node.contracts import Ending, Job, SlotKind, Wish

AGE_STEP = timedelta(minutes=30)
_Key = tuple[int, int, int, datetime, int]


def may_start(job: Job, now: datetime) -> bool:
    """Whether workers may be placed for a job at all."""
    if job.is_held or job.wish is not Wish.RUN or job.ending is not Ending.NONE:
        return False
    left = job.wall_time_left(now)
    if left is not None and left <= timedelta(0):
        return False
    return not is_early(job, now)


def is_early(job: Job, now: datetime) -> bool:
    return job.earliest_start is not None and job.earliest_start > now


def priority_reached(job: Job, now: datetime, steps: Sequence[int]) -> int:
    """The highest of the `steps` that it has reached, where half an hour of waiting counts as one more.

    They are priorities in their order, its own among them.
    """
    since = max(job.submitted_at, job.earliest_start or job.submitted_at)
    reached = job.priority + max(0, (now - since) // AGE_STEP)
    return steps[bisect_right(steps, reached) - 1]


class JobQueue:
    """Hands out jobs that miss workers, the next one first, until each has all of them or was given up."""

    def __init__(self, jobs: Sequence[Job], now: datetime) -> None:
        self._now = now
        self._usage: Counter[int] = Counter()
        for job in jobs:
            self._usage[job.project] += len(job.live) * _share_each(job)
        self._workers = Counter({job.id: len(job.live) for job in jobs})
        self._missing = {job.id: _missing_numbers(job) for job in jobs if may_start(job, now)}
        self._steps = _steps([job for job in jobs if self._missing.get(job.id) and not job.live])
        self._heap = [(self._key(job), job.id, job) for job in jobs if self._missing.get(job.id)]
        heapq.heapify(self._heap)

    def pop(self) -> Job | None:
        """The job whose turn it is; it is in the queue no more unless it is put back by `placed`.

        Keys only ever grow while places are given away, so an old key is renewed when it comes to the top.
        """
        while self._heap:
            key, _, job = heapq.heappop(self._heap)
            if (renewed := self._key(job)) == key:
                return job
            heapq.heappush(self._heap, (renewed, job.id, job))
        return None

    def placed(self, job: Job) -> int:
        """One of its workers has a place: that worker's number."""
        number = self._missing[job.id].pop(0)
        self._workers[job.id] += 1
        self._usage[job.project] += _share_each(job)
        if self._missing[job.id]:
            heapq.heappush(self._heap, (self._key(job), job.id, job))
        return number

    def workers_of(self, job: Job) -> int:
        return self._workers[job.id]

    def _key(self, job: Job) -> _Key:
        workers = self._workers[job.id]
        priority = job.priority if workers else priority_reached(job, self._now, self._steps[job.slots])
        return (-priority, self._usage[job.project], workers, job.submitted_at, job.id)


def _share_each(job: Job) -> int:
    """What each of its workers takes of its project's share. An index job that follows a crawl never ends and mostly
    waits: a project with some of them would never be the one with the fewest slots, and could wait for ever.
    """
    return 0 if job.slots is SlotKind.INDEX else job.slots_each


def _steps(waiting: Sequence[Job]) -> dict[SlotKind, list[int]]:
    """The priorities of those who wait for the same kind of slot without any worker."""
    found: dict[SlotKind, set[int]] = defaultdict(set)
    for job in waiting:
        found[job.slots].add(job.priority)
    return {kind: sorted(priorities) for kind, priorities in found.items()}


def _missing_numbers(job: Job) -> list[int]:
    present = {worker.number for worker in job.live}
    return [number for number in range(1, job.workers + 1) if number not in present][: job.workers - len(present)]
