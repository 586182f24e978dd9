"""The scheduler as a function: never over a node's slots, fair, deterministic."""

from collections import Counter
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from head_node.contracts import Ending, Job, LiveWorker, Node, Placement, SlotKind, Wish
from head_node.planning import plan, why_waiting

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def job(number: int, **changes: object) -> Job:
    return Job(id=number, submitted_at=NOW + timedelta(seconds=number), **changes)  # type: ignore[arg-type]


def worker(job_id: int, number: int, node: str) -> LiveWorker:
    return LiveWorker(placement_id=job_id * 100 + number, job_id=job_id, node=node, number=number, placed_at=NOW)


def test_first_come_first_served() -> None:
    assert plan([job(2), job(1)], [Node("a", True, 1)], NOW) == [Placement(1, 1, "a")]


def test_a_higher_priority_goes_first() -> None:
    assert plan([job(1), job(2, priority=5)], [Node("a", True, 1)], NOW) == [Placement(2, 1, "a")]


def test_every_job_gets_its_first_worker_before_any_gets_a_second() -> None:
    placements = plan([job(1, workers=3), job(2)], [Node("a", True, 3)], NOW)
    assert placements == [Placement(1, 1, "a"), Placement(2, 1, "a"), Placement(1, 2, "a")]


def test_a_dead_worker_is_replaced_under_its_number() -> None:
    running = job(1, workers=2, live=(worker(1, 2, "a"),))
    assert plan([running], [Node("a", True, 2)], NOW) == [Placement(1, 1, "a")]


def test_the_roomiest_node_is_chosen() -> None:
    nodes = [Node("a", True, 2), Node("b", True, 4)]
    assert plan([job(1)], nodes, NOW) == [Placement(1, 1, "b")]


def test_a_browser_job_needs_a_browser_slot() -> None:
    wants = job(1, slots=SlotKind.BROWSER)
    assert plan([wants], [Node("a", True, 4)], NOW) == []
    assert plan([wants], [Node("a", True, 0, 1)], NOW) == [Placement(1, 1, "a")]


def test_what_must_not_run_is_not_placed() -> None:
    nodes = [Node("a", True, 9), Node("dead", False, 9)]
    idle = [
        job(1, wish=Wish.STOP),
        job(2, wish=Wish.PAUSE),
        job(3, is_held=True),
        job(4, ending=Ending.COMPLETED),
        job(5, earliest_start=NOW + timedelta(hours=1)),
        job(6, node="dead"),
    ]
    assert plan(idle, nodes, NOW) == []


def test_says_why_a_job_waits() -> None:
    full = [Node("a", True, 1)]
    assert why_waiting(job(1), full, NOW) == "Waiting: no node with a free slot."
    assert (
        why_waiting(job(1, slots=SlotKind.BROWSER), full, NOW) == "Waiting: no node that is online has a browser slot."
    )
    assert why_waiting(job(1, node="b"), full, NOW) == "Waiting: the node b is not online."
    assert "2026-01-01 01:00" in why_waiting(job(1, earliest_start=NOW + timedelta(hours=1)), full, NOW)


nodes_strategy = st.lists(
    st.builds(
        Node,
        name=st.sampled_from("abcde"),
        is_online=st.booleans(),
        http_slots=st.integers(0, 4),
        browser_slots=st.integers(0, 3),
    ),
    max_size=4,
    unique_by=lambda node: node.name,
)
jobs_strategy = st.lists(
    st.builds(
        job,
        st.integers(1, 30),
        priority=st.integers(-1, 1),
        workers=st.integers(1, 4),
        slots=st.sampled_from(SlotKind),
        wish=st.sampled_from([Wish.RUN, Wish.RUN, Wish.STOP]),
        node=st.sampled_from([None, None, "a"]),
    ),
    max_size=8,
    unique_by=lambda row: row.id,
)


@given(jobs=jobs_strategy, nodes=nodes_strategy)
def test_no_node_gets_more_than_its_slots_and_no_worker_is_placed_twice(jobs: list[Job], nodes: list[Node]) -> None:
    kinds = {row.id: row.slots for row in jobs}
    by_name = {node.name: node for node in nodes}
    placements = plan(jobs, nodes, NOW)
    taken = Counter((placement.node, kinds[placement.job_id]) for placement in placements)
    assert all(by_name[name].is_online and count <= by_name[name].slots(kind) for (name, kind), count in taken.items())
    assert len({(placement.job_id, placement.worker) for placement in placements}) == len(placements)


@given(jobs=jobs_strategy, nodes=nodes_strategy)
def test_the_order_of_asking_does_not_matter(jobs: list[Job], nodes: list[Node]) -> None:
    assert plan(jobs[::-1], nodes[::-1], NOW) == plan(jobs, nodes, NOW)


@given(jobs=jobs_strategy, nodes=nodes_strategy)
def test_nobody_waits_beside_a_free_slot(jobs: list[Job], nodes: list[Node]) -> None:
    placements = plan(jobs, nodes, NOW)
    kinds = {row.id: row.slots for row in jobs}
    taken = Counter((placement.node, kinds[placement.job_id]) for placement in placements)
    placed = Counter(placement.job_id for placement in placements)
    for row in jobs:
        if row.wish is Wish.RUN and placed[row.id] < row.workers:
            possible = [node for node in nodes if node.is_online and row.node in (None, node.name)]
            assert all(taken[node.name, row.slots] == node.slots(row.slots) for node in possible)
