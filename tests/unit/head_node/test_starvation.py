"""Time goes by and others keep coming: whoever waits gets its turn."""

from dataclasses import replace
from datetime import datetime, timedelta

from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from head_node.contracts import Job, Node
from head_node.planning import plan
from tests.unit.head_node.test_planning import NOW, job, worker


class Cluster:
    """Time goes by, jobs come and end at their wall time or by themselves; the scheduler is asked every minute."""

    def __init__(self, nodes: list[Node]) -> None:
        self.nodes, self.now = nodes, NOW
        self.jobs: dict[int, Job] = {}
        self.started: dict[int, datetime] = {}
        self.lengths: dict[int, timedelta] = {}

    def submit(self, row: Job, *, length: timedelta | None = None) -> None:
        """`length` is how long it runs; nobody else knows it."""
        self.jobs[row.id] = replace(row, submitted_at=self.now)
        if length is not None:
            self.lengths[row.id] = length

    def tick(self) -> None:
        for placement in plan(list(self.jobs.values()), self.nodes, self.now):
            row = self.jobs[placement.job_id]
            placed = (*row.live, worker(row.id, placement.worker, placement.node))
            self.started.setdefault(row.id, self.now)
            self.jobs[row.id] = replace(row, live=placed, running_since=row.running_since or self.now)
        self.now += timedelta(minutes=1)
        ended = [row.id for row in self.jobs.values() if row.live and self._has_ended(row)]
        for number in ended:
            del self.jobs[number]

    def _has_ended(self, row: Job) -> bool:
        length = self.lengths.get(row.id)
        return is_over(row, self.now) or (length is not None and self.started[row.id] + length <= self.now)


def is_over(row: Job, now: datetime) -> bool:
    left = row.wall_time_left(now)
    return left is not None and left <= timedelta(0)


newcomers = st.lists(
    st.tuples(st.integers(0, 10), st.integers(1, 3), st.integers(1, 2), st.integers(1, 8)), min_size=1, max_size=8
)


@settings(max_examples=20, deadline=None, phases=[Phase.explicit, Phase.generate])
@example(stream=[(10, 1, 2, 8)], wide=4)
@given(stream=newcomers, wide=st.integers(1, 4))
def test_nobody_starves_however_many_others_keep_coming(stream: list[tuple[int, int, int, int]], wide: int) -> None:
    """An endless stream of others, more than the cluster can bear and of higher priority, cannot keep a job out.

    Who comes half an hour later for each step of priority goes behind it; those before take 8 minutes, two by two.
    """
    cluster = Cluster([Node("a", True, 4)])
    cluster.submit(job(1, project=9, slots_each=wide, wall_time=timedelta(minutes=5)))
    before_it = (max(priority for priority, *_ in stream) + 1) * 30
    for minute in range(before_it + before_it // 2 * 8 // 2 + 30):
        if minute % 2 == 0:
            priority, project, slots, minutes = stream[minute // 2 % len(stream)]
            length = timedelta(minutes=minutes)
            cluster.submit(job(minute + 2, priority=priority, project=project, slots_each=slots, wall_time=length))
        cluster.tick()
        if 1 in cluster.started:
            return
    raise AssertionError("it never started")


others = st.lists(
    st.tuples(st.integers(1, 2), st.integers(1, 8), st.booleans(), st.sampled_from([None, None, "x", "y", "z"])),
    min_size=1,
    max_size=8,
)


@settings(max_examples=40, deadline=None, phases=[Phase.explicit, Phase.generate])
@example(stream=[(1, 8, False, None)], wide=4, pinned=True)
@given(stream=others, wide=st.integers(1, 4), pinned=st.booleans())
def test_a_wide_job_starts_although_nobody_knows_when_others_end_and_some_want_one_node_only(
    stream: list[tuple[int, int, bool, str | None]], *, wide: int, pinned: bool
) -> None:
    """The node x is taken for ever and a job waits for it alone; two more have an endless stream of others."""
    cluster = Cluster([Node("x", True, 1), Node("y", True, 4), Node("z", True, 3)])
    cluster.submit(job(1, node="x"))
    cluster.tick()
    if pinned:
        cluster.submit(job(2, node="x"))
    cluster.tick()
    for minute in range(3, 100):
        if minute == 20:
            cluster.submit(job(20, slots_each=wide))
        else:
            slots, minutes, is_told, node = stream[minute % len(stream)]
            length = timedelta(minutes=minutes)
            cluster.submit(job(minute, slots_each=1 if node == "x" else slots, node=node), length=length)
            if is_told:
                cluster.jobs[minute] = replace(cluster.jobs[minute], wall_time=length)
        cluster.tick()
        if 20 in cluster.started:
            return
    raise AssertionError("it never started")
