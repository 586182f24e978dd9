"""Occurrences of terms → three byte streams: dictionary, postings, positions.

Postings of a term: for each document `varint(gap << 1 | rare)`; `rare` is 0 when the term occurs once, in the segment's
commonest field. Otherwise one byte `field << 4 | tf` follows or, when that does not fit, `0x80 | fields` and
`varint(field) varint(tf)` for each field. Positions of a term: for each document and field `varint(gap)` tf times.
Dictionary: blocks of 16 terms, front-coded: `shared, suffix length, suffix, varint(df), varint(postings bytes),
varint(positions bytes)`; a head per block says where its three streams begin.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.search_engine.compilation import kernel
from backend.search_engine.index.occurrences import (
    DOCUMENT_SHIFT,
    FIELD_MASK,
    MAX_POSITION,
    POSITION_BITS,
    Occurrences,
)
from backend.search_engine.signatures import I8, R_I8, R_U1, THREE_I8, W_I8, W_U1, W_U4

TERMS_PER_BLOCK: Final = 16
MAX_TERM_BYTES: Final = 255
_HEAD: Final = 3


class Streams(NamedTuple):
    """What a segment keeps of its terms."""

    heads: NDArray[np.uint32]
    dictionary: NDArray[np.uint8]
    postings: NDArray[np.uint8]
    positions: NDArray[np.uint8]


@kernel(I8(W_U1, I8, I8))
def put_varint(out, at, value):  # type: ignore[no-untyped-def]
    """Write seven bits a byte, low first; returns where the next byte goes."""
    while value >= 0x80:
        out[at] = (value & 0x7F) | 0x80
        value >>= 7
        at += 1
    out[at] = value
    return at + 1


@kernel(I8(W_U1, I8, I8, R_I8))
def _put_frequencies(out, at, present, frequencies):  # type: ignore[no-untyped-def]
    """Write the term frequencies of a posting that is not the common case; returns where the next byte goes."""
    if present == 1:
        for field in range(frequencies.size):
            tf = frequencies[field]
            if tf > 0 and field < 8 and tf < 16:
                out[at] = field << 4 | tf
                return at + 1
    out[at] = 0x80 | present
    at += 1
    for field in range(frequencies.size):
        if frequencies[field] > 0:
            at = put_varint(out, at, field)
            at = put_varint(out, at, frequencies[field])
    return at


@kernel(THREE_I8(I8, I8, R_I8, I8, W_I8, W_U1, I8, W_U1, I8))
def _put_term(start, end, occurrences, common, frequencies, postings, at, places, place_at):  # type: ignore[no-untyped-def]
    """Write one term's postings and positions; returns its df and the ends of both streams."""
    df = 0
    previous = 0
    i = start
    while i < end:
        document = occurrences[i] >> DOCUMENT_SHIFT
        frequencies[:] = 0
        present = 0
        while i < end and occurrences[i] >> DOCUMENT_SHIFT == document:
            owner = occurrences[i] >> POSITION_BITS
            last = 0
            present += 1
            tf = 0
            while i < end and occurrences[i] >> POSITION_BITS == owner:
                position = max(occurrences[i] & MAX_POSITION, last)
                place_at = put_varint(places, place_at, position - last)
                last = position
                tf += 1
                i += 1
            frequencies[owner & FIELD_MASK] = tf
        rare = 0 if present == 1 and frequencies[common] == 1 else 1
        at = put_varint(postings, at, (document - previous) << 1 | rare)
        if rare:
            at = _put_frequencies(postings, at, present, frequencies)
        previous = document
        df += 1
    return df, at, place_at


@kernel(I8(R_U1, I8, I8, I8, I8))
def _shared_bytes(terms, a, a_end, b, b_end):  # type: ignore[no-untyped-def]
    limit = min(a_end - a, b_end - b)
    shared = 0
    while shared < limit and terms[a + shared] == terms[b + shared]:
        shared += 1
    return shared


@kernel(THREE_I8(R_U1, R_I8, R_I8, R_I8, I8, I8, W_U4, W_U1, W_U1, W_U1))
def _encode(  # type: ignore[no-untyped-def]
    terms, offsets, starts, occurrences, field_count, common, heads, dictionary, postings, places
):
    frequencies = np.zeros(field_count, dtype=np.int64)
    at, posting_at, place_at = 0, 0, 0
    for term in range(starts.size - 1):
        shared = 0
        if term % TERMS_PER_BLOCK == 0:
            head = term // TERMS_PER_BLOCK * _HEAD
            heads[head], heads[head + 1], heads[head + 2] = at, posting_at, place_at
        else:
            shared = _shared_bytes(terms, offsets[term - 1], offsets[term], offsets[term], offsets[term + 1])
        df, posting_end, place_end = _put_term(
            starts[term],
            starts[term + 1],
            occurrences,
            common,
            frequencies,
            postings,
            posting_at,
            places,
            place_at,
        )
        length = offsets[term + 1] - offsets[term]
        dictionary[at], dictionary[at + 1] = shared, length - shared
        at += 2
        for i in range(offsets[term] + shared, offsets[term + 1]):
            dictionary[at] = terms[i]
            at += 1
        at = put_varint(dictionary, at, df)
        at = put_varint(dictionary, at, posting_end - posting_at)
        at = put_varint(dictionary, at, place_end - place_at)
        posting_at, place_at = posting_end, place_end
    return at, posting_at, place_at


def encode(found: Occurrences, *, field_count: int, common: int) -> Streams:
    """The streams of a segment's terms."""
    count = len(found.starts) - 1
    occurrences = len(found.places)
    heads = np.zeros(-(-count // TERMS_PER_BLOCK) * _HEAD, dtype=np.uint32)
    dictionary = np.empty(len(found.terms) + 17 * count, dtype=np.uint8)
    # At most 3 bytes for a gap, 1 for the fields, and 2 + 5 for each occurrence that opens a field.
    postings = np.empty(11 * occurrences + 16, dtype=np.uint8)
    places = np.empty(3 * occurrences, dtype=np.uint8)
    ends = _encode(*found, field_count, common, heads, dictionary, postings, places)
    return Streams(heads, dictionary[: ends[0]], postings[: ends[1]], places[: ends[2]])
