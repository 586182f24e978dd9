"""What other pages call a page: the texts of the links that lead to it, counted."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.search_engine.links.graph import Numbers

MAX_ANCHOR_CHARS: Final = 200
MAX_TEXTS: Final = 5_000_000


class Anchor(NamedTuple):
    """A text, and on how many links to the page it stands."""

    text: str
    links: int


@dataclass(frozen=True, slots=True)
class AnchorTexts:
    """Distinct texts by page: those of page `p` lie at `starts[p]` to `starts[p + 1]`, the commonest first."""

    texts: Sequence[str]
    starts: NDArray[np.int64]
    numbers: Numbers
    counts: Numbers

    def of(self, page: int, *, limit: int = 20) -> tuple[Anchor, ...]:
        """The commonest texts that lead to a page; of equally common ones that first met comes first."""
        begin = int(self.starts[page])
        end = min(int(self.starts[page + 1]), begin + limit)
        return tuple(Anchor(self.texts[self.numbers[i]], int(self.counts[i])) for i in range(begin, end))


class AnchorBook:
    """Collects anchor texts at eight bytes a link; a text is kept once, however many links have it.

    At most `max_texts` different ones: what comes after that is left out, and `left_out` counts it.
    """

    def __init__(self, *, max_texts: int = MAX_TEXTS) -> None:
        self._max_texts = max_texts
        self._numbers: dict[str, int] = {}
        self._targets: list[Numbers] = []
        self._texts: list[Numbers] = []
        self.left_out = 0

    def add(self, targets: Numbers, texts: Sequence[str]) -> None:
        """Links to numbered pages with what they say; a negative number and an empty text are left out."""
        places = [i for i, target in enumerate(targets.tolist()) if target >= 0 and texts[i]]
        numbers = np.array([self._number(texts[i][:MAX_ANCHOR_CHARS]) for i in places], dtype=np.int32)
        known = numbers >= 0
        self.left_out += int(len(numbers) - known.sum())
        self._targets.append(targets[np.array(places, dtype=np.intp)[known]].astype(np.int32, copy=False))
        self._texts.append(numbers[known])

    def by_page(self, pages: int) -> AnchorTexts:
        """Everything added, counted by page."""
        pairs, counts = _counted(self._pairs())
        order = np.lexsort((-counts, (pairs >> 32).astype(np.int32)))
        pairs, counts = pairs[order], counts[order]
        starts = np.zeros(pages + 1, dtype=np.int64)
        np.cumsum(np.bincount(pairs >> 32, minlength=pages), out=starts[1:])
        numbers = (pairs & 0xFFFFFFFF).astype(np.int32)
        return AnchorTexts(list(self._numbers), starts, numbers, counts)

    def _pairs(self) -> NDArray[np.int64]:
        """(page, text) of every link in one number, sorted; the links are forgotten here."""
        pairs = _joined(self._targets).astype(np.int64)
        self._targets = []
        pairs <<= 32
        pairs |= _joined(self._texts)
        self._texts = []
        pairs.sort()
        return pairs

    def _number(self, text: str) -> int:
        known = self._numbers.get(text)
        if known is not None:
            return known
        if len(self._numbers) >= self._max_texts:
            return -1
        self._numbers[text] = len(self._numbers)
        return len(self._numbers) - 1


def _counted(pairs: NDArray[np.int64]) -> tuple[NDArray[np.int64], Numbers]:
    """Each of the sorted numbers once, and how often it was there."""
    if not len(pairs):
        return pairs, np.zeros(0, dtype=np.int32)
    firsts = np.flatnonzero(np.concatenate(([True], pairs[1:] != pairs[:-1])))
    return pairs[firsts], np.diff(firsts, append=len(pairs)).astype(np.int32)


def _joined(parts: list[Numbers]) -> Numbers:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int32)
