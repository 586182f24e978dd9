"""The q-gram index: which words of millions are at most two typing errors from a word, best first."""

import threading
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.search_engine.fuzzy.distance import LETTERS
from backend.search_engine.fuzzy.grams import fill_bags, gram_lists
from backend.search_engine.fuzzy.kernels import DOUBLING, MAX_LETTERS, PER_ERROR, find_near
from backend.search_engine.fuzzy.letters import to_letter_pool, to_letters
from backend.search_engine.fuzzy.storage import read_arrays, write_arrays
from backend.search_engine.fuzzy.tolerance import MAX_DISTANCE, tolerance

DEFAULT_Q: Final = 3
MIN_Q, MAX_Q = 2, 6
_KIND: Final = "fuzzy words"
_MIN_BITS, _MAX_BITS = 12, 20
_MAX_FREQUENCY: Final = 2**32 - 1


class Match(NamedTuple):
    """A known word near the one asked for."""

    word: str
    distance: int
    frequency: int


class FuzzyIndex:
    """Known words with their frequencies, immutable and safe from many threads.

    Words come back as they were given; fold case and accents before, on both sides, if they are not to count as errors.
    """

    def __init__(self, arrays: dict[str, NDArray[Any]], facts: dict[str, Any]) -> None:
        self._arrays = arrays
        self._facts = facts
        self._q, self._bits = int(facts["q"]), int(facts["bits"])
        self._odd = {int(number): word for number, word in facts["odd"].items()}
        self._scratch = threading.local()

    @classmethod
    def build(cls, words: Iterable[tuple[str, int]], *, q: int = DEFAULT_Q) -> "FuzzyIndex":
        """An index of (word, frequency) pairs; a word given twice has the sum. Words over 200 letters are left out."""
        if not MIN_Q <= q <= MAX_Q:
            raise ValueError(f"q must be from {MIN_Q} to {MAX_Q}, not {q}")
        ordered, frequencies = _in_order(words)
        pool, starts = to_letter_pool(ordered)
        bits = min(max(_MIN_BITS, len(pool).bit_length() - 3), _MAX_BITS)
        offsets, lists = gram_lists(pool, starts, q=q, bits=bits)
        arrays = _describe(pool, starts, frequencies) | {"offsets": offsets, "lists": lists}
        odd = {str(number): word for number, word in enumerate(ordered) if _is_odd(word)}
        return cls(arrays, {"q": q, "bits": bits, "odd": odd})

    @classmethod
    def open(cls, path: Path, *, verify: bool = True) -> "FuzzyIndex":
        """Map a saved index; damage raises IndexCorruptError."""
        return cls(*read_arrays(path, kind=_KIND, verify=verify))

    def save(self, path: Path) -> None:
        """Write the index to a file, in place of an older one in one step."""
        write_arrays(path, kind=_KIND, arrays=self._arrays, facts=self._facts)

    def __len__(self) -> int:
        return len(self._arrays["frequencies"])

    @cached_property
    def most_frequent(self) -> int:
        """How often the commonest word occurs."""
        return int(self._arrays["frequencies"].max(initial=0))

    def frequency(self, word: str) -> int:
        """How often a word occurs; 0 when it is unknown."""
        return sum(match.frequency for match in self.find(word, distance=0, limit=1))

    def find(self, word: str, *, distance: int | None = None, limit: int = 5) -> list[Match]:
        """The known words at most `distance` errors away (None: as the word's length allows), best first.

        The word itself comes first if it is known. Of the others each error makes a word count as 32 times rarer,
        and a wrong first letter as 8 times.
        """
        most = tolerance(word) if distance is None else min(distance, MAX_DISTANCE)
        letters = to_letters(word)
        if not 0 < len(letters) <= MAX_LETTERS or limit < 1 or not len(self):
            return []
        numbers, scores = np.empty(limit, dtype=np.int64), np.empty(limit, dtype=np.int64)
        found = self._find(letters, most, numbers, scores)
        return [self._match(*best) for best in zip(numbers[:found].tolist(), scores[:found].tolist(), strict=True)]

    def _find(
        self, letters: NDArray[np.uint16], most: int, numbers: NDArray[np.int64], scores: NDArray[np.int64]
    ) -> int:
        arrays = self._arrays
        masks, eights = self._thread_scratch()
        return int(
            find_near(
                letters,
                most,
                self._q,
                self._bits,
                arrays["pool"],
                arrays["starts"],
                arrays["bags"],
                arrays["weights"],
                arrays["offsets"],
                arrays["lists"],
                arrays["runs"],
                masks,
                eights,
                numbers,
                scores,
            )
        )

    def _thread_scratch(self) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        """Zeros to count in; the kernel leaves them zero."""
        if not hasattr(self._scratch, "masks"):
            self._scratch.masks = np.zeros(LETTERS, dtype=np.uint64)
            self._scratch.eights = np.zeros(len(self) // 8 + 2, dtype=np.uint64)
        return self._scratch.masks, self._scratch.eights

    def _match(self, number: int, score: int) -> Match:
        starts, weight = self._arrays["starts"], int(self._arrays["weights"][number])
        letters = self._arrays["pool"][starts[number] : starts[number + 1]]
        word = self._odd.get(number) or letters.tobytes().decode("utf-16-le")
        return Match(word, max(0, weight - score) // PER_ERROR, int(self._arrays["frequencies"][number]))


def _in_order(words: Iterable[tuple[str, int]]) -> tuple[list[str], NDArray[np.uint32]]:
    """Distinct words by (length, −frequency, word), and their frequencies."""
    sums: dict[str, int] = {}
    for word, frequency in words:
        if 0 < len(word) <= MAX_LETTERS:
            sums[word] = sums.get(word, 0) + frequency
    alphabetic = sorted(sums)
    frequencies = np.array([min(max(sums[word], 0), _MAX_FREQUENCY) for word in alphabetic], dtype=np.uint32)
    lengths = np.fromiter(map(len, alphabetic), dtype=np.int64, count=len(alphabetic))
    order = np.lexsort((-frequencies.astype(np.int64), lengths))
    return [alphabetic[number] for number in order], frequencies[order]


def _describe(
    pool: NDArray[np.uint16], starts: NDArray[np.int64], frequencies: NDArray[np.uint32]
) -> dict[str, NDArray[Any]]:
    lengths = np.diff(starts)
    longest = int(lengths[-1]) if len(lengths) else 0
    bags = np.empty(len(frequencies), dtype=np.uint64)
    fill_bags(pool, starts, bags)
    return {
        "pool": pool,
        "starts": starts,
        "frequencies": frequencies,
        "weights": np.rint(DOUBLING * np.log2(1.0 + frequencies)).astype(np.int32),
        "runs": np.searchsorted(lengths, np.arange(longest + 2)).astype(np.int64),
        "bags": bags,
    }


def _is_odd(word: str) -> bool:
    """Whether a word's letters do not spell it: it has characters that share a letter with others."""
    return to_letters(word).tobytes() != word.encode("utf-16-le", "surrogatepass")
