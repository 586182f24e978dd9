"""Where terms occur, sorted by term: what a segment's streams are encoded from.

A place is one number, `document << 25 | field << 20 | position`, so that sorting moves 8 bytes an occurrence.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.search_engine.compilation import kernel
from backend.search_engine.signatures import I8, R_I4, R_I8, W_I4, W_I8

POSITION_BITS: Final = 20
MAX_POSITION: Final = (1 << POSITION_BITS) - 1
FIELD_BITS: Final = 5
FIELD_MASK: Final = (1 << FIELD_BITS) - 1
DOCUMENT_SHIFT: Final = POSITION_BITS + FIELD_BITS


class Occurrences(NamedTuple):
    """Where terms occur, sorted by term and document, fields together. `terms` are sorted byte strings, end to end."""

    terms: NDArray[np.uint8]
    term_offsets: NDArray[np.int64]
    starts: NDArray[np.int64]
    """Per term the first of its occurrences; one more entry at the end."""
    places: NDArray[np.int64]

    @classmethod
    def of(cls, terms: Sequence[bytes], starts: NDArray[np.int64], places: NDArray[np.int64]) -> "Occurrences":
        """Occurrences of these terms, which are sorted."""
        offsets = np.zeros(len(terms) + 1, dtype=np.int64)
        np.cumsum(np.fromiter(map(len, terms), dtype=np.int64, count=len(terms)), out=offsets[1:])
        return cls(np.frombuffer(b"".join(terms) or b"\0", dtype=np.uint8), offsets, starts, places)


@kernel((R_I4, R_I4, R_I8, R_I4, I8, W_I8, W_I4))
def count_tokens(forms, positions, text_ends, terms, fields, counts, lengths):  # type: ignore[no-untyped-def]
    """Count how often each term occurs, and how many words each field of each document has (compounds left out)."""
    documents = text_ends.size // fields
    at = np.int64(0)
    for text in range(text_ends.size):
        words = 0
        while at < text_ends[text]:
            term = terms[forms[at]]
            if term >= 0:
                counts[term] += 1
                words += positions[at] >= 0
            at += 1
        lengths[text % fields * documents + text // fields] = words


@kernel((R_I4, R_I4, R_I8, R_I4, I8, W_I8, W_I8))
def place_tokens(forms, positions, text_ends, terms, fields, cursors, places):  # type: ignore[no-untyped-def]
    """Put each occurrence at its term's cursor: a stable counting sort."""
    at = np.int64(0)
    for text in range(text_ends.size):
        base = np.int64(text // fields) << DOCUMENT_SHIFT | np.int64(text % fields) << POSITION_BITS
        while at < text_ends[text]:
            term = terms[forms[at]]
            if term >= 0:
                position = positions[at] if positions[at] >= 0 else -1 - positions[at]
                places[cursors[term]] = base | np.int64(min(position, MAX_POSITION))
                cursors[term] += 1
            at += 1


@kernel((R_I4, R_I8, W_I8, W_I8))
def _place(ranks, unsorted, cursors, places):  # type: ignore[no-untyped-def]
    for i in range(ranks.size):
        places[cursors[ranks[i]]] = unsorted[i]
        cursors[ranks[i]] += 1


def sort_places(ranks: NDArray[np.int32], places: NDArray[np.int64], terms: Sequence[bytes]) -> Occurrences:
    """Places in order of (document, field, position), each of the term with that rank → in order of terms."""
    starts = np.zeros(len(terms) + 1, dtype=np.int64)
    np.cumsum(np.bincount(ranks, minlength=len(terms)), out=starts[1:])
    sorted_places = np.empty(len(places), dtype=np.int64)
    _place(ranks, places, starts[:-1].copy(), sorted_places)
    return Occurrences.of(terms, starts, sorted_places)
