"""Which files are the index now. Replacing this one file is what a commit is."""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import xxhash

from backend.search_engine.errors import IndexCorruptError, IndexMissingError, IndexVersionError
from backend.search_engine.index.blocks import FORMAT_VERSION
from backend.search_engine.index.schema import Schema

MANIFEST: Final = "manifest"


@dataclass(frozen=True, slots=True)
class SegmentEntry:
    """One segment of a generation: its file, which of its documents are deleted, what ranking needs to know."""

    name: str
    file_bytes: int
    documents: int
    live: int
    deletes: str | None
    """The file that says which documents are alive; None when all are."""
    words: tuple[tuple[int, ...], ...]
    """Per group and field: how many words the live documents have."""
    filled: tuple[tuple[int, ...], ...]
    """Per group and field: how many live documents have any."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "SegmentEntry":
        """The entry that `asdict` wrote."""
        rows = {name: tuple(map(tuple, data[name])) for name in ("words", "filled")}
        return cls(**{**data, **rows})

    @property
    def files(self) -> list[str]:
        """Every file that this entry needs."""
        return [self.name, self.deletes] if self.deletes else [self.name]


@dataclass(frozen=True, slots=True)
class Manifest:
    """One generation of an index."""

    generation: int
    schema: Schema
    segments: tuple[SegmentEntry, ...] = ()
    note: Mapping[str, Any] = field(default_factory=dict)
    """What the writer wants to find again, such as the sequence number it has indexed up to."""

    @property
    def files(self) -> set[str]:
        """Every file of this generation besides the manifest."""
        return {name for entry in self.segments for name in entry.files}


def read_manifest(folder: Path) -> Manifest:
    """The current generation; raises an IndexFaultError when there is none or it cannot be trusted."""
    try:
        data = (folder / MANIFEST).read_bytes()
    except FileNotFoundError:
        raise IndexMissingError(f"There is no index in {folder}. Build it first.") from None
    checksum, _, body = data.partition(b"\n")
    if checksum != _checksum(body):
        raise IndexCorruptError("The manifest does not match its checksum. Rebuild the index from the database.")
    parsed = json.loads(body)
    if parsed["format"] != FORMAT_VERSION:
        raise IndexVersionError(f"The index has format {parsed['format']}, not {FORMAT_VERSION}. Rebuild it.")
    segments = tuple(SegmentEntry.from_json(entry) for entry in parsed["segments"])
    return Manifest(parsed["generation"], Schema.from_json(parsed["schema"]), segments, parsed["note"])


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Make a generation the current one, durably: readers see the old one or this one, whatever happens."""
    body = json.dumps(
        {
            "format": FORMAT_VERSION,
            "generation": manifest.generation,
            "schema": manifest.schema.to_json(),
            "segments": [asdict(entry) for entry in manifest.segments],
            "note": dict(manifest.note),
        }
    ).encode()
    fresh = folder / f"{MANIFEST}.new"
    with fresh.open("wb") as file:
        file.write(_checksum(body) + b"\n" + body)
        file.flush()
        os.fsync(file.fileno())
    sync_folder(folder)  # the files that the manifest names must be in the folder before it is
    fresh.replace(folder / MANIFEST)
    sync_folder(folder)


def sync_folder(folder: Path) -> None:
    """Make the folder's entries durable."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _checksum(body: bytes) -> bytes:
    return xxhash.xxh3_64_hexdigest(body).encode()
