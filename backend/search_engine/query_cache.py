"""Answers that were asked for before: kept while their generation of the index is the newest."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Any, Final, Generic, TypeVar

Answer = TypeVar("Answer")
DEFAULT_ENTRIES: Final = 1_000


class QueryCache(Generic[Answer]):
    """The last answers of one index, safe from many threads.

    A newer generation empties it: no answer is older than the snapshot it is asked for. Several threads that ask the
    same thing at once wait for one computation; when that fails, each of them gets its error and nothing is kept.
    """

    def __init__(self, entries: int = DEFAULT_ENTRIES) -> None:
        self._entries = entries
        self._generation = -1
        self._answers: OrderedDict[Hashable, Future[Answer]] = OrderedDict()
        self._lock = threading.Lock()
        self.hits = 0
        self.misses = 0

    def get(self, generation: int, key: Hashable, compute: Callable[[], Answer]) -> Answer:
        """The answer for a key in a generation, computed at most once. One for an old generation is not kept."""
        with self._lock:
            if generation > self._generation:
                self._generation = generation
                self._answers.clear()
            known = self._answers.get(key) if generation == self._generation else None
            if known is None:
                self.misses += 1
                promised = self._promise(generation, key)
            else:
                self.hits += 1
                self._answers.move_to_end(key)
        return known.result() if known is not None else self._keep(key, promised, compute)

    def _promise(self, generation: int, key: Hashable) -> "Future[Answer]":
        promised: Future[Answer] = Future()
        if generation == self._generation:
            self._answers[key] = promised
            while len(self._answers) > self._entries:
                self._answers.popitem(last=False)
        return promised

    def _keep(self, key: Hashable, promised: "Future[Answer]", compute: Callable[[], Answer]) -> Answer:
        try:
            answer = compute()
        except BaseException as error:
            with self._lock:
                if self._answers.get(key) is promised:
                    del self._answers[key]
            promised.set_exception(error)
            raise
        promised.set_result(answer)
        return answer


def cache_key(*parts: Any) -> str:
    """A key for values that print all they are made of (queries, rankings, requests) but cannot be hashed."""
    return "\x1f".join(map(repr, parts))
