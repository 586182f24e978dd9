import numpy as np

from backend.search_engine.index.postings import ByteCache


def item(size: int) -> np.ndarray:  # type: ignore[type-arg]
    return np.zeros(size, dtype=np.uint8)


def test_makes_an_item_once() -> None:
    cache = ByteCache(100)
    made = [cache.get((1, "a"), lambda: item(10)) for _ in range(3)]
    assert made[0] is made[1] is made[2]


def test_lets_go_of_what_was_not_used_for_longest() -> None:
    cache = ByteCache(100)
    first = cache.get((1, "a"), lambda: item(40))
    cache.get((1, "b"), lambda: item(40))
    assert cache.get((1, "a"), lambda: item(40)) is first
    cache.get((1, "c"), lambda: item(40))
    assert cache.get((1, "a"), lambda: item(40)) is first
    second = item(40)
    assert cache.get((1, "b"), lambda: second) is second


def test_keeps_one_item_that_is_too_large() -> None:
    cache = ByteCache(10)
    large = cache.get((1, "a"), lambda: item(100))
    assert cache.get((1, "a"), lambda: item(1)) is large


def test_forgets_older_generations() -> None:
    cache = ByteCache(100)
    old, new = cache.get((1, "a"), lambda: item(1)), cache.get((2, "a"), lambda: item(1))
    cache.forget_before(2)
    assert cache.get((2, "a"), lambda: item(1)) is new
    assert cache.get((1, "a"), lambda: item(1)) is not old
