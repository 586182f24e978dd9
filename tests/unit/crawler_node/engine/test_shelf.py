"""Leases wait on the shelf for their moment, and are known to be late however often they were put back."""

from crawler_node.contracts import Lease, LeaseBatch
from crawler_node.engine.shelf import Appetite, Patience, Shelf


def lease(number: int, host: str = "site.example") -> Lease:
    return Lease(f"https://{host}/{number}", bytes([number]), host, 0, attempt=1, wait_seconds=0.0, fence=number)


def test_the_earliest_comes_first() -> None:
    shelf = Shelf()
    for number, due in ((1, 30.0), (2, 10.0), (3, 20.0)):
        shelf.put(lease(number), due)
    assert [shelf.pop().fence for _ in range(3)] == [2, 3, 1]


def test_a_lease_that_is_put_back_or_parked_stays_as_late_as_it_was() -> None:
    shelf = Shelf()
    shelf.put(lease(1), 10.0)
    shelf.put(shelf.pop(), 15.0)
    assert shelf.lateness(lease(1), 18.0) == 8.0
    shelf.park(shelf.pop())
    shelf.unpark("site.example", 0.0)
    assert len(shelf) == 1
    assert shelf.lateness(lease(1), 40.0) == 30.0


def test_a_lease_that_is_let_go_is_not_late_when_it_comes_again() -> None:
    shelf = Shelf()
    shelf.put(lease(1), 10.0)
    shelf.let_go(shelf.pop())
    shelf.put(lease(1), 50.0)
    assert shelf.lateness(lease(1), 51.0) == 1.0


def test_what_is_taken_is_gone_parked_or_not() -> None:
    shelf = Shelf()
    for number in (1, 2):
        shelf.put(lease(number), 0.0)
    shelf.put(lease(3, host="other.example"), 0.0)
    shelf.park(shelf.pop())
    taken = shelf.take(lambda held: held.host == "site.example")
    assert sorted(held.fence for held in taken) == [1, 2]
    assert [held.fence for _, _, held in shelf.heap] == [3]
    assert not shelf.parked


def test_appetite_is_what_was_used_up_since_the_last_meal() -> None:
    appetite = Appetite()
    appetite.feed(50, shelf=60, now=100.0)
    assert appetite.wanted(shelf=10, now=101.0, seconds=2.0) == 100
    assert appetite.wanted(shelf=10, now=110.0, seconds=2.0) == 10
    assert appetite.low_water == 12
    appetite.feed(0, shelf=0, now=111.0)
    assert (appetite.wanted(shelf=0, now=112.0, seconds=2.0), appetite.low_water) == (0, 0)


def test_patience_grows_while_others_bring_nothing_and_begins_anew_when_they_did() -> None:
    patience, nothing = Patience(), LeaseBatch((), retry_after_seconds=60.0, others_work=True)
    assert [patience.wait_seconds(nothing) for _ in range(5)] == [0.25, 0.5, 1.0, 1.0, 1.0]
    patience.reset()
    assert patience.wait_seconds(nothing) == 0.25


def test_patience_is_short_while_nothing_is_queued_and_hardly_grows() -> None:
    patience, dry = Patience(), LeaseBatch((), retry_after_seconds=60.0, others_work=True, is_dry=True)
    assert [patience.wait_seconds(dry) for _ in range(5)] == [0.03, 0.06, 0.12, 0.24, 0.25]
    patience.reset()
    assert patience.wait_seconds(dry) == 0.03


def test_patience_is_no_longer_than_it_must_be_and_has_an_end() -> None:
    assert Patience().wait_seconds(LeaseBatch((), retry_after_seconds=0.1, others_work=True)) == 0.1
    assert Patience().wait_seconds(LeaseBatch((), retry_after_seconds=3.0)) == 3.0
    assert Patience().wait_seconds(LeaseBatch((), retry_after_seconds=60.0)) == 5.0
