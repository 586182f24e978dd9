"""The terms of one segment that are near a word, read straight from its dictionary: nothing to build or keep fresh.

A q-gram index over the terms would answer faster, and would have to be built anew for every generation (8 µs a term); a
pass over the dictionary costs some 30 ns a term and is remembered for the life of the segment.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.search_engine.compilation import kernel
from backend.search_engine.fuzzy.distance import LETTERS, clear_pattern, set_pattern
from backend.search_engine.fuzzy.kernels import MAX_LETTERS, measure
from backend.search_engine.fuzzy.letters import to_letters
from backend.search_engine.index.decode import get_varint
from backend.search_engine.index.segment import GroupReader
from backend.search_engine.signatures import I8, R_U1, R_U2, W_I8, W_U1, W_U2, W_U8

_FIRST_ROOM: Final = 1_000
_MAX_TERM_BYTES: Final = 255
_MAX_REMEMBERED: Final = 500
_PRIVATE_USE: Final = 0xE000
_PRIVATE_USE_SIZE: Final = 6_400


class NearTerm(NamedTuple):
    """A term, how many errors it is away, and in how many documents of the segment it is (deleted ones included)."""

    term: str
    distance: int
    df: int


@kernel(I8(R_U1, I8, W_U2))
def _to_letters(term, length, letters):  # type: ignore[no-untyped-def]
    """Write the 16-bit letters of UTF-8 bytes as `fuzzy.letters` defines them; returns how many there are."""
    count, at = 0, 0
    while at < length:
        first = np.int64(term[at])
        width = 1 if first < 0x80 else 2 if first < 0xE0 else 3 if first < 0xF0 else 4
        code = first if width == 1 else first & (0x7F >> width)
        for i in range(at + 1, min(at + width, length)):
            code = code << 6 | np.int64(term[i]) & 0x3F
        letters[count] = code if 0 < code < 0x10000 else _PRIVATE_USE + code % _PRIVATE_USE_SIZE
        count += 1
        at += width
    return count


@kernel(I8(R_U1, I8, R_U2, I8, W_U8, W_U1, W_I8, W_I8, W_I8))
def _scan(dictionary, count, word, most, masks, blob, ends, distances, dfs):  # type: ignore[no-untyped-def]
    """Write the terms near `word`, whose pattern is set in `masks`; returns how many there are, written or not."""
    term, letters = np.empty(_MAX_TERM_BYTES, dtype=np.uint8), np.empty(_MAX_TERM_BYTES, dtype=np.uint16)
    found = 0
    at = np.int64(0)
    ends[0] = 0
    for _ in range(count):
        shared, suffix = np.int64(dictionary[at]), np.int64(dictionary[at + 1])
        at += 2
        for i in range(suffix):
            term[shared + i] = dictionary[at + i]
        at += suffix
        df, at = get_varint(dictionary, at)
        for _stream in range(2):
            while dictionary[at] >= 0x80:
                at += 1
            at += 1
        length = shared + suffix
        if length < word.size - most or length > 4 * (word.size + most):
            continue
        size = _to_letters(term, length, letters)
        if abs(size - word.size) > most or size > MAX_LETTERS:
            continue
        distance = measure(word, letters, 0, size, masks)
        if distance > most:
            continue
        if found < dfs.size:
            ends[found + 1] = ends[found] + length
            blob[ends[found] : ends[found + 1]] = term[:length]
            distances[found], dfs[found] = distance, df
        found += 1
    return found


def near_terms(group: GroupReader, word: str, most: int) -> list[NearTerm]:
    """The terms of a segment's group at most `most` errors from a word, in the order of their bytes."""
    known = group.near.get((word, most))
    if known is None:
        if len(group.near) >= _MAX_REMEMBERED:
            group.near.clear()
        known = group.near[word, most] = _find(group, to_letters(word), most)
    return known


def _find(group: GroupReader, letters: NDArray[np.uint16], most: int) -> list[NearTerm]:
    if not 0 < len(letters) <= MAX_LETTERS or not group.term_count:
        return []
    masks = np.zeros(LETTERS, dtype=np.uint64)
    set_pattern(letters, masks)
    room = _FIRST_ROOM
    while True:
        blob, ends = np.empty(_MAX_TERM_BYTES * room, dtype=np.uint8), np.empty(room + 1, dtype=np.int64)
        distances, dfs = np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64)
        found = _scan(group.dictionary, group.term_count, letters, most, masks, blob, ends, distances, dfs)
        if found <= room:
            break
        room = found
    clear_pattern(letters, masks)
    places = zip(ends[:found].tolist(), ends[1 : found + 1].tolist(), strict=True)
    terms = [blob[start:end].tobytes().decode("utf-8", "replace") for start, end in places]
    return [NearTerm(*each) for each in zip(terms, distances[:found].tolist(), dfs[:found].tolist(), strict=True)]
