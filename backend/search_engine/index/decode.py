"""The three byte streams of a segment's terms → postings, impacts, positions. See `encode` for the format."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.search_engine.compilation import inlined, kernel
from backend.search_engine.index.encode import TERMS_PER_BLOCK
from backend.search_engine.signatures import (
    F8,
    I8,
    R_F4_2D,
    R_U1,
    R_U4,
    SIX_I8,
    THREE_I8,
    TWO_I8,
    W_F4,
    W_I4,
    W_I8,
    W_I8_2D,
    W_U1,
    W_U2,
    W_U4,
)

RANGE_BITS: Final = 13
RANGE_DOCS: Final = 1 << RANGE_BITS
"""Queries walk the collection in ranges of so many documents: their accumulator stays in the processor's cache."""
FIELD_SHIFT: Final = 20
"""A decoded position is `field << FIELD_SHIFT | position`."""
SMALLEST_IMPACT: Final = 1e-25
"""A posting's impact is never 0 (a term in every document has idf 0): more than 0 means that a document matches."""
MARK_BITS: Final = 5
"""Every so many postings (as a power of two) a decoded list remembers where they are in the file."""


class TermInfo(NamedTuple):
    """Where one term's streams are."""

    ordinal: int
    df: int
    posting: int
    posting_end: int
    place: int
    place_end: int


@kernel(TWO_I8(R_U1, I8))
def get_varint(data, at):  # type: ignore[no-untyped-def]
    """The number at a byte and where the next one starts."""
    value = np.int64(data[at])
    at += 1
    if value < 0x80:
        return value, at
    value &= 0x7F
    shift = 7
    while True:
        byte = np.int64(data[at])
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


@kernel(THREE_I8(R_U1, I8))
def _get_field(data, at):  # type: ignore[no-untyped-def]
    """A field, how often a term is in it, and where the next byte is."""
    field, tf = np.int64(data[at]), np.int64(data[at + 1])
    at += 2
    if tf >= 0x80:
        tf, at = get_varint(data, at - 1)
    return field, tf, at


@kernel(I8(R_U1, I8, I8, R_U1))
def _compare(data, at, length, wanted):  # type: ignore[no-untyped-def]
    """Less than, equal to or greater than 0 as `data[at:at + length]` sorts before, with or after `wanted`."""
    limit = min(length, wanted.size)
    for i in range(limit):
        if data[at + i] != wanted[i]:
            return np.int64(data[at + i]) - np.int64(wanted[i])
    return length - wanted.size


@kernel(I8(R_U4, R_U1, R_U1))
def block_of(heads, dictionary, wanted):  # type: ignore[no-untyped-def]
    """The last block whose first term is not after `wanted`; -1 when there is none."""
    low, high = 0, heads.size // 3
    while low < high:
        middle = (low + high) // 2
        at = np.int64(heads[3 * middle])
        if _compare(dictionary, at + 2, np.int64(dictionary[at + 1]), wanted) <= 0:
            low = middle + 1
        else:
            high = middle
    return low - 1


@kernel(SIX_I8(R_U4, R_U1, I8, R_U1))
def _find(heads, dictionary, count, wanted):  # type: ignore[no-untyped-def]
    block = block_of(heads, dictionary, wanted)
    if block < 0:
        return -1, 0, 0, 0, 0, 0
    at, posting, place = np.int64(heads[3 * block]), np.int64(heads[3 * block + 1]), np.int64(heads[3 * block + 2])
    term = np.empty(255, dtype=np.uint8)
    first = block * TERMS_PER_BLOCK
    for ordinal in range(first, min(first + TERMS_PER_BLOCK, count)):
        shared, suffix = np.int64(dictionary[at]), np.int64(dictionary[at + 1])
        at += 2
        for i in range(suffix):
            term[shared + i] = dictionary[at + i]
        at += suffix
        df, at = get_varint(dictionary, at)
        posting_bytes, at = get_varint(dictionary, at)
        place_bytes, at = get_varint(dictionary, at)
        order = _compare(term, 0, shared + suffix, wanted)
        if order == 0:
            return ordinal, df, posting, posting + posting_bytes, place, place + place_bytes
        if order > 0:
            break
        posting += posting_bytes
        place += place_bytes
    return -1, 0, 0, 0, 0, 0


def find_term(
    heads: NDArray[np.uint32], dictionary: NDArray[np.uint8], count: int, term: NDArray[np.uint8]
) -> TermInfo | None:
    """Where a term's streams are; None when the segment does not have it."""
    found = _find(heads, dictionary, count, term)
    return None if found[0] < 0 else TermInfo(*found)


@kernel(I8(R_U4, R_U1, I8, I8, R_U1, W_U1, W_I8, W_I8))
def list_terms(heads, dictionary, count, first_block, prefix, blob, offsets, dfs):  # type: ignore[no-untyped-def]
    """Write the terms that begin with `prefix` from a block on, until the arrays are full; returns how many."""
    if count == 0:
        return 0
    term = np.empty(255, dtype=np.uint8)
    at = np.int64(heads[3 * first_block])
    written = 0
    offsets[0] = 0
    for _ in range(first_block * TERMS_PER_BLOCK, count):
        shared, suffix = np.int64(dictionary[at]), np.int64(dictionary[at + 1])
        at += 2
        for i in range(suffix):
            term[shared + i] = dictionary[at + i]
        at += suffix
        length = shared + suffix
        df, at = get_varint(dictionary, at)
        _, at = get_varint(dictionary, at)
        _, at = get_varint(dictionary, at)
        order = _compare(term, 0, min(length, prefix.size), prefix)
        if order > 0:
            break
        if order == 0 and length >= prefix.size:
            start = offsets[written]
            if written == dfs.size or start + length > blob.size:
                break
            for i in range(length):
                blob[start + i] = term[i]
            dfs[written] = df
            written += 1
            offsets[written] = start + length
    return written


@kernel((R_U1, I8, I8, I8, I8, R_U1, I8, W_U1))
def _mark_postings(data, at, df, common, mask, alive, slot, marked):  # type: ignore[no-untyped-def]
    """Set `marked` to 1 for one term's documents that are alive and have it in a field of `mask`."""
    document = np.int64(0)
    for _ in range(df):
        gap, at = get_varint(data, at)
        document += gap >> 1
        is_wanted = mask >> common & 1
        if gap & 1:
            code = np.int64(data[at])
            at += 1
            is_wanted = mask >> (code >> 4) & 1
            if code >= 0x80:
                is_wanted = np.int64(0)
                for _field in range(code & 0x7F):
                    field, _tf, at = _get_field(data, at)
                    is_wanted |= mask >> field & 1
        if is_wanted and (alive.size == 0 or alive[document] != 0):
            marked[slot + document] = 1


@kernel((R_U4, R_U1, I8, I8, R_U1, R_U1, I8, I8, R_U1, I8, W_U1))
def mark_documents(heads, dictionary, first, past, prefix, data, common, mask, alive, slot, marked):  # type: ignore[no-untyped-def]
    """Set `marked` to 1 for the documents of every term from `first` to before `past` that begins with `prefix`.

    Terms are counted in the dictionary, and `first` begins a block of it. Documents are those that `decode_impacts`
    keeps.
    """
    term = np.empty(255, dtype=np.uint8)
    block = first // TERMS_PER_BLOCK
    at, posting = np.int64(heads[3 * block]), np.int64(heads[3 * block + 1])
    for _ in range(first, past):
        shared, suffix = np.int64(dictionary[at]), np.int64(dictionary[at + 1])
        at += 2
        for i in range(suffix):
            term[shared + i] = dictionary[at + i]
        at += suffix
        df, at = get_varint(dictionary, at)
        posting_bytes, at = get_varint(dictionary, at)
        _, at = get_varint(dictionary, at)
        length = shared + suffix
        if length >= prefix.size and _compare(term, 0, prefix.size, prefix) == 0:
            _mark_postings(data, posting, df, common, mask, alive, slot, marked)
        posting += posting_bytes


@kernel(I8(R_U1, I8, I8, I8, W_I4))
def get_frequencies(data, at, rare, common, frequencies):  # type: ignore[no-untyped-def]
    """Read the term frequencies of one posting into an array of zeros; returns where the next posting starts."""
    if not rare:
        frequencies[common] = 1
        return at
    code = np.int64(data[at])
    at += 1
    if code < 0x80:
        frequencies[code >> 4] = code & 15
        return at
    for _ in range(code & 0x7F):
        field, at = get_varint(data, at)
        tf, at = get_varint(data, at)
        frequencies[field] = tf
    return at


@inlined
def _set_mark(marks, posting, slot, begin, common):  # type: ignore[no-untyped-def]
    """Remember where a posting is, if it is the first of a stretch."""
    if posting & (1 << MARK_BITS) - 1 == 0:
        mark = posting >> MARK_BITS
        marks[mark, 0], marks[mark, 1], marks[mark, 2] = slot, begin, common


@kernel(I8(R_U1, I8, I8, I8, I8, R_U1, R_F4_2D, I8, F8, W_U2, W_F4, I8, W_U4, W_F4, W_I8_2D))
def decode_impacts(  # type: ignore[no-untyped-def]
    data, at, df, common, mask, alive, norms, slot, k, docs, impacts, count, pointers, maxima, marks
):
    """Append one segment's postings of a term that are alive and in a field of `mask`; returns the new count.

    `norms[field, slot]` is a field's boost over its length part; an impact is the saturated sum of tf times norm.
    `pointers[r]` gets the count where range r begins; ranges after the last with a posting are left to the caller.
    `marks[m]` gets the slot of the segment's posting `m << MARK_BITS`, where it is in `data`, and `common`.
    """
    document = np.int64(0)
    in_range = slot >> RANGE_BITS
    pointers[in_range] = count
    range_end = ((in_range + 1) << RANGE_BITS) - slot
    best = np.float32(0.0)
    has_common = mask >> common & 1
    for i in range(df):
        begin = at
        gap = np.int64(data[at])
        at += 1
        if gap >= 0x80:
            gap, at = get_varint(data, at - 1)
        document += gap >> 1
        _set_mark(marks, i, slot + document, begin, common)
        weighted = np.float32(0.0)
        if gap & 1 == 0:
            if has_common:
                weighted = norms[common, slot + document]
        else:
            code = np.int64(data[at])
            at += 1
            if code < 0x80:
                if mask >> (code >> 4) & 1:
                    weighted = norms[code >> 4, slot + document] * np.float32(code & 15)
            else:
                for _field in range(code & 0x7F):
                    field, tf, at = _get_field(data, at)
                    if mask >> field & 1:
                        weighted += norms[field, slot + document] * np.float32(tf)
        if weighted == 0.0 or (alive.size > 0 and alive[document] == 0):
            continue
        if document >= range_end:
            maxima[in_range] = best
            best = np.float32(0.0)
            place = slot + document >> RANGE_BITS
            while in_range < place:
                in_range += 1
                pointers[in_range] = count
            range_end = ((in_range + 1) << RANGE_BITS) - slot
        impact = np.float32(np.float64(weighted) * (k + 1.0) / (k + np.float64(weighted)))
        docs[count] = document & (RANGE_DOCS - 1)
        impacts[count] = impact
        best = max(best, impact)
        count += 1
    maxima[in_range] = best
    pointers[in_range + 1] = count
    return count


@kernel(THREE_I8(R_U1, I8, I8, I8, I8, R_U1, R_U1, I8, W_U4, I8, W_U4, I8))
def decode_positions(  # type: ignore[no-untyped-def]
    data, at, df, common, mask, alive, places, place_at, offsets, count, positions, filled
):
    """Append the positions of the postings that `decode_impacts` keeps; returns count, filled, end of the places.

    `offsets[i]` is where posting i's positions begin in `positions`.
    """
    document = np.int64(0)
    for _ in range(df):
        gap, at = get_varint(data, at)
        document += gap >> 1
        is_alive = alive.size == 0 or alive[document] != 0
        before = filled
        field, tf = common, np.int64(1)
        fields, is_listed = 1, False
        if gap & 1:
            code = np.int64(data[at])
            at += 1
            field, tf = code >> 4, code & 15
            is_listed = bool(code >= 0x80)
            fields = int(code & 0x7F) if is_listed else 1
        for _field in range(fields):
            if is_listed:
                field, tf, at = _get_field(data, at)
            is_kept = is_alive and mask >> field & 1
            position = np.int64(0)
            for _occurrence in range(tf):
                step = np.int64(places[place_at])
                place_at += 1
                if step >= 0x80:
                    step, place_at = get_varint(places, place_at - 1)
                position += step
                if is_kept:
                    positions[filled] = field << FIELD_SHIFT | position
                    filled += 1
        if filled > before:
            offsets[count] = before
            count += 1
    offsets[count] = filled
    return count, filled, place_at
