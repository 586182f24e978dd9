"""What a segment gives back of its documents: keys and stored fields, in small compressed blocks."""

import json
import struct
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
import xxhash
import zstandard
from numpy.typing import NDArray

from backend.search_engine.index.blocks import Window

KEYS_PER_BLOCK: Final = 256
_RECORD_BLOCK_BYTES: Final = 1 << 15
_LEVEL: Final = 3
_LENGTH: Final = struct.Struct("<I")

Sections = dict[str, Any]


def key_hash(key: str) -> int:
    """64 bits of a document's key."""
    return xxhash.xxh3_64_intdigest(key.encode("utf-8", "surrogatepass"))


def pack_keys(keys: Sequence[str]) -> Sections:
    """Keys in blocks, and their hashes sorted so that a key is found by bisection."""
    compressor = zstandard.ZstdCompressor(level=_LEVEL)
    blocks = [
        compressor.compress(json.dumps(keys[at : at + KEYS_PER_BLOCK]).encode())
        for at in range(0, len(keys), KEYS_PER_BLOCK)
    ]
    hashes = np.fromiter(map(key_hash, keys), dtype=np.uint64, count=len(keys))
    order = np.argsort(hashes, kind="stable")
    return {
        "keys": b"".join(blocks),
        "keys.ends": np.cumsum([0, *map(len, blocks)]).astype("<u4"),
        "keys.hashes": hashes[order],
        "keys.order": order.astype("<u2"),
    }


def pack_records(records: Sequence[bytes]) -> Sections:
    """Records in blocks of about 32 KiB before compression."""
    compressor = zstandard.ZstdCompressor(level=_LEVEL)
    blocks: list[bytes] = []
    firsts = [0]
    start, size = 0, 0
    for i, record in enumerate(records):
        size += len(record) + _LENGTH.size
        if size >= _RECORD_BLOCK_BYTES or i == len(records) - 1:
            blocks.append(compressor.compress(_join(records[start : i + 1])))
            start, size = i + 1, 0
            firsts.append(start)
    return {
        "records": b"".join(blocks),
        "records.ends": np.cumsum([0, *map(len, blocks)]).astype("<u4"),
        "records.firsts": np.array(firsts, dtype="<u4"),
    }


def _join(records: Sequence[bytes]) -> bytes:
    return b"".join(part for record in records for part in (_LENGTH.pack(len(record)), record))


def _split(data: bytes) -> Iterator[bytes]:
    at = 0
    while at < len(data):
        (length,) = _LENGTH.unpack_from(data, at)
        at += _LENGTH.size
        yield data[at : at + length]
        at += length


class KeyBlocks:
    """Keys by document number, and document numbers by key."""

    def __init__(self, window: Window, ends: NDArray[Any], hashes: NDArray[Any], order: NDArray[Any]) -> None:
        self._window = window
        self._ends = ends
        self.hashes = hashes
        self.order = order

    def key(self, document: int) -> str:
        """The key of a document."""
        block, place = divmod(document, KEYS_PER_BLOCK)
        return self.block(block)[place]

    def block(self, block: int) -> list[str]:
        """The keys of one block of documents."""
        data = self._window.read(int(self._ends[block]), int(self._ends[block + 1]))
        keys: list[str] = json.loads(zstandard.ZstdDecompressor().decompress(data))
        return keys

    def all(self) -> list[str]:
        """Every key, in order of documents."""
        return [key for block in range(len(self._ends) - 1) for key in self.block(block)]

    def find(self, key: str) -> list[int]:
        """The documents with this key."""
        wanted = np.uint64(key_hash(key))
        low, high = np.searchsorted(self.hashes, wanted, "left"), np.searchsorted(self.hashes, wanted, "right")
        return [document for document in self.order[low:high].tolist() if self.key(document) == key]


class RecordBlocks:
    """Stored records by document number."""

    def __init__(self, window: Window, ends: NDArray[Any], firsts: NDArray[Any]) -> None:
        self._window = window
        self._ends = ends
        self._firsts = firsts

    def record(self, document: int) -> bytes:
        """The record of a document."""
        block = int(np.searchsorted(self._firsts, document, "right")) - 1
        records = self.block(block)
        return records[document - int(self._firsts[block])]

    def block(self, block: int) -> list[bytes]:
        """The records of one block."""
        data = self._window.read(int(self._ends[block]), int(self._ends[block + 1]))
        return list(_split(zstandard.ZstdDecompressor().decompress(data)))

    def all(self) -> Iterator[bytes]:
        """Every record, in order of documents."""
        for block in range(len(self._ends) - 1):
            yield from self.block(block)
