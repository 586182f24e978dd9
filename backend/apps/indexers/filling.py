"""Filling a build: index first, then the mark in the database, so that a crash repeats and never loses."""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from django.utils import timezone

from backend.apps.documents.following import DocumentChange, changes_after, last_sequence
from backend.apps.documents.models import Document
from backend.apps.indexers import standard_fields as standard
from backend.apps.indexers.build_plans import BuildPlan
from backend.apps.indexers.column_plans import title_column
from backend.apps.indexers.comparison import fill_of
from backend.apps.indexers.folders import indexer_folder
from backend.apps.indexers.link_analysis import LinkScores, PageScores
from backend.apps.indexers.losses import Losses
from backend.apps.indexers.models import IndexBuild
from backend.apps.indexers.problems import Problems
from backend.apps.indexers.reading import WHOLE, DocumentReader, Features, IndexChange
from backend.apps.indexers.typing_words import TypingWords
from backend.apps.indexers.usual_scores import MEDIANS, UsualScores
from backend.search_engine.errors import SchemaError
from backend.search_engine.index import IndexReader, IndexWriter, Snapshot
from backend.search_engine.ranking.quality import page_quality

log = logging.getLogger(__name__)

BATCH_DOCUMENTS = 500
COMMIT_SECONDS = 10.0
SHOW_SECONDS = 0.5
SMOOTHING = 0.3

Stored = Mapping[int, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Batch:
    """Changes of documents as the index is told them, each with what it stores of the document now, or None.

    `losses` are those of the build once this is applied.
    """

    sequence: int
    documents: int
    changes: Sequence[tuple[IndexChange, Mapping[str, Any] | None]]
    losses: Losses


class Filling:
    """One build, open for writing: in a `with` block. `read` and `apply` some changes, `commit` makes them last.

    What the last commit noted is where it goes on, whatever the database believes.
    """

    def __init__(self, build: IndexBuild, *, threads: int = 0) -> None:
        self.build = build
        self.plan = BuildPlan.from_json(build.plan)
        self.folder: Path = indexer_folder(build.indexer_id) / build.name
        self._project_id = build.indexer.project_id
        schema = self.plan.schema()
        self._writer = IndexWriter(self.folder, schema, threads=threads)
        self._index = IndexReader(self.folder)
        note = self._writer.note
        self.sequence: int = note.get("sequence", 0)
        self.done: int = note.get("done", 0)
        self.losses = Losses.of(self.snapshot(), note)
        if "losses" not in note:
            self.losses.peak = build.peak
        self._is_new = not self.sequence
        self._once_until = last_sequence(self._project_id)
        self._is_committed = True
        self._problems = Problems.of(self.plan.columns, note)
        self.reader = DocumentReader(self.plan, project_id=self._project_id)
        title = title_column(self.plan.columns)
        self.words = TypingWords(schema, title.name if title else standard.TITLE)
        self.scores: LinkScores | None = None
        self._unshown = 0
        self._committed_at = self._shown_at = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._writer.close()

    def snapshot(self) -> Snapshot:
        """The index as of the last commit."""
        return self._index.snapshot()

    def next_changes(self) -> list[DocumentChange]:
        """What comes after what was applied; [] when nothing does."""
        return changes_after(self._project_id, self.sequence, limit=BATCH_DOCUMENTS)

    def read(self, changes: Sequence[DocumentChange]) -> Batch:
        """What the index is to be told of these changes; nothing is done yet."""
        if changes[-1].sequence > self._once_until and not self._is_committed:
            self.commit()  # one of these may have come in what is not committed yet
        stored = self._stored(changes)
        told = [(each, stored.get(int(each.key))) for each in self.reader.read(changes, partial(self._score, stored))]
        return Batch(changes[-1].sequence, len(changes), told, self.losses.after(told))

    def _stored(self, changes: Sequence[DocumentChange]) -> Stored:
        """What the index stores of these documents, by their id; one read for each that it has.

        A build that is new has none of what was there when it began: each document comes once.
        """
        snapshot, known_from = self.snapshot(), self._once_until if self._is_new else 0
        ids = (change.document_id for change in changes if change.sequence > known_from)
        slots = ((document, snapshot.slot_of(str(document))) for document in ids)
        return {document: snapshot.stored(slot) for document, slot in slots if slot is not None}

    def apply(self, batch: Batch) -> None:
        """Tell the index; nothing lasts before `commit`."""
        for told, before in batch.changes:
            change = self._write(told)
            self.words.replace(before, change.fields)
            self._problems.count(change, before)
        self._is_committed, self.losses = False, batch.losses
        self.sequence = batch.sequence
        self.done += batch.documents
        self._unshown += batch.documents
        if time.monotonic() - self._shown_at >= SHOW_SECONDS:
            self._show()

    def _write(self, change: IndexChange) -> IndexChange:
        """What came of it: a document that the index does not take is left out of it."""
        if change.fields is not None:
            try:
                self._writer.put(change.key, change.fields)
                return change
            except SchemaError as error:
                log.warning("The document %s cannot be indexed: %s", change.key, error)
                change = change._replace(fields=None, unreadable={WHOLE: change.fields[standard.URL]})
        self._writer.delete(change.key)
        return change

    @property
    def is_commit_due(self) -> bool:
        """Often enough that a crash repeats little, seldom enough that segments are worth their file."""
        return time.monotonic() - self._committed_at >= COMMIT_SECONDS

    def commit(self) -> None:
        """Index first, then the mark in the database."""
        note = {"sequence": self.sequence, "done": self.done, "losses": self.losses.to_note()}
        self._writer.commit({**note, **self._problems.to_note()})
        self._is_committed, self._committed_at = True, time.monotonic()
        build, documents = self.build, self.snapshot().live_documents
        self.losses.documents = documents
        build.sequence, build.documents, build.peak = self.sequence, documents, self.losses.peak
        build.problems = self._problems.by_column
        self._show("sequence", "documents", "peak", "problems")

    def _show(self, *more: str) -> None:
        """Tell people how far it is and how fast."""
        build, now = self.build, time.monotonic()
        if self._unshown:
            per_second, before = self._unshown / max(now - self._shown_at, 0.001), build.documents_per_second
            build.documents_per_second = before + SMOOTHING * (per_second - before) if before else per_second
        self._unshown, self._shown_at = 0, now
        build.done, build.total = self.done, max(build.total, self.done)
        values = {name: getattr(build, name) for name in ("documents_per_second", "done", "total", *more)}
        IndexBuild.objects.filter(pk=build.pk).update(updated_at=timezone.now(), **values)

    def begin(self, now: datetime) -> None:
        """Tell how much there is to do."""
        left = Document.objects.filter(project=self._project_id, sequence__gt=self.sequence).count()
        self.build.total = self.done + left
        self.build.started_at = self.build.started_at or now
        IndexBuild.objects.filter(pk=self.build.pk).update(total=self.build.total, started_at=self.build.started_at)

    def _score(self, stored: Stored, change: DocumentChange, features: Features) -> PageScores:
        """By the analysis of all links where there is one; else what the index said of the page before, or is usual."""
        if self.scores is not None:
            return self.scores.of(change.page_key)
        quality = page_quality(features["quality"], change.url).score if features.get("quality") else None
        kept = stored.get(change.document_id, {})
        host_rank = kept.get(standard.HOST_RANK)
        pagerank, hub, authority = (
            self._usual.medians.get(name) if kept.get(name) is None else kept[name] for name in MEDIANS
        )
        return PageScores(
            pagerank=pagerank,
            hub=hub,
            authority=authority,
            host_rank=self._usual.host_rank_of(change.url) if host_rank is None else host_rank,
            quality=quality,
            anchors=tuple((kept.get(standard.ANCHORS) or "").splitlines()),
        )

    @cached_property
    def _usual(self) -> UsualScores:
        return UsualScores.of(self.snapshot())

    def count_losses(self) -> None:
        """Count from now on which documents lose the value of a key column; looks at the index only the first time."""
        keys = {column.name for column in self.plan.columns if column.is_key}
        if keys != set(self.losses.filled):
            filled = fill_of(self.snapshot(), self.plan)
            self.losses.filled = {name: count for name, count in filled.items() if name in keys}


StopCheck = Callable[[], bool]


def fill(filling: Filling, *, should_stop: StopCheck) -> bool:
    """Apply everything there is; False when it was to stop before. Committed either way."""
    while changes := filling.next_changes():
        filling.apply(filling.read(changes))
        if filling.is_commit_due:
            filling.commit()
        if should_stop():
            filling.commit()
            return False
    filling.commit()
    return True
