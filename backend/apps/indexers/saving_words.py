"""When the suggestions of an index that is followed are written anew: beside the following, which never waits."""

import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from backend.apps.indexers.models import Dictionary, Indexer
from backend.apps.indexers.typing_words import TypingWords, dictionary_names

WORDS_SECONDS = 30.0
WORDS_DUTY = 20.0
"""Suggestions are written anew at most that often, and after that many times as long as the last writing took."""


class WordSaving:
    """Writes suggestions when their words, q or dictionary are others than those of the last time, and only then:
    every search process opens them anew. In a `with` block, whose end waits for what is being written.
    """

    def __init__(self, words: TypingWords, folder: Path, indexer: Indexer, *, sequence: int) -> None:
        self._words, self._folder = words, folder
        self._written, self._sequence = self._version(indexer), sequence
        names = dictionary_names(indexer.dictionary)
        self._is_unsaved = not words.is_saved_with(q=indexer.q, dictionary=names)
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="words")
        self._writing: Future[tuple[float, str]] | None = None
        self._took, self._written_at = 0.0, time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown()

    def save_when_due(self, indexer: Indexer, *, sequence: int) -> None:
        """Begin to write what is new in a thread, but not all the time; raises what went wrong the last time."""
        if self._writing is not None and self._writing.done():
            self._wait()
        rest = max(WORDS_SECONDS, WORDS_DUTY * self._took)
        if self._writing is None and self._is_new(indexer) and time.monotonic() - self._written_at >= rest:
            self._begin(indexer, sequence)

    def save_now(self, indexer: Indexer, *, sequence: int) -> None:
        """All that is new is written when this returns; where only the sequence moved on, only that is noted."""
        self._wait()
        if self._is_new(indexer):
            self._begin(indexer, sequence)
            self._wait()
        elif sequence != self._sequence:
            self._words.save_counts(self._folder, sequence=sequence)

    def _is_new(self, indexer: Indexer) -> bool:
        return self._is_unsaved or self._version(indexer) != self._written

    def _version(self, indexer: Indexer) -> tuple[Any, ...]:
        dictionary = indexer.dictionary
        return self._words.changes, indexer.q, dictionary and (dictionary.pk, dictionary.updated_at)

    def _begin(self, indexer: Indexer, sequence: int) -> None:
        self._written, self._sequence, self._is_unsaved = self._version(indexer), sequence, False
        parts = self._words.copy(), self._folder, sequence, indexer.q, indexer.dictionary
        self._writing = self._pool.submit(_write, *parts)

    def _wait(self) -> None:
        if self._writing is not None:
            writing, self._writing = self._writing, None
            self._took, self._words.saved_with = writing.result()
            self._written_at = time.monotonic()


def _write(words: TypingWords, folder: Path, sequence: int, q: int, dictionary: Dictionary | None) -> tuple[float, str]:
    """Asks the database nothing; how many seconds it took, and what it was written with."""
    begun = time.monotonic()
    words.save(folder, sequence=sequence, q=q, dictionary=dictionary_names(dictionary))
    return time.monotonic() - begun, words.saved_with
