"""What is kept, for how long, and what happens when many ask at once."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from backend.search_engine.query import parse_query
from backend.search_engine.query_cache import QueryCache, cache_key


def test_the_same_question_is_answered_once():
    cache: QueryCache[str] = QueryCache()
    answers = iter(["first", "second"])
    assert [cache.get(1, "tea", lambda: next(answers)) for _ in range(3)] == ["first"] * 3
    assert (cache.hits, cache.misses) == (2, 1)


def test_a_newer_generation_empties_it_and_an_older_one_is_not_kept():
    cache: QueryCache[str] = QueryCache()
    assert cache.get(1, "tea", lambda: "old") == "old"
    assert cache.get(2, "tea", lambda: "new") == "new"
    assert cache.get(1, "tea", lambda: "old again") == "old again"
    assert cache.get(2, "tea", lambda: "never") == "new"


def test_the_longest_unused_answer_goes_first():
    cache: QueryCache[int] = QueryCache(entries=2)
    for key, answer in [("a", 1), ("b", 2), ("a", 0), ("c", 3)]:
        cache.get(1, key, lambda answer=answer: answer)
    assert cache.get(1, "a", lambda: 9) == 1
    assert cache.get(1, "b", lambda: 9) == 9


def test_a_failure_is_not_kept():
    cache: QueryCache[str] = QueryCache()

    def fail() -> str:
        raise TimeoutError("too slow")

    with pytest.raises(TimeoutError, match="too slow"):
        cache.get(1, "tea", fail)
    assert cache.get(1, "tea", lambda: "fine") == "fine"


def test_threads_that_ask_at_once_wait_for_one_computation():
    cache: QueryCache[int] = QueryCache()
    computed, barrier = [], threading.Barrier(4)

    def compute() -> int:
        computed.append(1)
        return 7

    def ask(_: int) -> int:
        barrier.wait()
        return cache.get(1, "tea", compute)

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(ask, range(4))) == [7] * 4
    assert computed == [1]


def test_keys_differ_when_anything_differs():
    tea, boosted = parse_query("tea").root, parse_query("tea^2").root
    assert cache_key(tea, {"k": 1.75}) == cache_key(parse_query("tea").root, {"k": 1.75})
    assert len({cache_key(tea, {}), cache_key(boosted, {}), cache_key(tea, {"k": 1})}) == 3
