"""A segment together with which of its documents are still alive."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.search_engine.compilation import kernel
from backend.search_engine.errors import IndexCorruptError
from backend.search_engine.index.blocks import BlockFile, write_blocks
from backend.search_engine.index.manifest import SegmentEntry
from backend.search_engine.index.schema import Schema
from backend.search_engine.index.segment import Segment
from backend.search_engine.signatures import I8, R_U8, W_I8

Alive = NDArray[np.uint8]


@dataclass(slots=True)
class LiveSegment:
    """An open segment; `alive[document]` is 0 for deleted documents, None when there are none."""

    entry: SegmentEntry
    segment: Segment
    alive: Alive | None

    @classmethod
    def open(cls, folder: Path, entry: SegmentEntry, schema: Schema) -> "LiveSegment":
        """Map a segment's files; raises IndexCorruptError when one is not the file that the manifest means."""
        segment = Segment(folder / entry.name, schema)
        if segment.file.size != entry.file_bytes or segment.documents != entry.documents:
            raise IndexCorruptError(f"{entry.name} is not the file that was written. Rebuild the index.")
        return cls(entry, segment, _read_alive(folder, entry))

    def without(self, documents: Iterable[int]) -> Alive | None:
        """What is alive when these documents go, too; None when none of them was alive."""
        alive = np.ones(self.segment.documents, dtype=np.uint8) if self.alive is None else self.alive.copy()
        gone = np.fromiter(documents, dtype=np.int64)
        if not alive[gone].any():
            return None
        alive[gone] = 0
        return alive

    @property
    def live_documents(self) -> NDArray[np.int64]:
        """The numbers of the documents that are alive, ascending."""
        return np.arange(self.segment.documents) if self.alive is None else np.flatnonzero(self.alive)


def _read_alive(folder: Path, entry: SegmentEntry) -> Alive | None:
    if entry.deletes is None:
        return None
    alive = np.unpackbits(BlockFile(folder / entry.deletes).array("alive"), count=entry.documents)
    if int(alive.sum()) != entry.live:
        raise IndexCorruptError(f"{entry.deletes} does not belong to {entry.name}. Rebuild the index.")
    return alive


def write_alive(folder: Path, name: str, alive: Alive) -> None:
    """Write which documents are alive to a new file."""
    write_blocks(folder / name, {"alive": np.packbits(alive)}, {})


def describe(segment: Segment, *, name: str, alive: Alive | None = None, deletes: str | None = None) -> SegmentEntry:
    """The manifest's entry for a segment."""
    words, filled = [], []
    for group in segment.groups:
        lengths: NDArray[Any] = group.lengths if alive is None else group.lengths * alive
        words.append(tuple(lengths.sum(axis=1, dtype=np.int64).tolist()))
        filled.append(tuple(np.count_nonzero(lengths, axis=1).tolist()))
    live = segment.documents if alive is None else int(alive.sum())
    return SegmentEntry(
        name, segment.file.size, segment.documents, live, deletes, words=tuple(words), filled=tuple(filled)
    )


@kernel(I8(R_U8, R_U8, W_I8, W_I8))
def _common_hashes(a, b, in_a, in_b):  # type: ignore[no-untyped-def]
    """Indices of equal values of two sorted arrays; returns how many pairs."""
    i, j, found = 0, 0, 0
    while i < a.size and j < b.size:
        if a[i] < b[j]:
            i += 1
        elif a[i] > b[j]:
            j += 1
        else:
            in_a[found], in_b[found] = i, j
            found += 1
            j += 1
    return found


def replaced_documents(older: Segment, newer: Segment) -> list[int]:
    """The documents of an older segment whose keys a newer segment has again."""
    room = newer.documents + older.documents
    in_older, in_newer = np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64)
    count = _common_hashes(older.keys.hashes, newer.keys.hashes, in_older, in_newer)
    pairs = zip(older.keys.order[in_older[:count]].tolist(), newer.keys.order[in_newer[:count]].tolist(), strict=True)
    return [document for document, other in pairs if older.keys.key(document) == newer.keys.key(other)]
