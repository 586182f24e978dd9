"""Stored fields of documents, read in blocks of which the last are kept."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection
from typing import Any, Final

import orjson

from backend.search_engine.index import Schema, Snapshot
from backend.search_engine.index.build import decode_record

MAX_BLOCKS: Final = 2_000
"""Of about 30 kB each, unpacked."""

Block = tuple[str, int]


class DocumentReader:
    """Reads documents of one index from many threads. Segments never change, so blocks outlive generations."""

    def __init__(self, max_blocks: int = MAX_BLOCKS) -> None:
        self._max_blocks = max_blocks
        self._blocks: OrderedDict[Block, list[bytes]] = OrderedDict()
        self._lock = threading.Lock()

    def read(self, snapshot: Snapshot, slot: int) -> tuple[str, dict[str, Any]]:
        """The key and the stored fields of the document at a slot."""
        number, document = snapshot.place(slot)
        name, segment = snapshot.segments[number].entry.name, snapshot.segments[number].segment
        block, place = segment.records.place(document)
        records = self._get((name, block), lambda: segment.records.block(block))
        return segment.keys.key(document), _fields(snapshot.schema, records[place])

    def keep_only(self, segments: Collection[str]) -> None:
        """Let go of blocks of segments that are no more."""
        with self._lock:
            for key in [key for key in self._blocks if key[0] not in segments]:
                del self._blocks[key]

    def _get(self, key: Block, read: Callable[[], list[bytes]]) -> list[bytes]:
        with self._lock:
            known = self._blocks.get(key)
            if known is not None:
                self._blocks.move_to_end(key)
                return known
        found = read()
        with self._lock:
            self._blocks[key] = found
            while len(self._blocks) > self._max_blocks:
                self._blocks.popitem(last=False)
        return found


def _fields(schema: Schema, record: bytes) -> dict[str, Any]:
    try:
        values = orjson.loads(record)
    except orjson.JSONDecodeError:  # half characters
        return decode_record(schema, record)
    return dict(zip(_stored_names(schema), values, strict=True))


_NAMES: dict[int, tuple[Schema, list[str]]] = {}


def _stored_names(schema: Schema) -> list[str]:
    known = _NAMES.get(id(schema))
    if known is None or known[0] is not schema:
        if len(_NAMES) > 1_000:
            _NAMES.clear()
        known = _NAMES[id(schema)] = schema, [each.name for each in schema.fields if each.stored]
    return known[1]
