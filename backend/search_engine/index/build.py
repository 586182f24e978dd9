"""Documents → the sections of one segment."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import orjson
from numpy.typing import NDArray

from backend.search_engine.index.columns import KeywordColumn, pack_numbers, pack_unsigned
from backend.search_engine.index.encode import encode
from backend.search_engine.index.occurrences import FIELD_MASK, POSITION_BITS, Occurrences, count_tokens, place_tokens
from backend.search_engine.index.schema import FieldGroup, FieldKind, Schema
from backend.search_engine.index.stored import pack_keys, pack_records
from backend.search_engine.index.surfaces import SurfaceTable
from backend.search_engine.text import Analyzer

MAX_SEGMENT_DOCUMENTS: Final = 1 << 16

Sections = dict[str, Any]
Columns = Sequence[Sequence[Any]]
"""Per field of the schema the values of all documents."""


class Draft(NamedTuple):
    """A segment before it is written."""

    sections: Sections
    meta: dict[str, Any]


def pack_group(found: Occurrences, lengths: NDArray[Any], number: int) -> Draft:
    """The sections of one field group; `lengths[field, document]` counts words."""
    field_count = len(lengths)
    fields = found.places >> POSITION_BITS & FIELD_MASK
    common = int(np.bincount(fields, minlength=field_count).argmax()) if len(fields) else 0
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
        self._places = {each.name: at for at, each in enumerate(schema.fields)}

    def build(self, keys: Sequence[str], documents: Sequence[Mapping[str, Any]]) -> Draft:
        """The segment of at most 65,536 documents that `Schema.check` has passed, in this order."""
        return self.build_columns(keys, [[document[name] for document in documents] for name in self._places])

    def build_columns(self, keys: Sequence[str], columns: Columns) -> Draft:
        """The same segment from the fields' values, each checked."""
        sections: Sections = {}
        groups = []
        for group, table in zip(self._schema.groups, self._tables, strict=True):
            draft = self._build_group(group, table, columns, len(keys))
            sections |= draft.sections
            groups.append(draft.meta)
        sections |= pack_keys(keys) | pack_columns(self._schema, columns)
        sections |= pack_records(encode_records(self._schema, columns))
        return Draft(sections, {"documents": len(keys), "groups": groups})

    def _build_group(self, group: FieldGroup, table: SurfaceTable, columns: Columns, documents: int) -> Draft:
        fields = len(group.fields)
        texts = [b""] * (documents * fields)
        for at, each in enumerate(group.fields):
            texts[at::fields] = _encoded(columns[self._places[each.name]])
        scanned = table.scan(texts)
        tokens, terms, vocabulary = scanned.tokens, scanned.terms, scanned.vocabulary
        counts = np.zeros(scanned.term_count, dtype=np.int64)
        lengths = np.zeros(fields * documents, dtype=np.int32)
        count_tokens(*tokens, terms, fields, counts, lengths)
        order = vocabulary.ordered(counts > 0)
        starts = np.zeros(len(order) + 1, dtype=np.int64)
        np.cumsum(counts[order], out=starts[1:])
        counts[order] = starts[:-1]
        places = np.empty(int(starts[-1]), dtype=np.int64)
        place_tokens(*tokens, terms, fields, counts, places)
        found = Occurrences.of([vocabulary.term_bytes[number] for number in order.tolist()], starts, places)
        return pack_group(found, lengths.reshape(fields, documents), group.number)


def _encoded(texts: Sequence[str | None]) -> list[bytes]:
    try:
        return [text.encode() if text else b"" for text in texts]
    except UnicodeEncodeError:
        return [text.encode("utf-8", "surrogatepass") if text else b"" for text in texts]


def pack_columns(schema: Schema, columns: Columns) -> Sections:
    """The sections of all columns."""
    sections: Sections = {}
    for each, values in zip(schema.fields, columns, strict=True):
        if each.kind in (FieldKind.NUMBER, FieldKind.DATE):
            sections[f"number.{each.name}"] = pack_numbers(np.array(values, dtype=np.float64))
        elif each.kind is FieldKind.KEYWORD:
            sections |= KeywordColumn.of(values).pack(f"keyword.{each.name}")
    return sections


def encode_records(schema: Schema, columns: Columns) -> list[bytes]:
    """What is kept of each document to be shown: the values of its stored fields, in the schema's order, as JSON."""
    kept = [(each, values) for each, values in zip(schema.fields, columns, strict=True) if each.stored]
    numbers = [values for each, values in kept if each.kind in (FieldKind.NUMBER, FieldKind.DATE)]
    has_odd = any(np.isinf(np.array(values, dtype=np.float64)).any() or _has_nan(values) for values in numbers)
    if not kept:
        return [b"[]"] * len(columns[0])
    stored = [values for _, values in kept]
    try:
        if not has_odd:  # orjson has no infinities
            return list(map(orjson.dumps, zip(*stored, strict=True)))
    except TypeError:  # half a surrogate pair somewhere
        pass
    return list(map(_dump_all, zip(*stored, strict=True)))


def _has_nan(values: Sequence[float | None]) -> bool:
    return any(value is not None and value != value for value in values)


_plain_json: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def _dump_all(row: tuple[Any, ...]) -> bytes:
    return _plain_json.encode(row).encode("utf-8", "surrogatepass")


def decode_record(schema: Schema, record: bytes) -> dict[str, Any]:
    """The stored fields of a document by name."""
    return record_decoder(schema)(record)


def record_decoder(schema: Schema) -> Callable[[bytes], dict[str, Any]]:
    """What `decode_record` does, for many documents of one schema."""
    names = [each.name for each in schema.fields if each.stored]
    return lambda record: dict(zip(names, json.loads(record.decode("utf-8", "surrogatepass")), strict=True))
