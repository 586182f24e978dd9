"""Documents → the sections of one segment."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from backend.search_engine.index.columns import KeywordColumn, pack_numbers, pack_unsigned
from backend.search_engine.index.encode import Occurrences, encode
from backend.search_engine.index.schema import FieldGroup, FieldKind, Schema
from backend.search_engine.index.stored import pack_keys, pack_records
from backend.search_engine.index.surfaces import SurfaceTable
from backend.search_engine.signatures import R_I4, W_I4, W_I8, W_U1
from backend.search_engine.text import Analyzer

MAX_SEGMENT_DOCUMENTS: Final = 1 << 16

Sections = dict[str, Any]


class Draft(NamedTuple):
    """A segment before it is written."""

    sections: Sections
    meta: dict[str, Any]


@njit((R_I4, R_I4, R_I4, R_I4, W_I8, W_I4, W_U1, W_I4), cache=True, nogil=True)
def _scatter(ranks, documents, fields, positions, cursors, to_documents, to_fields, to_positions):  # type: ignore[no-untyped-def]
    """Put each occurrence at its term's cursor: a stable counting sort by term."""
    for i in range(ranks.size):
        rank = ranks[i]
        if rank < 0:
            continue
        at = cursors[rank]
        cursors[rank] = at + 1
        to_documents[at], to_fields[at], to_positions[at] = documents[i], fields[i], positions[i]


def sort_occurrences(
    ranks: NDArray[np.int32],
    documents: NDArray[np.int32],
    fields: NDArray[np.int32],
    positions: NDArray[np.int32],
    *,
    terms: Sequence[bytes],
) -> Occurrences:
    """Occurrences in order of (document, field, position) → in order of terms. A negative rank is left out."""
    counts = np.bincount(ranks[ranks >= 0], minlength=len(terms))
    starts = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(counts, dtype=np.int64)))
    total = int(starts[-1])
    sorted_documents, sorted_positions = np.empty(total, dtype=np.int32), np.empty(total, dtype=np.int32)
    sorted_fields = np.empty(total, dtype=np.uint8)
    _scatter(ranks, documents, fields, positions, starts[:-1].copy(), sorted_documents, sorted_fields, sorted_positions)
    offsets = np.cumsum([0, *map(len, terms)], dtype=np.int64)
    blob = np.frombuffer(b"".join(terms) or b"\0", dtype=np.uint8)
    return Occurrences(blob, offsets, starts, sorted_documents, sorted_fields, sorted_positions)


def pack_group(found: Occurrences, lengths: NDArray[np.int64], number: int) -> Draft:
    """The sections of one field group; `lengths[field, document]` counts words."""
    field_count = len(lengths)
    common = int(np.bincount(found.fields, minlength=field_count).argmax()) if len(found.fields) else 0
    streams = encode(found, field_count=field_count, common=common)
    sections: Sections = {f"group{number}.{name}": array for name, array in streams._asdict().items()}
    for field, row in enumerate(lengths):
        sections[f"group{number}.lengths{field}"] = pack_unsigned(row)
    return Draft(sections, {"terms": len(found.starts) - 1, "common": common, "fields": field_count})


class SegmentBuilder:
    """Builds segments under one schema; remembers the words it has met from one segment to the next."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._tables = [SurfaceTable(Analyzer(group.analysis)) for group in schema.groups]

    def build(self, keys: Sequence[str], documents: Sequence[Mapping[str, Any]]) -> Draft:
        """The segment of at most 65,536 documents that `Schema.check` has passed, in this order."""
        sections: Sections = {}
        groups = []
        for group, table in zip(self._schema.groups, self._tables, strict=True):
            draft = self._build_group(group, table, documents)
            sections |= draft.sections
            groups.append(draft.meta)
        sections |= pack_keys(keys) | pack_columns(self._schema, documents)
        sections |= pack_records(encode_records(self._schema, documents))
        return Draft(sections, {"documents": len(keys), "groups": groups})

    def _build_group(self, group: FieldGroup, table: SurfaceTable, documents: Sequence[Mapping[str, Any]]) -> Draft:
        names = [each.name for each in group.fields]
        texts = [
            (text.encode("utf-8", "surrogatepass") if (text := document[name]) else b"")
            for document in documents
            for name in names
        ]
        table.forget_when_large()
        terms, numbers, positions = table.scan(texts)
        is_compound = positions < 0
        counted = numbers[(terms >= 0) & ~is_compound]
        lengths = np.bincount(counted, minlength=len(texts)).reshape(len(documents), len(names)).T
        ranks, used = _rank(terms, table.term_bytes)
        np.subtract(-1, positions, out=positions, where=is_compound)
        in_document, in_field = np.divmod(numbers, np.int32(len(names)))
        found = sort_occurrences(ranks, in_document, in_field, positions, terms=used)
        return pack_group(found, np.ascontiguousarray(lengths), group.number)


def _rank(terms: NDArray[np.int32], term_bytes: Sequence[bytes]) -> tuple[NDArray[np.int32], list[bytes]]:
    """Each occurrence's place among the sorted terms that occur (-1 stays -1), and these terms."""
    is_used = np.zeros(len(term_bytes) + 1, dtype=bool)
    is_used[terms] = True
    is_used[-1] = False
    numbers = sorted(np.flatnonzero(is_used).tolist(), key=term_bytes.__getitem__)
    used: list[bytes] = []
    rank_of = np.full(len(term_bytes) + 1, -1, dtype=np.int32)
    for number in numbers:
        if not used or used[-1] != term_bytes[number]:
            used.append(term_bytes[number])
        rank_of[number] = len(used) - 1
    return rank_of[terms], used


def pack_columns(schema: Schema, documents: Sequence[Mapping[str, Any]]) -> Sections:
    """The sections of all columns."""
    sections: Sections = {}
    for each in schema.of_kind(FieldKind.NUMBER, FieldKind.DATE):
        values = np.array([document[each.name] for document in documents], dtype=np.float64)
        sections[f"number.{each.name}"] = pack_numbers(values)
    for each in schema.of_kind(FieldKind.KEYWORD):
        column = KeywordColumn.of([document[each.name] for document in documents])
        sections |= column.pack(f"keyword.{each.name}")
    return sections


def encode_records(schema: Schema, documents: Sequence[Mapping[str, Any]]) -> list[bytes]:
    """What is kept of each document to be shown: the values of its stored fields, in the schema's order."""
    names = [each.name for each in schema.fields if each.stored]
    dump = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    return [dump([document[name] for name in names]).encode("utf-8", "surrogatepass") for document in documents]


def decode_record(schema: Schema, record: bytes) -> dict[str, Any]:
    """The stored fields of a document by name."""
    names = [each.name for each in schema.fields if each.stored]
    return dict(zip(names, json.loads(record.decode("utf-8", "surrogatepass")), strict=True))
