"""Written forms met while building: each is analysed once, then a token costs one look-up in a compiled table."""

from itertools import pairwise
from typing import Final

import numpy as np
from numba import njit
from numpy.typing import NDArray

from backend.search_engine.signatures import B1, I8, R_I8, R_U1, W_I4, W_I8, W_U1, W_U8
from backend.search_engine.text.analysis import Analyzer
from backend.search_engine.text.characters import character_classes
from backend.search_engine.text.scan import COMPOUND, scan

DROPPED: Final = -1
_MAX_TERM_BYTES: Final = 250
_MAX_SURFACES: Final = 3_000_000
_FIRST_ROOM: Final = 1 << 17
_FNV_OFFSET: Final = np.uint64(14695981039346656037)
_FNV_PRIME: Final = np.uint64(1099511628211)
_NUMBER_BITS: Final = np.uint64(32)
_NUMBER_MASK: Final = np.uint64(0xFFFFFFFF)


@njit(B1(R_U1, I8, I8, W_U1, I8), cache=True, nogil=True)
def _is_same(data, start, end, arena, at):  # type: ignore[no-untyped-def]
    for i in range(start, end):
        byte = data[i]
        if 65 <= byte <= 90:
            byte += 32
        if byte != arena[at + i - start]:
            return False
    return True


@njit(I8(R_U1, I8, I8, W_U8, W_U1, W_I8, W_U1, W_I8, I8), cache=True, nogil=True)
def _intern(data, start, end, table, arena, ends, kinds, counts, kind):  # type: ignore[no-untyped-def]
    """The number of a written form, given now when it is new. ASCII letters are lower-cased on the way.

    An entry of the table is two words, `hash` and `place in the arena << 32 | number`: one cache line tells nearly
    always whether a form is known.
    """
    code = _FNV_OFFSET
    for i in range(start, end):
        byte = data[i]
        if 65 <= byte <= 90:
            byte += 32
        code = (code ^ np.uint64(byte)) * _FNV_PRIME
    code = (code ^ code >> np.uint64(29)) | np.uint64(1)  # 0 marks an empty entry
    mask = np.int64(table.size // 2 - 1)
    at = np.int64(code >> np.uint64(20)) & mask
    while table[2 * at] != 0:
        if table[2 * at] == code:
            known = np.int64(table[2 * at + 1] & _NUMBER_MASK)
            place = np.int64(table[2 * at + 1] >> _NUMBER_BITS)
            if ends[known + 1] - place == end - start and _is_same(data, start, end, arena, place):
                return known
        at = (at + 1) & mask
    number = counts[0]
    place = ends[number]
    table[2 * at] = code
    table[2 * at + 1] = np.uint64(place) << _NUMBER_BITS | np.uint64(number)
    kinds[number] = kind
    for i in range(start, end):
        byte = data[i]
        arena[place] = byte + 32 if 65 <= byte <= 90 else byte
        place += 1
    ends[number + 1] = place
    counts[0] += 1
    return number


@njit(
    I8(R_U1, R_I8, R_U1, W_I4, W_I4, W_I4, W_U1, W_U8, W_U1, W_I8, W_U1, W_I8, W_I4, W_I4, W_I4, I8),
    cache=True,
    nogil=True,
)
def _scan_texts(  # type: ignore[no-untyped-def]
    data,
    bounds,
    classes,
    starts,
    ends,
    places,
    kinds,
    table,
    arena,
    arena_ends,
    surface_kinds,
    counts,
    surfaces,
    texts,
    positions,
    filled,
):
    """Scan texts from number counts[1] on until the table or the output could run full; returns the tokens so far.

    counts[0] is the number of forms, counts[1] becomes the text to go on with.
    """
    for text in range(counts[1], bounds.size - 1):
        size = bounds[text + 1] - bounds[text]
        room = 2 * size + 2
        counts[1] = text
        is_table_full = counts[0] + room > surface_kinds.size or arena_ends[counts[0]] + 4 * size + 8 > arena.size
        if is_table_full or filled + room > surfaces.size:
            return filled
        found = scan(data, bounds[text], bounds[text + 1], classes, starts, ends, places, kinds, 0)
        for i in range(found):
            surfaces[filled] = _intern(
                data, starts[i], ends[i], table, arena, arena_ends, surface_kinds, counts, kinds[i]
            )
            texts[filled] = text
            positions[filled] = places[i] if kinds[i] != COMPOUND else -places[i] - 1
            filled += 1
    counts[1] = bounds.size - 1
    return filled


@njit((W_U8, W_U8), cache=True, nogil=True)
def _rehash(old, table):  # type: ignore[no-untyped-def]
    mask = np.int64(table.size // 2 - 1)
    for entry in range(0, old.size, 2):
        if old[entry] == 0:
            continue
        at = np.int64(old[entry] >> np.uint64(20)) & mask
        while table[2 * at] != 0:
            at = (at + 1) & mask
        table[2 * at], table[2 * at + 1] = old[entry], old[entry + 1]


class SurfaceTable:
    """Written forms and the terms they stand for, under one analysis. Lives as long as a builder does."""

    def __init__(self, analyzer: Analyzer) -> None:
        self._analyzer = analyzer
        self.term_bytes: list[bytes] = []
        self._term_numbers: dict[str, int] = {}
        self._reset()

    def scan(self, texts: list[bytes]) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
        """Per token of the texts: its term's number (`DROPPED` for none), its text's number, its position.

        A compound's position is `-position - 1`.
        """
        data, bounds, longest = _joined(texts)
        room = 2 * longest + 2
        scratch = [np.empty(room, dtype=np.int32) for _ in range(3)] + [np.empty(room, dtype=np.uint8)]
        out = [np.empty(len(data) // 4 + room, dtype=np.int32) for _ in range(3)]
        filled = 0
        self._counts[1] = 0
        while self._counts[1] < len(texts):
            table = self._table, self._arena, self._ends, self._kinds, self._counts
            filled = _scan_texts(data, bounds, character_classes(), *scratch, *table, *out, filled)  # type: ignore[call-arg]
            if self._counts[0] + room > len(self._kinds) or self._ends[self._counts[0]] + 2 * room > len(self._arena):
                self._grow(room)
            if filled + room > len(out[0]):
                out = [np.concatenate((array, np.empty_like(array))) for array in out]
        self._analyze_new()
        surfaces, numbers, positions = (array[:filled] for array in out)
        return self._terms[surfaces], numbers, positions

    def forget_when_large(self) -> None:
        """Drop everything when there are too many forms; only between segments."""
        if self._counts[0] > _MAX_SURFACES:
            self.term_bytes.clear()
            self._term_numbers.clear()
            self._reset()

    def _reset(self) -> None:
        self._resize(_FIRST_ROOM)
        self._terms = np.empty(0, dtype=np.int32)
        self._ends = np.zeros(_FIRST_ROOM + 1, dtype=np.int64)
        self._counts = np.zeros(2, dtype=np.int64)

    def _resize(self, room: int) -> None:
        self._kinds = np.empty(room, dtype=np.uint8)
        self._table = np.zeros(4 * room, dtype=np.uint64)  # at most half full
        self._arena = np.empty(24 * room, dtype=np.uint8)

    def _grow(self, room: int) -> None:
        """Make room for at least `room` more forms."""
        count = int(self._counts[0])
        table, arena, ends, kinds = self._table, self._arena, self._ends, self._kinds
        size = len(kinds) * 2
        while size < count + 2 * room:
            size *= 2
        self._resize(size)
        self._ends = np.zeros(size + 1, dtype=np.int64)
        self._kinds[:count], self._ends[: count + 1] = kinds[:count], ends[: count + 1]
        used = int(ends[count])
        self._arena[:used] = arena[:used]
        _rehash(table, self._table)

    def _analyze_new(self) -> None:
        """Give every form met for the first time its term."""
        first, count = len(self._terms), int(self._counts[0])
        if first == count:
            return
        start = int(self._ends[first])
        written = self._arena[start : int(self._ends[count])].tobytes()
        ends = (self._ends[first : count + 1] - start).tolist()
        forms = [written[a:b].decode("utf-8", "replace") for a, b in pairwise(ends)]
        terms = self._analyzer.terms_of_forms(forms, self._kinds[first:count].tolist())
        numbers = np.fromiter(map(self._number, terms), dtype=np.int32, count=count - first)
        self._terms = np.concatenate((self._terms, numbers))

    def _number(self, term: str) -> int:
        number = self._term_numbers.get(term)
        if number is None:
            if not term:
                return DROPPED
            number = self._term_numbers[term] = len(self.term_bytes)
            self.term_bytes.append(cut_term(term))
        return number


def cut_term(term: str) -> bytes:
    """A term as the dictionary keeps it: UTF-8, cut so that it fits."""
    data = term.encode("utf-8", "replace")
    return data if len(data) <= _MAX_TERM_BYTES else data[:_MAX_TERM_BYTES].decode("utf-8", "ignore").encode()


def _joined(texts: list[bytes]) -> tuple[NDArray[np.uint8], NDArray[np.int64], int]:
    sizes = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
    bounds = np.zeros(len(texts) + 1, dtype=np.int64)
    np.cumsum(sizes, out=bounds[1:])
    data = np.frombuffer(b"".join(texts) or b"\0", dtype=np.uint8)
    return data, bounds, int(sizes.max(initial=0))
