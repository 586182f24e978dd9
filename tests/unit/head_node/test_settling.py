"""What becomes of jobs whose workers are gone."""

from datetime import UTC, datetime

import pytest

from head_node.contracts import MAX_CRASHES, Ending, Job, LiveWorker, Node, Settlement, Wish
from head_node.settling import PAUSED, STOPPED, settle

NOW = datetime(2026, 1, 1, tzinfo=UTC)
WORKER = LiveWorker(placement_id=1, job_id=1, node="a", number=1, placed_at=NOW)


def job(**changes: object) -> Job:
    return Job(id=1, submitted_at=NOW, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize("wish", Wish)
def test_a_job_with_a_worker_is_left_alone(wish: Wish) -> None:
    assert settle(job(wish=wish, live=(WORKER,), ending=Ending.COMPLETED)) is None


def test_a_job_that_said_it_is_done_is_finished() -> None:
    done = job(ending=Ending.COMPLETED, reason="All pages visited.", wish=Wish.STOP)
    assert settle(done) == Settlement(1, Ending.COMPLETED, "All pages visited.")


def test_a_stop_without_workers_takes_effect_at_once() -> None:
    assert settle(job(wish=Wish.STOP)) == Settlement(1, Ending.EXIT, STOPPED)


def test_a_pause_holds_the_job_until_it_is_resumed_or_stopped() -> None:
    assert settle(job(wish=Wish.PAUSE)) == Settlement(1, Ending.NONE, PAUSED, is_held=True)
    assert settle(job(wish=Wish.PAUSE, is_held=True)) is None
    assert settle(job(wish=Wish.STOP, is_held=True)) == Settlement(1, Ending.EXIT, STOPPED)


def test_a_wish_that_was_no_persons_tells_its_own_reason() -> None:
    full = "The disk is nearly full."
    assert settle(job(wish=Wish.PAUSE, wish_reason=full)) == Settlement(1, Ending.NONE, full, is_held=True)
    assert settle(job(wish=Wish.STOP, wish_reason=full)) == Settlement(1, Ending.EXIT, full)


def test_a_job_that_kills_its_workers_is_given_up() -> None:
    assert settle(job(crashes=MAX_CRASHES - 1)) is None
    given_up = settle(job(crashes=MAX_CRASHES))
    assert given_up is not None
    assert given_up.ending is Ending.EXIT
    assert "crashed 5 times" in given_up.reason


def test_a_job_that_is_given_up_shows_the_end_of_its_log() -> None:
    given_up = settle(job(crashes=MAX_CRASHES, last_words="MemoryError: page 7"))
    assert given_up is not None
    assert given_up.reason.endswith("\n\nMemoryError: page 7")


def test_a_job_is_given_up_only_when_it_crashed_on_every_node_that_it_could_go_to() -> None:
    bad, good = Node("bad", True, 4), Node("good", True, 1)
    crashed = job(crashes=MAX_CRASHES, avoid=frozenset({"bad"}))
    assert settle(crashed, [bad, good]) is None
    for elsewhere in ([bad], [bad, Node("good", False, 1)], [bad, Node("small", True, 0)]):
        given_up = settle(crashed, elsewhere)
        assert given_up is not None
        assert "crashed 5 times in a row on bad, so" in given_up.reason
    assert settle(job(crashes=MAX_CRASHES, avoid=frozenset({"bad", "good"})), [bad, good]) is not None
    assert settle(job(crashes=MAX_CRASHES, avoid=frozenset({"bad"}), node="bad"), [bad, good]) is not None
