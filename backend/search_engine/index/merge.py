"""Several neighbouring segments → one, without their deleted documents.

Only neighbours are merged, so the order of documents (and with it the order of equal scores) never changes. Scores do
not change either: they are made from live documents only.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.search_engine.compilation import kernel
from backend.search_engine.index.build import Draft, pack_group
from backend.search_engine.index.columns import KeywordColumn, pack_numbers
from backend.search_engine.index.decode import get_frequencies, get_varint
from backend.search_engine.index.live import LiveSegment
from backend.search_engine.index.occurrences import DOCUMENT_SHIFT, POSITION_BITS, Occurrences, sort_places
from backend.search_engine.index.schema import FieldKind, Schema
from backend.search_engine.index.segment import GroupReader
from backend.search_engine.index.stored import pack_keys, pack_records
from backend.search_engine.signatures import I8, R_I4, R_I8, R_U1, W_I4, W_I8


def merge_segments(schema: Schema, parts: Sequence[LiveSegment]) -> Draft:
    """One segment with the live documents of these, in order."""
    new_numbers = _renumber(parts)
    sections: dict[str, Any] = {}
    groups = []
    for group in schema.groups:
        draft = _merge_group([part.segment.groups[group.number] for part in parts], new_numbers, group.number)
        sections |= draft.sections
        groups.append(draft.meta)
    keys = [key for part in parts for key in _alive(part, part.segment.keys.all())]
    records = [record for part in parts for record in _alive(part, list(part.segment.records.all()))]
    sections |= pack_keys(keys) | pack_records(records) | _merge_columns(schema, parts)
    return Draft(sections, {"documents": len(keys), "groups": groups})


def _alive(part: LiveSegment, values: Sequence[Any]) -> list[Any]:
    return [values[document] for document in part.live_documents.tolist()]


def _renumber(parts: Sequence[LiveSegment]) -> list[NDArray[np.int32]]:
    """Per part: the new number of each document, -1 for deleted ones."""
    numbers, base = [], 0
    for part in parts:
        new = np.full(part.segment.documents, -1, dtype=np.int32)
        live = part.live_documents
        new[live] = np.arange(base, base + len(live), dtype=np.int32)
        base += len(live)
        numbers.append(new)
    return numbers


@kernel(I8(R_U1, R_U1, R_I8, R_I4, R_I4, I8, I8, W_I4, W_I8, I8))
def _decode_all(  # type: ignore[no-untyped-def]
    postings, places, dfs, ranks, new_numbers, common, field_count, terms, occurrences, count
):
    """Append every occurrence of every term of one segment, renumbered; returns the new count."""
    frequencies = np.zeros(field_count, dtype=np.int32)
    at, place_at = 0, 0
    for ordinal in range(dfs.size):
        document = 0
        for _ in range(dfs[ordinal]):
            gap, at = get_varint(postings, at)
            document += gap >> 1
            frequencies[:] = 0
            at = get_frequencies(postings, at, gap & 1, common, frequencies)
            new = new_numbers[document]
            for field in range(field_count):
                position = np.int64(0)
                for _occurrence in range(frequencies[field]):
                    step, place_at = get_varint(places, place_at)
                    position += step
                    if new >= 0:
                        terms[count] = ranks[ordinal]
                        occurrences[count] = np.int64(new) << DOCUMENT_SHIFT | field << POSITION_BITS | position
                        count += 1
    return count


def _merge_group(readers: Sequence[GroupReader], new_numbers: Sequence[NDArray[np.int32]], number: int) -> Draft:
    lists = [reader.terms() for reader in readers]
    terms = sorted({term for found, _ in lists for term in found})
    rank_of = {term: rank for rank, term in enumerate(terms)}
    room = sum(len(reader.positions.data) for reader in readers)  # a position takes at least one byte
    all_ranks, places = np.empty(room, dtype=np.int32), np.empty(room, dtype=np.int64)
    count = 0
    for reader, (found, dfs), new in zip(readers, lists, new_numbers, strict=True):
        for window in (reader.postings, reader.positions):
            window.need(0, len(window.data))
        ranks = np.fromiter(map(rank_of.__getitem__, found), dtype=np.int32, count=len(found))
        streams = reader.postings.data, reader.positions.data
        count = _decode_all(*streams, dfs, ranks, new, reader.common, reader.field_count, all_ranks, places, count)
    occurrences = sort_places(all_ranks[:count], places[:count], terms)
    return pack_group(_without_unused(occurrences, terms), _merged_lengths(readers, new_numbers), number)


def _without_unused(found: Occurrences, terms: Sequence[bytes]) -> Occurrences:
    """The same occurrences without the terms that no live document has."""
    is_used = np.diff(found.starts) > 0
    if is_used.all():
        return found
    kept = [term for term, used in zip(terms, is_used.tolist(), strict=True) if used]
    starts = np.append(found.starts[:-1][is_used], found.starts[-1])
    return Occurrences.of(kept, starts, found.places)


def _merged_lengths(readers: Sequence[GroupReader], new_numbers: Sequence[NDArray[np.int32]]) -> NDArray[np.int64]:
    parts = [reader.lengths[:, new >= 0] for reader, new in zip(readers, new_numbers, strict=True)]
    return np.concatenate(parts, axis=1).astype(np.int64)


def _merge_columns(schema: Schema, parts: Sequence[LiveSegment]) -> dict[str, Any]:
    sections: dict[str, Any] = {}
    for each in schema.of_kind(FieldKind.NUMBER, FieldKind.DATE):
        values = [part.segment.numbers(each.name)[part.live_documents] for part in parts]
        sections[f"number.{each.name}"] = pack_numbers(np.concatenate(values))
    for each in schema.of_kind(FieldKind.KEYWORD):
        columns = [_alive(part, list(part.segment.keywords(each.name).documents())) for part in parts]
        column = KeywordColumn.of([words for words_of in columns for words in words_of])
        sections |= column.pack(f"keyword.{each.name}")
    return sections
