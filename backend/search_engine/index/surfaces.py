"""Written forms met while building: each is analysed once, then a token costs one look-up in a compiled table."""

import threading
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.search_engine.index.intern import fill_table, intern_texts
from backend.search_engine.text.analysis import Analyzer
from backend.search_engine.text.characters import character_classes

DROPPED: Final = -1
_MAX_TERM_BYTES: Final = 250
_MAX_SURFACES: Final = 3_000_000
_FIRST_ROOM: Final = 1 << 16
_HEAD_BYTES: Final = 24


class Tokens(NamedTuple):
    """The tokens of some texts, in order."""

    forms: NDArray[np.int32]
    positions: NDArray[np.int32]
    """A compound's position is `-position - 1`."""
    text_ends: NDArray[np.int64]
    """Per text where its tokens end."""


class Vocabulary:
    """The terms met so far, numbered as they came. May be read while another thread adds more."""

    def __init__(self) -> None:
        self.term_bytes: list[bytes] = []
        self._numbers: dict[str, int] = {}
        self._order = np.empty(0, dtype=np.int64)
        """All terms in the order of their bytes, as far as they were known when it was last needed."""
        self._ordering = threading.Lock()

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
            if len(self._order) < len(is_used):
                self._order = sorted_order(self.term_bytes[: len(is_used)])
            order = self._order
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


class SurfaceTable:
    """Written forms and the terms they stand for, under one analysis. Lives as long as a builder does.

    Threads take turns to scan; what a scan gave stays right whatever the next one finds.
    """

    def __init__(self, analyzer: Analyzer) -> None:
        self._analyzer = analyzer
        self._scanning = threading.Lock()
        self._reset()

    def scan(self, texts: list[bytes]) -> Scanned:
        """The tokens of the texts, each form with its term."""
        data, bounds, longest = _joined(texts)
        with self._scanning:
            if self._counts[0] > _MAX_SURFACES:
                self._reset()
            tokens = self._intern(data, bounds, longest)
            self._analyze_new()
            return Scanned(tokens, self._terms, len(self._vocabulary.term_bytes), self._vocabulary)

    def _intern(self, data: NDArray[np.uint8], bounds: NDArray[np.int64], longest: int) -> Tokens:
        room = 2 * longest + 2
        scratch = [np.empty(room, dtype=np.int32) for _ in range(3)] + [np.empty(room, dtype=np.uint8)]
        out = [np.empty(len(data) // 4 + room, dtype=np.int32) for _ in range(2)]
        text_ends = np.zeros(len(bounds) - 1, dtype=np.int64)
        filled = 0
        self._counts[1] = 0
        while self._counts[1] < len(text_ends):
            table = self._table, self._keys, self._arena, self._ends, self._kinds, self._counts
            filled = intern_texts(data, bounds, character_classes(), *scratch, *table, *out, text_ends, filled)
            if self._counts[0] + room > len(self._kinds) or self._ends[self._counts[0]] + 2 * room > len(self._arena):
                self._grow(room)
            if filled + room > len(out[0]):
                out = [np.concatenate((array, np.empty_like(array))) for array in out]
        return Tokens(out[0][:filled], out[1][:filled], text_ends)

    def _reset(self) -> None:
        """Forget all forms: there are none yet, or too many. What was scanned keeps its vocabulary."""
        self._vocabulary = Vocabulary()
        self._terms = np.empty(0, dtype=np.int32)
        self._resize(_FIRST_ROOM)
        self._ends = np.zeros(_FIRST_ROOM + 1, dtype=np.int64)
        self._counts = np.zeros(2, dtype=np.int64)

    def _resize(self, room: int) -> None:
        self._kinds = np.empty(room, dtype=np.uint8)
        self._table = np.zeros(2 * room, dtype=np.uint64)  # at most half full
        self._keys = np.empty(2 * room, dtype=np.uint64)
        self._arena = np.empty(24 * room, dtype=np.uint8)

    def _grow(self, room: int) -> None:
        """Make room for at least `room` more forms."""
        count = int(self._counts[0])
        keys, arena, ends, kinds = self._keys, self._arena, self._ends, self._kinds
        size = len(kinds) * 2
        while size < count + 2 * room:
            size *= 2
        self._resize(size)
        self._ends = np.zeros(size + 1, dtype=np.int64)
        self._kinds[:count], self._ends[: count + 1] = kinds[:count], ends[: count + 1]
        self._keys[: 2 * count] = keys[: 2 * count]
        used = int(ends[count])
        self._arena[:used] = arena[:used]
        fill_table(self._keys, count, self._table)

    def _analyze_new(self) -> None:
        """Give every form met for the first time its term."""
        first, count = len(self._terms), int(self._counts[0])
        if first == count:
            return
        start = int(self._ends[first])
        written = self._arena[start : int(self._ends[count])].tobytes()
        forms = _split(written, (self._ends[first : count + 1] - start).tolist())
        terms = self._analyzer.terms_of_forms(forms, self._kinds[first:count].tolist())
        numbers = np.fromiter(map(self._vocabulary.number, terms), dtype=np.int32, count=count - first)
        self._terms = np.concatenate((self._terms, numbers))


def sorted_order(terms: Sequence[bytes]) -> NDArray[np.int64]:
    """The indices of different byte strings in the order of their bytes."""
    heads = np.array(terms, dtype=f"S{_HEAD_BYTES}")  # cut, so that NumPy can sort them
    order = np.argsort(heads, kind="stable")
    is_tie = heads[order[1:]] == heads[order[:-1]]
    if not is_tie.any():
        return order
    starts = np.flatnonzero(is_tie & ~np.concatenate(([False], is_tie[:-1])))
    ends = np.flatnonzero(is_tie & ~np.concatenate((is_tie[1:], [False]))) + 2
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        order[start:end] = sorted(order[start:end].tolist(), key=terms.__getitem__)
    return order


def cut_term(term: str) -> bytes:
    """A term as the dictionary keeps it: UTF-8, cut so that it fits."""
    data = term.encode("utf-8", "replace")
    return data if len(data) <= _MAX_TERM_BYTES else data[:_MAX_TERM_BYTES].decode("utf-8", "ignore").encode()


def _split(written: bytes, ends: list[int]) -> list[str]:
    if written.isascii():
        text = written.decode()
        return [text[a:b] for a, b in pairwise(ends)]
    return [written[a:b].decode("utf-8", "replace") for a, b in pairwise(ends)]


def _joined(texts: list[bytes]) -> tuple[NDArray[np.uint8], NDArray[np.int64], int]:
    sizes = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
    bounds = np.zeros(len(texts) + 1, dtype=np.int64)
    np.cumsum(sizes, out=bounds[1:])
    data = np.frombuffer(b"".join(texts) or b"\0", dtype=np.uint8)
    return data, bounds, int(sizes.max(initial=0))
