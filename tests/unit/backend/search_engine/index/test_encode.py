"""Streams give back exactly what was encoded, whatever the frequencies, gaps, fields and positions."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.search_engine.index.decode import FIELD_SHIFT, decode_positions, find_term, list_terms
from backend.search_engine.index.encode import Streams, encode
from backend.search_engine.index.occurrences import DOCUMENT_SHIFT, MAX_POSITION, POSITION_BITS, Occurrences

FIELDS = 10
TERM = st.binary(min_size=1, max_size=12)
PLACE = st.tuples(
    st.integers(0, 65_535), st.integers(0, FIELDS - 1), st.one_of(st.integers(0, 300), st.integers(0, MAX_POSITION))
)
INDEX = st.dictionaries(TERM, st.sets(PLACE, min_size=1, max_size=30), min_size=1, max_size=40)


def encoded(index: dict[bytes, set[tuple[int, int, int]]], common: int) -> Streams:
    terms = sorted(index)
    places = [sorted(index[term]) for term in terms]
    flat = [
        document << DOCUMENT_SHIFT | field << POSITION_BITS | position
        for some in places
        for document, field, position in some
    ]
    starts = np.cumsum([0, *map(len, places)], dtype=np.int64)
    found = Occurrences.of(terms, starts, np.array(flat, dtype=np.int64))
    return encode(found, field_count=FIELDS, common=common)


@settings(max_examples=150, deadline=None)
@given(INDEX, st.integers(0, FIELDS - 1))
def test_positions_come_back(index: dict[bytes, set[tuple[int, int, int]]], common: int) -> None:
    streams = encoded(index, common)
    for term, places in index.items():
        info = find_term(streams.heads, streams.dictionary, len(index), np.frombuffer(term, dtype=np.uint8))
        assert info is not None
        documents = sorted({document for document, _, _ in places})
        assert info.df == len(documents)
        offsets, positions = np.zeros(info.df + 1, dtype=np.uint32), np.zeros(len(places), dtype=np.uint32)
        source = streams.postings, info.posting, info.df, common, (1 << FIELDS) - 1, np.empty(0, dtype=np.uint8)
        decode_positions(*source, streams.positions, info.place, offsets, 0, positions, 0)
        wanted = [field << FIELD_SHIFT | position for _, field, position in sorted(places)]
        assert positions.tolist() == wanted
        counts = [sum(document == each for each, _, _ in places) for document in documents]
        assert np.diff(offsets).tolist() == counts


@settings(max_examples=100, deadline=None)
@given(INDEX, TERM)
def test_unknown_terms_are_not_found(index: dict[bytes, set[tuple[int, int, int]]], other: bytes) -> None:
    streams = encoded(index, 0)
    found = find_term(streams.heads, streams.dictionary, len(index), np.frombuffer(other, dtype=np.uint8))
    assert (found is not None) == (other in index)


@settings(max_examples=100, deadline=None)
@given(INDEX, st.binary(max_size=2))
def test_terms_of_a_prefix_are_listed_in_order(index: dict[bytes, set[tuple[int, int, int]]], prefix: bytes) -> None:
    streams = encoded(index, 0)
    blob, offsets = np.empty(1000, dtype=np.uint8), np.empty(len(index) + 1, dtype=np.int64)
    dfs = np.empty(len(index), dtype=np.int64)
    wanted = np.frombuffer(prefix, dtype=np.uint8)
    count = list_terms(streams.heads, streams.dictionary, len(index), 0, wanted, blob, offsets, dfs)
    ends = offsets[: count + 1].tolist()
    terms = [blob[ends[i] : ends[i + 1]].tobytes() for i in range(count)]
    assert terms == sorted(term for term in index if term.startswith(prefix))
