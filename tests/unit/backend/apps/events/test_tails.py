"""Every row is told once, also one that becomes visible after a later one."""

from datetime import UTC, datetime, timedelta

from backend.apps.events.tails import Tail

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def row(identity: int, seconds_before_noon: float) -> tuple[int, datetime]:
    return identity, NOON - timedelta(seconds=seconds_before_noon)


def told(tail: Tail, *rows: tuple[int, datetime], at: datetime = NOON) -> list[int]:
    visible = [each for each in rows if each[0] > tail.position]
    return [each[0] for each in tail.take(visible, at)]


def test_rows_are_told_once() -> None:
    tail = Tail(position=3)
    assert told(tail, row(4, 60), row(5, 1)) == [4, 5]
    assert told(tail, row(4, 60), row(5, 1), row(6, 0)) == [6]


def test_a_row_that_was_committed_late_is_not_skipped() -> None:
    tail = Tail()
    assert told(tail, row(1, 60), row(3, 2)) == [1, 3]
    assert told(tail, row(1, 60), row(2, 3), row(3, 2)) == [2]


def test_what_is_settled_is_forgotten() -> None:
    tail = Tail()
    told(tail, row(1, 60), row(3, 2))
    assert (tail.position, tail.seen) == (1, {3})
    later = NOON + timedelta(minutes=1)
    assert told(tail, row(3, 2), at=later) == []
    assert (tail.position, tail.seen) == (3, set())


def test_it_survives_being_stored() -> None:
    tail = Tail(7, {9, 12})
    assert Tail.from_json(tail.to_json()) == tail
