"""Filling a build: index first, then the mark in the database, so that a crash repeats and never loses."""

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from django.utils import timezone

from backend.apps.documents.following import DocumentChange, DocumentState, changes_after
from backend.apps.documents.models import Document
from backend.apps.indexers import standard_fields as standard
from backend.apps.indexers.build_plans import BuildPlan
from backend.apps.indexers.column_plans import title_column
from backend.apps.indexers.folders import indexer_folder
from backend.apps.indexers.link_analysis import LinkScores, PageScores
from backend.apps.indexers.models import IndexBuild
from backend.apps.indexers.reading import DocumentReader, Features
from backend.apps.indexers.typing_words import TypingWords
from backend.apps.indexers.usual_scores import UsualScores
from backend.apps.indexers.values import Problems
from backend.search_engine.index import IndexReader, IndexWriter, Snapshot
from backend.search_engine.ranking.quality import page_quality

BATCH_DOCUMENTS = 500
COMMIT_SECONDS = 10.0
SHOW_SECONDS = 0.5
SMOOTHING = 0.3


class Filling:
    """One build, open for writing: in a `with` block. `step` applies some changes, `commit` makes them last.

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
        self._problems = Problems({**note.get("problems", {})})
        self.reader = DocumentReader(self.plan, project_id=self._project_id, problems=self._problems)
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

    def apply(self, changes: Sequence[DocumentChange]) -> None:
        """Tell the index; nothing lasts before `commit`."""
        for change in self.reader.read(changes, self._score):
            if change.fields is None:
                self._writer.delete(change.key)
            else:
                self._writer.put(change.key, change.fields)
                self._count_words(change.key, change.fields)
        self.sequence = changes[-1].sequence
        self.done += len(changes)
        self._unshown += len(changes)
        if time.monotonic() - self._shown_at >= SHOW_SECONDS:
            self._show()

    def _count_words(self, key: str, fields: Mapping[str, Any]) -> None:
        if standard.is_unsafe(fields):
            snapshot = self.snapshot()
            slot = snapshot.slot_of(key)
            before = snapshot.stored(slot) if slot is not None else None
            if before is not None and not standard.is_unsafe(before):
                self.words.take_back(before)
        self.words.add(fields)

    @property
    def is_commit_due(self) -> bool:
        """Often enough that a crash repeats little, seldom enough that segments are worth their file."""
        return time.monotonic() - self._committed_at >= COMMIT_SECONDS

    def commit(self) -> None:
        """Index first, then the mark in the database."""
        note = {"sequence": self.sequence, "done": self.done, "problems": self._problems.by_column}
        self._writer.commit(note)
        self._committed_at = time.monotonic()
        build, documents = self.build, self.snapshot().live_documents
        build.sequence, build.documents, build.peak = self.sequence, documents, max(build.peak, documents)
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

    def _score(self, change: DocumentChange, features: Features) -> PageScores:
        """By the analysis of all links where there is one; else what the index said of the page before, or is usual."""
        if self.scores is not None:
            return self.scores.of(change.page_key)
        quality = page_quality(features["quality"], change.url).score if features.get("quality") else None
        snapshot = self.snapshot()
        slot = snapshot.slot_of(str(change.document_id))
        kept: dict[str, Any] = snapshot.stored(slot) if slot is not None else {}
        pagerank, host_rank = kept.get(standard.PAGERANK), kept.get(standard.HOST_RANK)
        return PageScores(
            pagerank=self._usual.pagerank if pagerank is None else pagerank,
            host_rank=self._usual.host_rank_of(change.url) if host_rank is None else host_rank,
            quality=quality,
            anchors=tuple((kept.get(standard.ANCHORS) or "").splitlines()),
        )

    @cached_property
    def _usual(self) -> UsualScores:
        return UsualScores.of(self.snapshot())

    def removals(self, changes: Sequence[DocumentChange]) -> int:
        """How many documents that are in the index now these changes would take out, people's deletions aside."""
        snapshot = self.snapshot()
        gone = (change for change in changes if change.state in (DocumentState.GONE, DocumentState.DUPLICATE))
        return sum(snapshot.slot_of(str(change.document_id)) is not None for change in gone)


StopCheck = Callable[[], bool]


def fill(filling: Filling, *, should_stop: StopCheck) -> bool:
    """Apply everything there is; False when it was to stop before. Committed either way."""
    while changes := filling.next_changes():
        filling.apply(changes)
        if filling.is_commit_due:
            filling.commit()
        if should_stop():
            filling.commit()
            return False
    filling.commit()
    return True
