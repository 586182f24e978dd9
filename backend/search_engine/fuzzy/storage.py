"""Arrays in one file that is mapped, not read: format version, a checksum per array, replaced in one step."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import xxhash
from numpy.typing import NDArray

from backend.search_engine.errors import IndexCorruptError, IndexMissingError, IndexVersionError

FORMAT_VERSION: Final = 1
_MAGIC: Final = b"GLNARRAY"
_ALIGNMENT: Final = 64
_HEAD_BYTES: Final = len(_MAGIC) + 8 + 8  # magic, length of the header, checksum of the header

Arrays = Mapping[str, NDArray[Any]]


def write_arrays(path: Path, *, kind: str, arrays: Arrays, facts: Mapping[str, Any]) -> None:
    """Write a file that `read_arrays` maps. A reader sees the old file or the new one, also after a crash."""
    header = _header(kind, arrays, facts)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    with unfinished.open("wb") as file:
        file.write(_MAGIC + len(header).to_bytes(8, "little") + _checksum(header).to_bytes(8, "little") + header)
        for array in arrays.values():
            file.write(b"\0" * (-file.tell() % _ALIGNMENT))
            file.write(np.ascontiguousarray(array).data)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)
    _sync_folder(path.parent)


def read_arrays(path: Path, *, kind: str, verify: bool = True) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """The arrays and facts of a file. Damage is an IndexCorruptError; without `verify` only the header is checked."""
    try:
        mapped = np.memmap(path, dtype=np.uint8, mode="r")
    except FileNotFoundError:
        raise IndexMissingError(f"There is no file {path.name}; build it again.") from None
    except ValueError:
        raise _corrupt(path) from None  # an empty file cannot be mapped
    header, end = _read_header(path, mapped)
    if header.get("kind") != kind or header.get("format") != FORMAT_VERSION:
        raise IndexVersionError(f"{path.name} was written by another version; build it again.")
    arrays: dict[str, NDArray[Any]] = {}
    for entry in header["arrays"]:
        arrays[entry["name"]], end = _read_array(path, mapped, entry, end, verify=verify)
    if end != len(mapped):
        raise _corrupt(path)
    return arrays, header["facts"]


def _header(kind: str, arrays: Arrays, facts: Mapping[str, Any]) -> bytes:
    entries = [
        {
            "name": name,
            "dtype": array.dtype.str,
            "size": array.size,
            "checksum": _checksum(np.ascontiguousarray(array).data),
        }
        for name, array in arrays.items()
    ]
    content = {"kind": kind, "format": FORMAT_VERSION, "arrays": entries, "facts": dict(facts)}
    return json.dumps(content, sort_keys=True).encode()


def _read_header(path: Path, mapped: NDArray[np.uint8]) -> tuple[dict[str, Any], int]:
    head = mapped[:_HEAD_BYTES].tobytes()
    length = int.from_bytes(head[8:16], "little")
    header = mapped[_HEAD_BYTES : _HEAD_BYTES + length].tobytes()
    if head[:8] != _MAGIC or len(header) != length or _checksum(header) != int.from_bytes(head[16:24], "little"):
        raise _corrupt(path)
    content: dict[str, Any] = json.loads(header)
    return content, _HEAD_BYTES + length


def _read_array(
    path: Path, mapped: NDArray[np.uint8], entry: Mapping[str, Any], end: int, *, verify: bool
) -> tuple[NDArray[Any], int]:
    dtype = np.dtype(entry["dtype"])
    start = end + -end % _ALIGNMENT
    past = start + entry["size"] * dtype.itemsize
    content = np.asarray(mapped[start:past])
    if past > len(mapped) or (verify and (mapped[end:start].any() or _checksum(content.data) != entry["checksum"])):
        raise _corrupt(path)
    return content.view(dtype), past


def _checksum(content: bytes | memoryview) -> int:
    return xxhash.xxh3_64_intdigest(content)


def _corrupt(path: Path) -> IndexCorruptError:
    return IndexCorruptError(f"{path.name} is damaged; build it again.")


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
