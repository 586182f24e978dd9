"""What a segment gives back of its documents: keys as they are, stored fields in small compressed blocks."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, Final

import numpy as np
import xxhash
import zstandard
from numpy.typing import NDArray

from backend.search_engine.index.blocks import BlockFile, Window

_RECORD_BLOCK_BYTES: Final = 1 << 15
_LEVEL: Final = 1

Sections = dict[str, Any]


def key_hash(key: str) -> int:
    """64 bits of a document's key."""
    return xxhash.xxh3_64_intdigest(key.encode("utf-8", "surrogatepass"))


def pack_keys(keys: Sequence[str]) -> Sections:
    """Keys end to end, and their hashes sorted so that a key is found by bisection."""
    encoded = [key.encode("utf-8", "surrogatepass") for key in keys]
    hashes = np.fromiter(map(xxhash.xxh3_64_intdigest, encoded), dtype=np.uint64, count=len(keys))
    order = np.argsort(hashes, kind="stable")
    return {
        "keys": b"".join(encoded),
        "keys.ends": _ends(encoded).astype("<u4"),
        "keys.hashes": hashes[order],
        "keys.order": order.astype("<u2"),
    }


def pack_records(records: Sequence[bytes]) -> Sections:
    """Records in blocks of about 32 KiB before compression; a block is its records' lengths (u4), then they."""
    compressor = zstandard.ZstdCompressor(level=_LEVEL)
    ends = _ends(records)
    firsts = [0]
    while firsts[-1] < len(records):
        until = np.searchsorted(ends, ends[firsts[-1]] + _RECORD_BLOCK_BYTES, "right")
        firsts.append(max(firsts[-1] + 1, int(until) - 1))
    lengths = np.diff(ends).astype("<u4")
    blocks = [
        compressor.compress(lengths[start:end].tobytes() + b"".join(records[start:end]))
        for start, end in pairwise(firsts)
    ]
    return {
        "records": b"".join(blocks),
        "records.ends": _ends(blocks).astype("<u4"),
        "records.firsts": np.array(firsts, dtype="<u4"),
    }


def _ends(parts: Sequence[bytes]) -> NDArray[np.int64]:
    """Where each part begins when they are laid end to end, and where the last one ends."""
    ends = np.zeros(len(parts) + 1, dtype=np.int64)
    np.cumsum(np.fromiter(map(len, parts), dtype=np.int64, count=len(parts)), out=ends[1:])
    return ends


class KeyBlocks:
    """Keys by document number, and document numbers by key."""

    def __init__(self, file: BlockFile) -> None:
        self._file = file
        self._window = file.window("keys")

    @cached_property
    def _ends(self) -> NDArray[np.uint32]:
        return self._file.array("keys.ends")

    @cached_property
    def hashes(self) -> NDArray[np.uint64]:
        """The hashes of all keys, ascending."""
        return self._file.array("keys.hashes")

    @cached_property
    def order(self) -> NDArray[np.uint16]:
        """The document of each hash."""
        return self._file.array("keys.order")

    def key(self, document: int) -> str:
        """The key of a document."""
        return self._window.read(int(self._ends[document]), int(self._ends[document + 1])).decode(
            "utf-8", "surrogatepass"
        )

    def all(self) -> list[str]:
        """Every key, in order of documents."""
        data = self._window.read(0, int(self._ends[-1]))
        return [data[start:end].decode("utf-8", "surrogatepass") for start, end in pairwise(self._ends.tolist())]

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
        block, place = self.place(document)
        return self.block(block)[place]

    def records_of(self, documents: NDArray[np.int64]) -> Iterator[bytes]:
        """The records of documents in ascending order; each block is unpacked once."""
        blocks = self._firsts.searchsorted(documents, "right") - 1
        places = documents - self._firsts[blocks]
        known, records = -1, list[bytes]()
        for block, place in zip(blocks.tolist(), places.tolist(), strict=True):
            if block != known:
                known, records = block, self.block(block)
            yield records[place]

    def place(self, document: int) -> tuple[int, int]:
        """The block of a document, and its place in it."""
        block = int(self._firsts.searchsorted(document, "right")) - 1
        return block, document - int(self._firsts[block])

    def block(self, block: int) -> list[bytes]:
        """The records of one block."""
        data = self._window.read(int(self._ends[block]), int(self._ends[block + 1]))
        plain = zstandard.ZstdDecompressor().decompress(data)
        count = int(self._firsts[block + 1]) - int(self._firsts[block])
        ends = (4 * count + np.cumsum(np.frombuffer(plain, dtype="<u4", count=count), dtype=np.int64)).tolist()
        return [plain[start:end] for start, end in pairwise([4 * count, *ends])]

    def all(self) -> Iterator[bytes]:
        """Every record, in order of documents."""
        for block in range(len(self._ends) - 1):
            yield from self.block(block)
