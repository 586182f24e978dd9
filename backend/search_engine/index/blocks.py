"""A file of named sections in which every byte is covered by a checksum.

Layout: magic, sections (8-byte aligned), a JSON table of the sections, one XXH3-64 per 64 KiB block of everything
before it, a footer with the lengths and the checksum of table, checksums and lengths. A block is verified when it is
first read, so opening a large file costs nothing and a flipped bit is found before it can answer a query.
"""

import json
import mmap
import os
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import xxhash
from numpy.typing import NDArray

from backend.search_engine.errors import IndexCorruptError, IndexVersionError

FORMAT_VERSION: Final = 3
BLOCK_BYTES: Final = 1 << 16
_MAGIC: Final = b"GLEANER\n"
_FOOTER: Final = struct.Struct("<QQQQI4x8s")  # data bytes, table bytes, blocks, checksum, version, magic
_ALIGN: Final = 8

Array = NDArray[Any]
Section = bytes | bytearray | memoryview | Array


def write_blocks(path: Path, sections: Mapping[str, Section], meta: Mapping[str, Any]) -> int:
    """Write a new file durably and return its size; sections keep their order and, for arrays, their dtype."""
    parts = [_MAGIC]
    table: dict[str, tuple[int, int, str]] = {}
    size = len(_MAGIC)
    for name, section in sections.items():
        dtype = section.dtype.str if isinstance(section, np.ndarray) else ""
        data = section.tobytes() if isinstance(section, np.ndarray) else bytes(section)
        table[name] = (size, len(data), dtype)
        padded = data + bytes(-len(data) % _ALIGN)
        parts.append(padded)
        size += len(padded)
    body = b"".join(parts)
    tail = _tail(body, json.dumps({"sections": table, "meta": meta}).encode())
    with path.open("xb") as file:
        file.write(body)
        file.write(tail)
        file.flush()
        os.fsync(file.fileno())
    return len(body) + len(tail)


def _tail(body: bytes, table: bytes) -> bytes:
    view = memoryview(body)
    starts = range(0, len(body), BLOCK_BYTES)
    sums = b"".join(struct.pack("<Q", xxhash.xxh3_64_intdigest(view[at : at + BLOCK_BYTES])) for at in starts)
    checksum = _tail_checksum(table, sums, len(body))
    return table + sums + _FOOTER.pack(len(body), len(table), len(starts), checksum, FORMAT_VERSION, _MAGIC)


def _tail_checksum(table: bytes, sums: bytes, data_bytes: int) -> int:
    lengths = struct.pack("<QQQ", data_bytes, len(table), len(sums))
    return xxhash.xxh3_64_intdigest(table + sums + lengths)


class BlockFile:
    """A mapped file of sections; reading verifies what is read, once."""

    def __init__(self, path: Path) -> None:
        """Map a file; raises IndexCorruptError or IndexVersionError when its footer does not hold."""
        self.path = path
        with path.open("rb") as file:
            self.size = os.fstat(file.fileno()).st_size
            if self.size < _FOOTER.size + len(_MAGIC):
                raise self._corrupt("it is too short")
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._bytes = np.frombuffer(self._map, dtype=np.uint8)
        table = self._read_tail()
        self.meta: dict[str, Any] = table["meta"]
        self._sections: dict[str, tuple[int, int, str]] = table["sections"]
        self._is_verified = bytearray(len(self._sums))

    def __contains__(self, name: str) -> bool:
        return name in self._sections

    def array(self, name: str) -> Array:
        """A whole section, verified, as the array or the bytes (u8) that were written."""
        offset, length, dtype = self._sections[name]
        self._verify(offset, offset + length)
        return self._bytes[offset : offset + length].view(dtype or np.uint8)

    def window(self, name: str) -> "Window":
        """A section to be read piece by piece; nothing is verified yet."""
        offset, length, _ = self._sections[name]
        return Window(self, offset, self._bytes[offset : offset + length])

    def verify_all(self) -> None:
        """Read every byte of the file; raises IndexCorruptError at the first block that is damaged."""
        self._is_verified = bytearray(len(self._sums))
        self._verify(0, self._data_bytes)

    def verify(self, start: int, end: int) -> None:
        """Make sure that the file's bytes from `start` to `end` are what was written."""
        self._verify(start, end)

    def _verify(self, start: int, end: int) -> None:
        first, last = start // BLOCK_BYTES, -(-end // BLOCK_BYTES)
        if 0 not in self._is_verified[first:last]:
            return
        view = memoryview(self._map)
        for block in range(first, last):
            at = block * BLOCK_BYTES
            until = min(at + BLOCK_BYTES, self._data_bytes)
            if xxhash.xxh3_64_intdigest(view[at:until]) != int(self._sums[block]):
                raise self._corrupt(f"block {block} does not match its checksum")
            self._is_verified[block] = 1

    def _read_tail(self) -> dict[str, Any]:
        footer = bytes(self._bytes[-_FOOTER.size :])
        data, table_bytes, blocks, checksum, version, magic = _FOOTER.unpack(footer)
        if magic != _MAGIC:
            raise self._corrupt("its end mark is missing")
        if data + table_bytes + 8 * blocks + _FOOTER.size != self.size or blocks != -(-data // BLOCK_BYTES):
            raise self._corrupt("its length is wrong")
        table = bytes(self._bytes[data : data + table_bytes])
        sums = bytes(self._bytes[data + table_bytes : -_FOOTER.size])
        if _tail_checksum(table, sums, data) != checksum or footer[-12:-8] != bytes(4):
            raise self._corrupt("its table does not match its checksum")
        if version != FORMAT_VERSION:
            raise IndexVersionError(
                f"{self.path.name} has format {version}; this version reads {FORMAT_VERSION}. Rebuild the index."
            )
        self._data_bytes = data
        self._sums = np.frombuffer(sums, dtype="<u8")
        parsed: dict[str, Any] = json.loads(table)
        return parsed

    def _corrupt(self, reason: str) -> IndexCorruptError:
        return IndexCorruptError(f"{self.path.name} is damaged: {reason}. Rebuild the index from the database.")


class Window:
    """One section, read in pieces."""

    def __init__(self, file: BlockFile, offset: int, data: Array) -> None:
        self._file = file
        self._offset = offset
        self.data = data
        """The whole section; only what `need` was called for may be read."""

    def need(self, start: int, end: int) -> None:
        """Verify the bytes from `start` to `end` of the section."""
        self._file.verify(self._offset + start, self._offset + end)

    def read(self, start: int, end: int) -> bytes:
        """A verified piece of the section."""
        self.need(start, end)
        return bytes(self.data[start:end])
