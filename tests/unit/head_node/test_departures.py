"""When a worker is gone, and whose fault that is."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from head_node.contracts import Ending, Job, LiveWorker, Node, Wish
from head_node.departures import CANCEL_PATIENCE, CLAIM_PATIENCE, STOP_PATIENCE, Departure, is_overdue, why_gone

NOW = datetime(2026, 1, 1, tzinfo=UTC)
JOB = Job(id=1, submitted_at=NOW)
NODE = Node("a", True, 1)
LOST = Node("a", False, 1, condition="lost", is_gone=True)
PLACED = LiveWorker(placement_id=1, job_id=1, node="a", number=1, placed_at=NOW)
CLAIMED = replace(PLACED, process_id=7, process_started=1.0, lease_expires_at=NOW + timedelta(seconds=10))
MOMENT = timedelta(seconds=1)


def test_a_worker_that_shows_signs_of_life_is_there() -> None:
    assert why_gone(JOB, CLAIMED, NODE, NOW) is None
    assert why_gone(JOB, CLAIMED, LOST, NOW) is None  # its own lease decides, not that of its node


def test_silence_is_a_crash_unless_the_whole_node_was_lost() -> None:
    late = NOW + timedelta(seconds=11)
    assert why_gone(JOB, CLAIMED, NODE, late) == Departure("It gave no sign of life.", is_crash=True)
    assert why_gone(JOB, CLAIMED, LOST, late) == Departure("The node a was lost.")
    assert why_gone(JOB, CLAIMED, None, late) == Departure("The node a was lost.")


def test_a_worker_that_does_not_begin_is_given_some_time() -> None:
    assert why_gone(JOB, PLACED, NODE, NOW + CLAIM_PATIENCE) is None
    gone = why_gone(JOB, PLACED, NODE, NOW + CLAIM_PATIENCE + MOMENT)
    assert gone == Departure("It did not start in time.", is_crash=True)


@pytest.mark.parametrize("job", [replace(JOB, wish=Wish.STOP), replace(JOB, ending=Ending.COMPLETED)])
def test_a_worker_that_is_not_needed_any_more_never_begins(job: Job) -> None:
    assert why_gone(job, PLACED, NODE, NOW) == Departure("It was not needed any more.")


def test_a_placement_on_a_node_that_was_lost_is_taken_back_at_once() -> None:
    assert why_gone(JOB, PLACED, LOST, NOW) == Departure("The node a was lost before it began.")


def test_who_cancels_need_not_wait_for_pages_in_work() -> None:
    cancelled = replace(JOB, wish=Wish.STOP, wished_at=NOW)
    assert not is_overdue(cancelled, NOW + CANCEL_PATIENCE)
    assert is_overdue(cancelled, NOW + CANCEL_PATIENCE + MOMENT)


@pytest.mark.parametrize(
    "changes", [{"wish": Wish.PAUSE}, {"wish": Wish.STOP, "wish_reason": "Its wall time is over."}]
)
def test_a_pause_and_the_end_of_the_wall_time_are_graceful(changes: dict[str, object]) -> None:
    leaving = replace(JOB, wished_at=NOW, **changes)  # type: ignore[arg-type]
    assert not is_overdue(leaving, NOW + STOP_PATIENCE)
    assert is_overdue(leaving, NOW + STOP_PATIENCE + MOMENT)


def test_who_runs_is_never_overdue() -> None:
    assert not is_overdue(replace(JOB, wished_at=NOW), NOW + timedelta(days=1))
