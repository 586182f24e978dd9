"""A segment as it lies on the disk: immutable, mapped, verified piece by piece as it is read."""

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.search_engine.index.blocks import BlockFile
from backend.search_engine.index.build import decode_record, record_decoder
from backend.search_engine.index.columns import KeywordColumn
from backend.search_engine.index.decode import (
    TermInfo,
    block_of,
    find_term,
    list_terms,
    mark_documents,
)
from backend.search_engine.index.encode import TERMS_PER_BLOCK
from backend.search_engine.index.schema import Schema
from backend.search_engine.index.stored import KeyBlocks, RecordBlocks


class GroupReader:
    """The terms of one field group in one segment."""

    def __init__(self, file: BlockFile, number: int, meta: dict[str, Any], documents: int) -> None:
        self._file = file
        self._prefix = f"group{number}."
        self._documents = documents
        self.term_count: int = meta["terms"]
        self.common: int = meta["common"]
        self.field_count: int = meta["fields"]
        self.postings = file.window(self._prefix + "postings")
        self.positions = file.window(self._prefix + "positions")
        self.near: dict[tuple[str, int], Any] = {}
        """What `near_terms` has found: word and errors → terms."""

    @cached_property
    def heads(self) -> NDArray[np.uint32]:
        """Where each block of the dictionary and its streams begin."""
        return self._file.array(self._prefix + "heads")

    @cached_property
    def dictionary(self) -> NDArray[np.uint8]:
        """The front-coded terms."""
        return self._file.array(self._prefix + "dictionary")

    @cached_property
    def lengths(self) -> NDArray[np.uint32]:
        """`lengths[field, document]`: how many words."""
        rows = [self._file.array(f"{self._prefix}lengths{field}") for field in range(self.field_count)]
        return np.array(rows, dtype=np.uint32).reshape(self.field_count, self._documents)

    def find(self, term: NDArray[np.uint8]) -> TermInfo | None:
        """Where a term's streams are."""
        return find_term(self.heads, self.dictionary, self.term_count, term) if self.term_count else None

    def terms(self, prefix: bytes = b"") -> tuple[list[bytes], NDArray[np.int64]]:
        """The terms that begin with a prefix, sorted, and their document frequencies (deleted documents included)."""
        wanted = np.frombuffer(prefix, dtype=np.uint8)
        first, past = self._blocks_with(prefix)
        room = min(TERMS_PER_BLOCK * (past - first), self.term_count)
        if room <= 0:
            return [], np.empty(0, dtype=np.int64)
        blob = np.empty(self._blob_room(room), dtype=np.uint8)
        offsets, dfs = np.empty(room + 1, dtype=np.int64), np.empty(room, dtype=np.int64)
        count = list_terms(self.heads, self.dictionary, self.term_count, first, wanted, blob, offsets, dfs)
        ends = offsets[: count + 1].tolist()
        data = blob[: ends[-1] if count else 0].tobytes()
        return [data[a:b] for a, b in pairwise(ends)], dfs[:count]

    def mark(self, prefix: bytes, fields: int, alive: NDArray[np.uint8], slot: int, marked: NDArray[np.uint8]) -> None:
        """Set `marked` to 1 from `slot` on for the live documents with a term that begins so in a field of the bits."""
        first, past = self._blocks_with(prefix)
        if first == past:
            return
        is_last = 3 * past == len(self.heads)
        end = len(self.postings.data) if is_last else int(self.heads[3 * past + 1])
        self.postings.need(int(self.heads[3 * first + 1]), end)
        terms = TERMS_PER_BLOCK * first, min(TERMS_PER_BLOCK * past, self.term_count)
        wanted = np.frombuffer(prefix, dtype=np.uint8)
        source = self.postings.data, self.common, fields, alive
        mark_documents(self.heads, self.dictionary, *terms, wanted, *source, slot, marked)

    def _blocks_with(self, prefix: bytes) -> tuple[int, int]:
        """From which to before which block of the dictionary terms that begin with a prefix can be."""
        if not prefix or not self.term_count:
            return 0, len(self.heads) // 3
        first, last = (
            int(block_of(self.heads, self.dictionary, np.frombuffer(wanted, dtype=np.uint8)))
            for wanted in (prefix, prefix + b"\xff")  # a byte that no term has comes after all of them
        )
        return max(0, first), last + 1

    def _blob_room(self, terms: int) -> int:
        """Bytes that surely hold so many: suffixes are in the dictionary, shared bytes are at most 255 a term."""
        return min(255 * terms, 40 * len(self.dictionary) + 255)


class Segment:
    """One immutable segment: its terms, lengths, columns, keys and stored fields."""

    def __init__(self, path: Path, schema: Schema) -> None:
        self.file = BlockFile(path)
        self.documents: int = self.file.meta["documents"]
        self._schema = schema
        self.groups = [
            GroupReader(self.file, number, meta, self.documents) for number, meta in enumerate(self.file.meta["groups"])
        ]

    @cached_property
    def keys(self) -> KeyBlocks:
        """Keys by document and documents by key."""
        return KeyBlocks(self.file)

    @cached_property
    def records(self) -> RecordBlocks:
        """Stored fields by document."""
        arrays = (self.file.array(f"records.{part}") for part in ("ends", "firsts"))
        return RecordBlocks(self.file.window("records"), *arrays)

    def stored(self, document: int) -> dict[str, Any]:
        """The stored fields of a document."""
        return decode_record(self._schema, self.records.record(document))

    def stored_of(self, documents: NDArray[np.int64]) -> Iterator[dict[str, Any]]:
        """The stored fields of documents in ascending order."""
        decode = record_decoder(self._schema)
        return map(decode, self.records.records_of(documents))

    def numbers(self, name: str) -> NDArray[np.float64]:
        """A column of numbers or dates; NaN where a document has none."""
        return self.file.array(f"number.{name}").astype(np.float64)

    def keywords(self, name: str) -> KeywordColumn:
        """A column of keywords."""
        parts = ("values", "ends", "codes", "counts")
        wanted = [f"keyword.{name}.{part}" for part in parts]
        sections = {section: self.file.array(section) for section in wanted if section in self.file}
        return KeywordColumn.unpack(sections, f"keyword.{name}", self.documents)
