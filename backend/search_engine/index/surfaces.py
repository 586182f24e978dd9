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
_FNV_OFFSET: Final = np.uint64(14695981039346656037)
_FNV_PRIME: Final = np.uint64(1099511628211)


@njit(B1(R_U1, I8, I8, W_U1, I8), cache=True, nogil=True)
def _is_same(data, start, end, arena, at):  # type: ignore[no-untyped-def]
    for i in range(start, end):
        byte = data[i]
        if 65 <= byte <= 90:
            byte += 32
        if byte != arena[at + i - start]:
            return False
    return True


@njit(I8(R_U1, I8, I8, W_U8, W_I4, W_U1, W_I8, W_U1, W_I8, I8), cache=True, nogil=True)
def _intern(data, start, end, hashes, slots, arena, ends, kinds, counts, kind):  # type: ignore[no-untyped-def]
    """The number of a written form, given now when it is new. ASCII letters are lower-cased on the way."""
    code = _FNV_OFFSET
    for i in range(start, end):
        byte = data[i]
        if 65 <= byte <= 90:
            byte += 32
        code = (code ^ np.uint64(byte)) * _FNV_PRIME
    mask = np.int64(slots.size - 1)
    at = np.int64((code ^ code >> np.uint64(29)) & np.uint64(mask))
    while slots[at] >= 0:
        known = np.int64(slots[at])
        is_like = hashes[known] == code and ends[known + 1] - ends[known] == end - start
        if is_like and _is_same(data, start, end, arena, ends[known]):
            return known
        at = (at + 1) & mask
    surface = counts[0]
    slots[at] = surface
    hashes[surface] = code
    kinds[surface] = kind
    place = ends[surface]
    for i in range(start, end):
        byte = data[i]
        arena[place] = byte + 32 if 65 <= byte <= 90 else byte
        place += 1
    ends[surface + 1] = place
    counts[0] += 1
    return surface


@njit(
    I8(R_U1, R_I8, I8, R_U1, W_I4, W_I4, W_I4, W_U1, W_U8, W_I4, W_U1, W_I8, W_U1, W_I8, W_I4, W_I4, W_I4, W_I4, I8),
    cache=True,
    nogil=True,
)
def _scan_texts(  # type: ignore[no-untyped-def]
    data,
    bounds,
    first,
    classes,
    starts,
    ends,
    places,
    kinds,
    hashes,
    slots,
    arena,
    arena_ends,
    surface_kinds,
    counts,
    surfaces,
    texts,
    positions,
    lengths,
    filled,
):
    """Scan texts from `first` on until the table or the output could run full; counts[1] is the text to go on with."""
    for text in range(first, bounds.size - 1):
        size = bounds[text + 1] - bounds[text]
        room = 2 * size + 2
        if (
            filled + room > surfaces.size
            or 2 * (counts[0] + room) > slots.size
            or counts[0] + room > hashes.size
            or arena_ends[counts[0]] + 4 * size + 8 > arena.size
        ):
            counts[1] = text
            return filled
        found = scan(data, bounds[text], bounds[text + 1], classes, starts, ends, places, kinds, 0)
        for i in range(found):
            surfaces[filled] = _intern(
                data, starts[i], ends[i], hashes, slots, arena, arena_ends, surface_kinds, counts, kinds[i]
            )
            texts[filled] = text
            positions[filled] = places[i] if kinds[i] != COMPOUND else -places[i] - 1
            filled += 1
        lengths[text] = found
    counts[1] = bounds.size - 1
    return filled


class SurfaceTable:
    """Written forms and the terms they stand for, under one analysis. Lives as long as a builder does."""

    def __init__(self, analyzer: Analyzer) -> None:
        self._analyzer = analyzer
        self.term_bytes: list[bytes] = []
        self._term_numbers: dict[str, int] = {}
        self._reset()

    def _reset(self) -> None:
        self._resize(1 << 17)
        self._terms = np.empty(0, dtype=np.int32)
        self._ends = np.zeros(self._hashes.size + 1, dtype=np.int64)
        self._counts = np.zeros(2, dtype=np.int64)
        self._slots[:] = -1

    def _resize(self, room: int) -> None:
        self._hashes = np.empty(room, dtype=np.uint64)
        self._kinds = np.empty(room, dtype=np.uint8)
        self._slots = np.full(4 * room, -1, dtype=np.int32)
        self._arena = np.empty(24 * room, dtype=np.uint8)

    def scan(self, texts: list[bytes]) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
        """Per token of the texts: its term's number (`DROPPED` for none), its text's number, its position.

        A compound's position is `-position - 1`.
        """
        data, bounds, longest = _joined(texts)
        room = 2 * longest + 2
        scratch = [np.empty(room, dtype=np.int32) for _ in range(3)] + [np.empty(room, dtype=np.uint8)]
        size = len(data) // 2 + room
        surfaces, numbers, positions = (np.empty(size, dtype=np.int32) for _ in range(3))
        lengths = np.empty(len(texts), dtype=np.int32)
        filled, first = 0, 0
        while first < len(texts):
            filled = _scan_texts(  # type: ignore[call-arg]
                data,
                bounds,
                first,
                character_classes(),
                *scratch,
                self._hashes,
                self._slots,
                self._arena,
                self._ends,
                self._kinds,
                self._counts,
                surfaces,
                numbers,
                positions,
                lengths,
                filled,
            )
            if int(self._counts[1]) == first:
                self._grow(room)
                if filled + room > len(surfaces):
                    surfaces, numbers, positions = (
                        np.concatenate((array, np.empty(size, dtype=np.int32)))
                        for array in (surfaces, numbers, positions)
                    )
            first = int(self._counts[1])
        self._analyze_new()
        return self._terms[surfaces[:filled]], numbers[:filled], positions[:filled]

    def forget_when_large(self) -> None:
        """Drop everything when there are too many forms; only between segments."""
        if self._counts[0] > _MAX_SURFACES:
            self.term_bytes.clear()
            self._term_numbers.clear()
            self._reset()

    def _grow(self, room: int) -> None:
        """Make room for at least `room` more forms."""
        count = int(self._counts[0])
        old = self._hashes, self._kinds, self._arena, self._ends
        size = len(old[0]) * 2
        while size < count + 2 * room:
            size *= 2
        self._resize(size)
        self._ends = np.zeros(size + 1, dtype=np.int64)
        self._hashes[:count], self._kinds[:count] = old[0][:count], old[1][:count]
        self._ends[: count + 1] = old[3][: count + 1]
        used = int(self._ends[count])
        self._arena[:used] = old[2][:used]
        _rehash(self._hashes, count, self._slots)

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
        if not term:
            return DROPPED
        number = self._term_numbers.get(term)
        if number is None:
            number = self._term_numbers[term] = len(self.term_bytes)
            self.term_bytes.append(cut_term(term))
        return number


def cut_term(term: str) -> bytes:
    """A term as the dictionary keeps it: UTF-8, cut so that it fits."""
    data = term.encode("utf-8", "replace")
    return data if len(data) <= _MAX_TERM_BYTES else data[:_MAX_TERM_BYTES].decode("utf-8", "ignore").encode()


@njit((W_U8, I8, W_I4), cache=True, nogil=True)
def _rehash(hashes, count, slots):  # type: ignore[no-untyped-def]
    mask = np.int64(slots.size - 1)
    for surface in range(count):
        code = hashes[surface]
        at = np.int64((code ^ code >> np.uint64(29)) & np.uint64(mask))
        while slots[at] >= 0:
            at = (at + 1) & mask
        slots[at] = surface


def _joined(texts: list[bytes]) -> tuple[NDArray[np.uint8], NDArray[np.int64], int]:
    sizes = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
    bounds = np.zeros(len(texts) + 1, dtype=np.int64)
    np.cumsum(sizes, out=bounds[1:])
    data = np.frombuffer(b"".join(texts) or b"\0", dtype=np.uint8)
    return data, bounds, int(sizes.max(initial=0))
