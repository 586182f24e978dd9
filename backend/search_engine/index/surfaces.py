"""Written forms met while building: each is analysed once, then a token costs one look-up in a compiled table."""

import threading
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.search_engine.index.forms import FormTable, Tokens
from backend.search_engine.text.analysis import Analyzer

DROPPED: Final = -1
_MAX_TERM_BYTES: Final = 250
_MAX_SURFACES: Final = 3_000_000
_HEAD_BYTES: Final = 24


class Sorting(NamedTuple):
    """Different byte strings in order: their indices, and their first bytes, which NumPy can sort."""

    order: NDArray[np.int64]
    heads: NDArray[np.bytes_]

    @classmethod
    def none(cls) -> "Sorting":
        return cls(np.empty(0, dtype=np.int64), np.empty(0, dtype=f"S{_HEAD_BYTES}"))

    def with_more(self, terms: Sequence[bytes]) -> "Sorting":
        """All of `terms`, the first of which are those sorted already."""
        known = len(self.order)
        more = np.array(terms[known:], dtype=self.heads.dtype)
        order = np.argsort(more, kind="stable")
        more = more[order]
        places = np.searchsorted(self.heads, more, side="right")
        merged = Sorting(np.insert(self.order, places, order + known), np.insert(self.heads, places, more))
        merged._order_ties(terms)
        return merged

    def _order_ties(self, terms: Sequence[bytes]) -> None:
        order, is_tie = self.order, self.heads[1:] == self.heads[:-1]
        starts = np.flatnonzero(is_tie & ~np.concatenate(([False], is_tie[:-1])))
        ends = np.flatnonzero(is_tie & ~np.concatenate((is_tie[1:], [False]))) + 2
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
            order[start:end] = sorted(order[start:end].tolist(), key=terms.__getitem__)


def sorted_order(terms: Sequence[bytes]) -> NDArray[np.int64]:
    """The indices of different byte strings in the order of their bytes."""
    return Sorting.none().with_more(terms).order


class Vocabulary:
    """The terms met so far, numbered as they came. May be read while another thread adds more."""

    def __init__(self) -> None:
        self.term_bytes: list[bytes] = []
        self._numbers: dict[str, int] = {}
        self._sorted = Sorting.none()
        """All terms as far as they were known when their order was last needed."""
        self._ordering = threading.Lock()

    def numbers(self, terms: Sequence[str]) -> list[int]:
        """The numbers of these terms, given now to those that are new."""
        known = map(self._numbers.get, terms)
        return [self.number(term) if number is None else number for term, number in zip(terms, known, strict=True)]

    def number(self, term: str) -> int:
        """The number of a term, given now when it is new."""
        number = self._numbers.get(term)
        if number is None:
            if not term:
                return DROPPED
            data = cut_term(term)
            if len(data) != len(term) and data.decode() != term:  # two long terms may be the same once they are cut
                number = self.number(data.decode())
            else:
                number = len(self.term_bytes)
                self.term_bytes.append(data)
            self._numbers[term] = number
        return number

    def ordered(self, is_used: NDArray[np.bool_]) -> NDArray[np.int64]:
        """The numbers of the used terms, sorted by the terms' bytes."""
        if 8 * np.count_nonzero(is_used) < len(self.term_bytes):  # a small commit after large ones
            used = np.flatnonzero(is_used)
            return used[sorted_order([self.term_bytes[number] for number in used.tolist()])]
        with self._ordering:
            if len(self._sorted.order) < len(is_used):
                self._sorted = self._sorted.with_more(self.term_bytes[: len(is_used)])
            order = self._sorted.order
        if len(order) > len(is_used):
            order = order[order < len(is_used)]
        return order[is_used[order]]


class Scanned(NamedTuple):
    """The tokens of some texts, and what their forms stand for."""

    tokens: Tokens
    terms: NDArray[np.int32]
    """Per form the number of its term, `DROPPED` for none."""
    term_count: int
    vocabulary: Vocabulary


class _Known:
    """The forms and terms met so far, and which stands for which."""

    def __init__(self) -> None:
        self.forms = FormTable()
        self._vocabulary = Vocabulary()
        self._terms = np.empty(0, dtype=np.int32)
        self._analyzing = threading.Lock()

    def scan(self, texts: list[bytes], analyzer: Analyzer) -> Scanned:
        tokens = self.forms.tokens(texts)
        with self._analyzing:
            self._analyze_new(analyzer)
            return Scanned(tokens, self._terms, len(self._vocabulary.term_bytes), self._vocabulary)

    def _analyze_new(self, analyzer: Analyzer) -> None:
        """Give every form met for the first time its term."""
        first, count = len(self._terms), len(self.forms)
        if first == count:
            return
        terms = analyzer.terms_of_forms(*self.forms.forms(first, count))
        numbers = self._vocabulary.numbers(terms)
        self._terms = np.concatenate((self._terms, np.array(numbers, dtype=np.int32)))


class SurfaceTable:
    """Written forms and the terms they stand for, under one analysis. Lives as long as a builder does.

    Threads may scan side by side; what a scan gave stays right whatever another one finds.
    """

    def __init__(self, analyzer: Analyzer) -> None:
        self._analyzer = analyzer
        self._known = _Known()

    def scan(self, texts: list[bytes]) -> Scanned:
        """The tokens of the texts, each form with its term."""
        known = self._known
        if len(known.forms) > _MAX_SURFACES:  # too many: begin anew; what was scanned keeps what it knew
            known = self._known = _Known()
        return known.scan(texts, self._analyzer)


def cut_term(term: str) -> bytes:
    """A term as the dictionary keeps it: UTF-8, cut so that it fits."""
    data = term.encode("utf-8", "replace")
    return data if len(data) <= _MAX_TERM_BYTES else data[:_MAX_TERM_BYTES].decode("utf-8", "ignore").encode()
