"""The one writer of an index. What was put is found after `commit`, all or none; a crash leaves the last commit."""

import fcntl
import threading
import uuid
from collections.abc import Iterable, Mapping
from concurrent.futures import Future
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import numpy as np

from backend.search_engine.errors import IndexLockedError, IndexMissingError, SchemaError
from backend.search_engine.index.batch import Batch
from backend.search_engine.index.blocks import write_blocks
from backend.search_engine.index.build import MAX_SEGMENT_DOCUMENTS
from backend.search_engine.index.live import LiveSegment, describe, replaced_documents, write_alive
from backend.search_engine.index.manifest import MANIFEST, Manifest, read_manifest, write_manifest
from backend.search_engine.index.merge import merge_segments
from backend.search_engine.index.merge_policy import choose_merge, most_segments
from backend.search_engine.index.merger import Merger
from backend.search_engine.index.pool import BuilderPool
from backend.search_engine.index.schema import Schema
from backend.search_engine.index.segment import Segment

_LOCK: Final = "writer.lock"
_MOST_BEHIND: Final = 64
"""So many segments more than the policy wants may wait to be merged before a commit waits for the merges."""


@dataclass(slots=True)
class _Pending:
    """A batch on its way to being a segment; no name when it only deletes."""

    name: str | None
    built: "Future[None] | None"
    deletes: set[str]


class IndexWriter:
    """Puts and deletes documents by key. One at a time per index; use it in a `with` block."""

    def __init__(
        self,
        folder: Path,
        schema: Schema,
        *,
        threads: int = 0,
        batch_documents: int = MAX_SEGMENT_DOCUMENTS,
        merges: bool = True,
    ) -> None:
        """Open an index for writing, made when it is missing; with `merges`, commits start merges in the background.

        Raises IndexLockedError when another writer is at work, SchemaError when the index has another schema,
        AnalysisError when a field's language is unknown.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.schema = schema
        self._lock_file = _lock(folder)
        try:
            self._manifest = _open_manifest(folder, schema)
            self._segments = [LiveSegment.open(folder, entry, schema) for entry in self._manifest.segments]
            self._pool = BuilderPool(schema, threads)
        except BaseException:
            self._lock_file.close()
            raise
        self._batch_documents = min(batch_documents, MAX_SEGMENT_DOCUMENTS)
        self._batch = Batch(schema)
        self._pending: list[_Pending] = []
        self._publishing = threading.Lock()
        self._merging = threading.Lock()
        self._merger = Merger(self.merge) if merges else None
        self._remove_strangers()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def generation(self) -> int:
        """The last committed generation."""
        return self._manifest.generation

    @property
    def note(self) -> Mapping[str, Any]:
        """What the last commit noted; a copy, as merges write it again."""
        return deepcopy(self._manifest.note)

    def put(self, key: str, fields: Mapping[str, object]) -> None:
        """Add a document, or replace the one with this key."""
        self._batch.put(key, self.schema.row(fields))
        if self._batch.is_full(self._batch_documents):
            self._flush()

    def delete(self, key: str) -> None:
        """Remove the document with this key, if there is one."""
        self._batch.delete(key)

    def commit(self, note: Mapping[str, Any] | None = None) -> int:
        """Make everything put and deleted so far durable and visible; returns the generation.

        The note is kept as it is now, whatever the caller does with it later. Raises what a merge in the background
        has met since the last commit, before anything is done.
        """
        if self._merger is not None:
            self._merger.check()
        self._flush(here=not self._pending and self._batch.is_small)
        pending, self._pending = self._pending, []
        for batch in pending:
            if batch.built is not None:
                batch.built.result()
        with self._publishing:
            segments = list(self._segments)
            for batch in pending:
                segments = self._applied(batch, segments)
            self._publish(segments, self._manifest.note if note is None else deepcopy(note))
            generation = self.generation
        self._start_merges()
        return generation

    def merge(self) -> bool:
        """Merge one run of neighbours if that is worth it; searches may go on. Returns whether anything was merged.

        May run in a thread of its own beside `put` and `commit`.
        """
        with self._merging:
            with self._publishing:
                before = list(self._segments)
            run = choose_merge([each.entry for each in before])
            if run is None:
                return False
            parts = before[run.start : run.stop]
            merged = self._write_merged(parts)
            with self._publishing:
                self._publish(self._with_merged(parts, merged), self._manifest.note)
            return True

    def merge_all(self) -> None:
        """Merge until nothing is worth merging."""
        while self.merge():
            pass

    def wait_for_merges(self) -> None:
        """Wait until the merges that commits have started are done; raises what went wrong in one."""
        if self._merger is not None:
            self._merger.wait()
            self._merger.check()

    def close(self) -> None:
        """Let go of the index; what was not committed is lost. Waits for a merge under way."""
        if self._merger is not None:
            self._merger.close()
        self._pool.close()
        self._lock_file.close()

    def _start_merges(self) -> None:
        """Begin what is worth merging; wait for it when commits are much faster than merges."""
        entries = [each.entry for each in self._segments]
        if self._merger is None or choose_merge(entries) is None:
            return
        self._merger.wake()
        if len(entries) > most_segments(sum(entry.live for entry in entries)) + _MOST_BEHIND:
            self._merger.wait()

    def _flush(self, *, here: bool = False) -> None:
        """Hand the batch over to be built, or build it `here`."""
        batch, self._batch = self._batch, Batch(self.schema)
        if not len(batch):
            if batch.deletes:
                self._pending.append(_Pending(None, None, batch.deletes))
            return
        self._pool.wait_for_room()
        name = _new_name("segment")
        built = self._pool.build(self.folder / name, *batch.contents(), here=here)
        self._pending.append(_Pending(name, built, batch.deletes))

    def _applied(self, batch: _Pending, older: list[LiveSegment]) -> list[LiveSegment]:
        """The segments with a batch applied: older documents with its keys go, its own come last."""
        keys = batch.deletes
        newer = None if batch.name is None else Segment(self.folder / batch.name, self.schema)

        def find(segment: Segment) -> Iterable[int]:
            deleted = [document for key in keys for document in segment.keys.find(key)]
            return deleted + (replaced_documents(segment, newer) if newer is not None else [])

        kept = [self._with_deletes(each, find(each.segment)) for each in older]
        if newer is None or batch.name is None:
            return kept
        return [*kept, LiveSegment(describe(newer, name=batch.name), newer, None)]

    def _with_deletes(self, live: LiveSegment, documents: Iterable[int]) -> LiveSegment:
        """The same segment without these documents."""
        gone = list(documents)
        alive = live.without(gone) if gone else None
        if alive is None:
            return live
        name = _new_name("alive")
        write_alive(self.folder, name, alive)
        entry = describe(live.segment, name=live.entry.name, alive=alive, deletes=name)
        return LiveSegment(entry, live.segment, alive)

    def _write_merged(self, parts: list[LiveSegment]) -> LiveSegment | None:
        """One new segment on the disk with the live documents of these; None when there are none."""
        draft = merge_segments(self.schema, parts)
        if not draft.meta["documents"]:
            return None
        name = _new_name("segment")
        write_blocks(self.folder / name, draft.sections, draft.meta)
        segment = Segment(self.folder / name, self.schema)
        return LiveSegment(describe(segment, name=name), segment, None)

    def _with_merged(self, parts: list[LiveSegment], merged: LiveSegment | None) -> list[LiveSegment]:
        """Today's segments with the merged one in the place of its parts, and what was deleted meanwhile deleted."""
        names = [each.entry.name for each in parts]
        start = next(i for i, each in enumerate(self._segments) if each.entry.name == names[0])
        today = self._segments[start : start + len(parts)]
        rest = [*self._segments[:start]], [*self._segments[start + len(parts) :]]
        if merged is None:
            return [*rest[0], *rest[1]]
        gone = _deleted_meanwhile(parts, today)
        return [*rest[0], self._with_deletes(merged, gone), *rest[1]]

    def _publish(self, segments: list[LiveSegment], note: Mapping[str, Any]) -> None:
        entries = tuple(each.entry for each in segments)
        manifest = Manifest(self._manifest.generation + 1, self.schema, entries, note)
        write_manifest(self.folder, manifest)
        replaced = self._manifest.files - manifest.files
        self._manifest, self._segments = manifest, segments
        for name in replaced:
            (self.folder / name).unlink(missing_ok=True)

    def _remove_strangers(self) -> None:
        """Remove what a crashed writer left behind."""
        known = self._manifest.files | {MANIFEST, _LOCK}
        for path in self.folder.iterdir():
            if path.name not in known and path.name.startswith(("segment-", "alive-", MANIFEST)):
                path.unlink(missing_ok=True)


def _new_name(kind: str) -> str:
    return f"{kind}-{uuid.uuid4().hex}"


def _lock(folder: Path) -> Any:
    file = (folder / _LOCK).open("w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise IndexLockedError(f"Another writer is at work in {folder}. Wait until it is done.") from None
    return file


def _open_manifest(folder: Path, schema: Schema) -> Manifest:
    try:
        manifest = read_manifest(folder)
    except IndexMissingError:
        manifest = Manifest(0, schema)
        write_manifest(folder, manifest)
    if manifest.schema != schema:
        raise SchemaError("The index has other fields or another analysis. Rebuild it under a new folder.")
    return manifest


def _deleted_meanwhile(before: list[LiveSegment], today: list[LiveSegment]) -> list[int]:
    """Numbers, in the merged segment, of documents that died after the merge had read them."""
    base, gone = 0, []
    for old, new in zip(before, today, strict=True):
        live = old.live_documents
        if new.alive is not None:
            gone.extend((base + np.flatnonzero(new.alive[live] == 0)).tolist())
        base += len(live)
    return gone
