"""The scheduler as a function: never over a node's slots, fair, deterministic."""

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from head_node.contracts import Ending, Job, LiveWorker, Node, Placement, SlotKind, Wish
from head_node.planning import plan, schedule
from head_node.reasons import why_waiting
from head_node.room import fits, is_holding_out
from head_node.settling import settle

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def job(number: int, **changes: object) -> Job:
    return Job(**{"id": number, "submitted_at": NOW + timedelta(seconds=number), **changes})  # type: ignore[arg-type]


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


def test_a_node_where_its_workers_crashed_is_taken_only_when_no_other_has_room() -> None:
    nodes = [Node("bad", True, 9), Node("good", True, 1)]
    crashed = job(1, crashes=1, avoid=frozenset({"bad"}))
    assert plan([crashed], nodes, NOW) == [Placement(1, 1, "good")]
    busy = job(2, live=(worker(2, 1, "good"),))
    assert plan([crashed, busy], nodes, NOW) == [Placement(1, 1, "bad")]
    assert plan([crashed], nodes[:1], NOW) == [Placement(1, 1, "bad")]


def test_a_job_that_crashed_too_often_waits_for_a_node_where_it_did_not() -> None:
    nodes = [Node("bad", True, 9), Node("good", True, 1)]
    crashed, busy = job(1, crashes=5, avoid=frozenset({"bad"})), job(2, live=(worker(2, 1, "good"),))
    decided = schedule([crashed, busy], nodes, NOW)
    assert decided.placements == []
    assert decided.waiting == {1: "Waiting: its workers crashed on bad, and no other node has a free slot."}
    assert plan([crashed], nodes, NOW) == [Placement(1, 1, "good")]


def test_the_place_that_is_kept_for_a_job_is_not_where_its_workers_crashed() -> None:
    nodes = [Node("a", True, 2), Node("b", True, 2)]
    first, second = running(1, minutes=30, node="a"), running(2, minutes=60, node="b")
    wide = job(3, slots_each=2, crashes=1, avoid=frozenset({"a"}))
    assert plan([first, second, wide, job(4)], nodes, NOW) == [Placement(4, 1, "a")]


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


def test_the_project_with_the_fewest_workers_goes_first() -> None:
    busy = job(1, workers=3, project=1, live=(worker(1, 1, "a"),))
    placements = plan([busy, job(2, project=1), job(3, workers=3, project=2)], [Node("a", True, 5)], NOW)
    assert placements == [Placement(3, 1, "a"), Placement(2, 1, "a"), Placement(3, 2, "a"), Placement(1, 2, "a")]


def test_indexes_that_follow_crawls_do_not_use_up_the_share_of_their_project() -> None:
    """Four of them for ever, and another project that always has somebody who waits for one of four slots."""
    nodes = [Node("a", True, 4), Node("localhost", True, 0)]
    indexes = [job(n, project=1, slots=SlotKind.INDEX, live=(worker(n, 1, "localhost"),)) for n in range(1, 5)]
    others = [job(n, project=2, live=(worker(n, 1, "a"),)) for n in range(5, 8)]
    waiting = [job(8, project=1), job(9, project=2)]
    assert plan([*indexes, *others, *waiting], nodes, NOW) == [Placement(8, 1, "a")]


def test_a_job_that_has_waited_long_goes_before_a_newcomer_of_higher_priority() -> None:
    old, new = job(1), job(2, priority=2)
    late = NOW + timedelta(hours=1, minutes=31)
    newcomer = replace(new, submitted_at=late)
    assert plan([old, newcomer], [Node("a", True, 1)], late) == [Placement(1, 1, "a")]
    assert plan([old, new], [Node("a", True, 1)], NOW + timedelta(minutes=10)) == [Placement(2, 1, "a")]


def test_fair_shares_do_not_end_when_jobs_have_waited_long() -> None:
    """One project has a hundred jobs that are two hours old and three of four slots; another one job, later."""
    old = [job(number, project=1, submitted_at=NOW - timedelta(hours=2)) for number in range(1, 101)]
    old[:3] = [replace(row, live=(worker(row.id, 1, "a"),)) for row in old[:3]]
    late = job(1000, project=2, submitted_at=NOW - timedelta(minutes=80))
    assert plan([*old, late], [Node("a", True, 4)], NOW) == [Placement(1000, 1, "a")]


def test_a_job_that_nobody_can_start_does_not_keep_others_from_rising() -> None:
    stuck = job(1, priority=1000, node="gone")
    old, new = job(2, submitted_at=NOW - timedelta(hours=3)), job(3, priority=5)
    assert plan([stuck, old, new], [Node("a", True, 1)], NOW) == [Placement(2, 1, "a")]


def test_a_wide_job_gets_its_place_although_another_waits_for_one_node_only() -> None:
    nodes = [Node("x", True, 1), Node("y", True, 4)]
    endless = [job(1, live=(worker(1, 1, "x"),)), job(2, live=(worker(2, 1, "y"),))]
    decided = schedule([*endless, job(3, node="x"), job(4, slots_each=4), job(5)], nodes, NOW)
    assert decided.placements == []
    assert decided.waiting == {
        3: "Waiting: no node with a free slot.",
        4: "Waiting: no node with 4 free slots.",
        5: "Waiting: the free slots are kept for job 4, whose turn is before.",
    }


def test_a_worker_may_need_several_slots_of_one_node() -> None:
    wide = job(1, slots_each=2)
    assert plan([wide], [Node("a", True, 1), Node("b", True, 1)], NOW) == []
    assert plan([wide, job(2)], [Node("a", True, 3)], NOW) == [Placement(1, 1, "a"), Placement(2, 1, "a")]


def running(number: int, *, minutes: int, node: str = "a", ran: int = 0) -> Job:
    since = NOW - timedelta(minutes=ran)
    length = timedelta(minutes=minutes)
    return job(number, wall_time=length, running_since=since, live=(worker(number, 1, node),))


def test_a_short_job_fills_the_gap_before_a_wide_one_and_a_long_one_does_not() -> None:
    node, first = [Node("a", True, 2)], running(1, minutes=30)
    wide = job(2, slots_each=2)
    short, long = job(3, wall_time=timedelta(minutes=30)), job(4, wall_time=timedelta(minutes=31))
    assert plan([first, wide, long, job(5), short], node, NOW) == [Placement(3, 1, "a")]
    assert schedule([first, wide, long], node, NOW).waiting == {
        2: "Waiting: no node with 2 free slots.",
        4: "Waiting: the free slots are kept for job 2, whose turn is before.",
    }


def test_what_the_wide_job_leaves_over_is_free_for_everybody() -> None:
    node, first = [Node("a", True, 4)], running(1, minutes=30)
    assert plan([replace(first, slots_each=2), job(2, slots_each=3), job(3), job(4)], node, NOW) == [
        Placement(3, 1, "a")
    ]


def test_where_nobody_knows_the_end_only_jobs_with_a_wall_time_fill_the_gap() -> None:
    endless = job(1, live=(worker(1, 1, "a"),))
    wide, bounded = job(2, slots_each=2), job(4, wall_time=timedelta(hours=9))
    assert plan([endless, wide, job(3), bounded], [Node("a", True, 2)], NOW) == [Placement(4, 1, "a")]


def test_a_job_whose_wall_time_is_over_gets_no_more_workers() -> None:
    assert plan([job(1, wall_time=timedelta(minutes=5), ran=timedelta(minutes=5))], [Node("a", True, 1)], NOW) == []


def test_says_why_a_job_waits() -> None:
    full = [Node("a", True, 1), Node("b", False, 1, condition="draining")]
    assert why_waiting(job(1), full, NOW) == "Waiting: no node with a free slot."
    assert why_waiting(job(1, slots=SlotKind.BROWSER), full, NOW) == (
        "Waiting: no node that is online has a browser slot. "
        "Install chromium and chromium-driver on one and restart Gleaner there, or choose the lane “http”."
    )
    assert why_waiting(job(1, slots=SlotKind.BROWSER, slots_each=2), [Node("a", True, 1, 1)], NOW) == (
        "Waiting: no node that is online has 2 browser slots."
    )
    assert why_waiting(job(1, slots=SlotKind.BROWSER, node="a"), [*full, Node("c", True, 1, 1)], NOW) == (
        "Waiting: the node a does not have a browser slot."
    )
    assert (
        why_waiting(job(1, slots=SlotKind.BROWSER), [Node("a", True, 1, 1)], NOW)
        == "Waiting: no node with a free browser slot."
    )
    assert why_waiting(job(1, node="b"), full, NOW) == "Waiting: the node b is draining."
    assert why_waiting(job(1, node="c"), full, NOW) == "Waiting: there is no node c."
    assert "2026-01-01 01:00" in why_waiting(job(1, earliest_start=NOW + timedelta(hours=1)), full, NOW)


def test_a_node_that_cannot_be_told_gets_no_workers_and_people_know_why() -> None:
    far, near = Node("far", True, 9, is_within_reach=False), Node("near", True, 1)
    told = "Waiting: Redis does not answer, so nodes cannot be told to begin."
    decided = schedule([job(1), job(2, node="far"), job(3, slots=SlotKind.BROWSER)], [far, near], NOW)
    assert decided.placements == [Placement(1, 1, "near")]
    assert decided.waiting[2] == told
    assert decided.waiting[3].startswith("Waiting: no node that is online has a browser slot.")
    assert schedule([job(1)], [far], NOW).waiting == {1: told}


def test_says_how_many_workers_a_job_misses() -> None:
    half = schedule([job(1, workers=3)], [Node("a", True, 2)], NOW)
    assert half.waiting == {1: "2 of 3 workers have a place. Waiting: no node with a free slot."}
    third = schedule([job(1, workers=3)], [Node("a", True, 1)], NOW)
    assert third.waiting == {1: "1 of 3 workers has a place. Waiting: no node with a free slot."}


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
        project=st.integers(1, 3),
        slots_each=st.integers(1, 3),
        wall_time=st.sampled_from([None, timedelta(minutes=5), timedelta(hours=1)]),
        slots=st.sampled_from(SlotKind),
        wish=st.sampled_from([Wish.RUN, Wish.RUN, Wish.STOP]),
        node=st.sampled_from([None, None, "a"]),
        crashes=st.integers(0, 6),
        avoid=st.frozensets(st.sampled_from("abcde"), max_size=3),
    ),
    max_size=8,
    unique_by=lambda row: row.id,
)


def slots_taken(jobs: list[Job], placements: list[Placement]) -> Counter[tuple[str, SlotKind]]:
    by_id = {row.id: row for row in jobs}
    taken: Counter[tuple[str, SlotKind]] = Counter()
    for placement in placements:
        row = by_id[placement.job_id]
        taken[placement.node, row.slots] += row.slots_each
    return taken


@given(jobs=jobs_strategy, nodes=nodes_strategy)
def test_no_node_gets_more_than_its_slots_and_no_worker_is_placed_twice(jobs: list[Job], nodes: list[Node]) -> None:
    by_name = {node.name: node for node in nodes}
    placements = plan(jobs, nodes, NOW)
    for (name, kind), count in slots_taken(jobs, placements).items():
        assert by_name[name].is_online
        assert count <= by_name[name].slots(kind)
    assert len({(placement.job_id, placement.worker) for placement in placements}) == len(placements)


@given(jobs=jobs_strategy, nodes=nodes_strategy)
def test_the_order_of_asking_does_not_matter(jobs: list[Job], nodes: list[Node]) -> None:
    assert schedule(jobs[::-1], nodes[::-1], NOW) == schedule(jobs, nodes, NOW)


@given(jobs=jobs_strategy, nodes=nodes_strategy)
def test_nobody_waits_beside_a_free_slot_that_is_not_kept_for_another(jobs: list[Job], nodes: list[Node]) -> None:
    decided = schedule(jobs, nodes, NOW)
    taken = slots_taken(jobs, list(decided.placements))
    placed = Counter(placement.job_id for placement in decided.placements)
    for row in jobs:
        if row.wish is Wish.RUN and placed[row.id] < row.workers and "are kept for" not in decided.waiting[row.id]:
            possible = [node for node in nodes if fits(row, node)]
            if is_holding_out(row, nodes):
                possible = [node for node in possible if node.name not in row.avoid]
            assert all(node.slots(row.slots) - taken[node.name, row.slots] < row.slots_each for node in possible)


@given(jobs=jobs_strategy, nodes=nodes_strategy)
def test_where_workers_crashed_others_go_only_when_there_is_no_room_elsewhere(
    jobs: list[Job], nodes: list[Node]
) -> None:
    decided = schedule(jobs, nodes, NOW)
    taken, by_id = slots_taken(jobs, list(decided.placements)), {row.id: row for row in jobs}
    kept = {by_id[number].slots for number in decided.waiting}
    for placement in decided.placements:
        row = by_id[placement.job_id]
        if placement.node in row.avoid and row.slots not in kept:
            others = [node for node in nodes if fits(row, node) and node.name not in row.avoid]
            assert all(node.slots(row.slots) - taken[node.name, row.slots] < row.slots_each for node in others)
            assert not (others and row.has_crashed_enough)


@given(jobs=jobs_strategy, rooms=st.lists(st.integers(1, 9), min_size=2, max_size=4), bad=st.integers(0, 3))
def test_one_bad_node_costs_a_job_some_crashes_and_never_its_end(jobs: list[Job], rooms: list[int], bad: int) -> None:
    """Workers die at once on one node; wherever else they come, the job ends well."""
    nodes = [Node(name, True, room, room) for name, room in zip("abcd", rooms, strict=False)]
    bad_node = nodes[bad % len(nodes)].name
    waiting = {
        row.id: replace(row, node=None, slots_each=1, wish=Wish.RUN, crashes=0, avoid=frozenset()) for row in jobs
    }
    for _ in range(sum(row.workers for row in waiting.values()) * 10):
        for placement in plan(list(waiting.values()), nodes, NOW):
            row = waiting.get(placement.job_id)
            if row is not None and placement.node == bad_node:
                waiting[row.id] = replace(row, crashes=row.crashes + 1, avoid=row.avoid | {bad_node})
            elif row is not None:
                del waiting[row.id]
        assert [row for row in waiting.values() if settle(row, nodes)] == []
    assert waiting == {}


ages = st.integers(0, 10).map(lambda half_hours: NOW - half_hours * timedelta(minutes=30))


@given(waiting=st.lists(st.tuples(st.integers(1, 3), ages), max_size=12), slots=st.integers(1, 12))
def test_of_equal_priorities_the_project_with_the_fewest_slots_goes_first_however_long_others_wait(
    waiting: list[tuple[int, datetime]], slots: int
) -> None:
    rows = {number: job(number, project=project, submitted_at=since) for number, (project, since) in enumerate(waiting)}
    left, usage = Counter(row.project for row in rows.values()), Counter[int]()
    for placement in plan(list(rows.values()), [Node("a", True, slots)], NOW):
        project = rows[placement.job_id].project
        assert usage[project] == min(usage[other] for other in left if left[other])
        usage[project] += 1
        left[project] -= 1
