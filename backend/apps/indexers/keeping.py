"""What an index job does: build beside what is served, compare, swap, and follow the documents from then on."""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from django.utils import timezone

from backend.apps.documents.following import last_sequence
from backend.apps.indexers.build_plans import BuildPlan, plan_of, why_stale
from backend.apps.indexers.build_states import (
    begin_build,
    hold_build,
    serve_build,
    set_status,
    write_log,
)
from backend.apps.indexers.cleaning import remove_old_builds
from backend.apps.indexers.comparison import Comparison, compare_builds, fill_of
from backend.apps.indexers.filling import Filling, fill
from backend.apps.indexers.folders import indexer_folder, typing_folder
from backend.apps.indexers.link_analysis import LinkScores, analyse_links
from backend.apps.indexers.models import BuildState, IndexBuild, Indexer, IndexerStatus
from backend.apps.indexers.problems import problem_sentences
from backend.apps.indexers.reading import DocumentReader
from backend.apps.indexers.saving_words import WordSaving
from backend.apps.indexers.serving import served_folder
from backend.apps.indexers.typing_words import dictionary_names
from backend.apps.runners.models import LogLevel
from backend.search_engine.errors import IndexFaultError
from backend.search_engine.index import open_snapshot
from wording import say_count

POLL_SECONDS = 0.4
LOOK_SECONDS = 2.0
"""How often a following job looks whether its indexer was changed; new documents it sees at once."""
TIDY_SECONDS = 60.0
TELL_SECONDS = 10.0
"""How often the log says how far the analysis of links is."""
MANY_DOCUMENTS = 20_000
"""From so many on it is worth starting processes that build segments side by side."""


class JobEnd(StrEnum):
    """How an index job came to its end."""

    STOPPED = "stopped"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Wait:
    """How a job waits: `stop()` says that it should end now, `pause(seconds)` returns early when it should."""

    stop: Callable[[], bool]
    pause: Callable[[float], None]


class Next(StrEnum):
    """What following a build led to."""

    STOP = "stop"
    BUILD = "build"
    DONE = "done"


def keep_index(indexer_id: int, wait: Wait, *, threads: int = 0) -> JobEnd:
    """Until the index is complete, or for a live one until the job is stopped."""
    while not wait.stop():
        indexer = Indexer.objects.select_related("project", "dictionary").get(pk=indexer_id)
        remove_old_builds(indexer)
        build = _build_to_work_on(indexer)
        if build is not None:
            if not _build(indexer, build, wait, threads=threads):
                return JobEnd.STOPPED
            continue
        held = indexer.builds.filter(state=BuildState.HELD).first()
        if held is not None and not indexer.live:
            return JobEnd.DONE
        if held is not None and not can_follow(indexer):
            _wait_for_person(held, wait)
            continue
        after = Following(indexer, wait, held=held).run()
        if after is not Next.BUILD:
            return JobEnd.DONE if after is Next.DONE else JobEnd.STOPPED
    return JobEnd.STOPPED


def _build_to_work_on(indexer: Indexer) -> IndexBuild | None:
    """The one under way; a new one when nothing can be served or what is served is no longer what is wanted."""
    under_way = indexer.builds.filter(state=BuildState.BUILDING).first()
    if under_way is not None:
        return under_way
    if indexer.builds.filter(state=BuildState.HELD).exists():
        return None
    if not can_follow(indexer) or stale_sentences(indexer):
        return begin_build(indexer, plan_of(indexer).to_json())
    return None


def served_build(indexer: Indexer) -> IndexBuild | None:
    """The build that answers searches."""
    return indexer.builds.filter(state=BuildState.SERVED).first()


def can_follow(indexer: Indexer) -> bool:
    """Whether what is served is there and can be read."""
    folder = served_folder(indexer)
    if folder is None or served_build(indexer) is None:
        return False
    try:
        open_snapshot(folder)
    except IndexFaultError:
        return False
    return True


def stale_sentences(indexer: Indexer) -> list[str]:
    """Why what is served needs a rebuild; [] when it does not, or nothing is served."""
    build = served_build(indexer)
    return why_stale(build.plan, plan_of(indexer).to_json()) if build is not None else []


def _wait_for_person(held: IndexBuild, wait: Wait) -> None:
    while not wait.stop() and IndexBuild.objects.filter(pk=held.pk, state=BuildState.HELD).exists():
        if IndexBuild.objects.filter(indexer=held.indexer_id, state=BuildState.BUILDING).exists():
            return
        wait.pause(LOOK_SECONDS)


# --- building


def _build(indexer: Indexer, build: IndexBuild, wait: Wait, *, threads: int) -> bool:
    """Fill a build and swap it in, or hold it back; False when the job was to stop before."""
    build.indexer = indexer
    names = _read_dictionary(indexer)
    set_status(indexer.pk, IndexerStatus.INDEXING)
    many = last_sequence(indexer.project_id) >= MANY_DOCUMENTS
    with Filling(build, threads=threads if many else 0) as filling:
        if filling.sequence:
            filling.words.recount(filling.snapshot())
            write_log(indexer.pk, f"Going on with {build.name} after {say_count(filling.done, 'document')}.")
        filling.begin(timezone.now())
        write_log(indexer.pk, f"Building {build.name}: {say_count(build.total, 'document')} to read.")
        filling.scores = _analyse_links(indexer, filling, wait)
        if filling.scores is None:
            return False
        write_log(indexer.pk, filling.scores.report.sentence)
        write_log(indexer.pk, filling.scores.report.convergence, level=LogLevel.DEBUG)
        if not fill(filling, should_stop=wait.stop):
            return False
        filling.scores = None
        filling.words.save(typing_folder(filling.folder), sequence=filling.sequence, q=indexer.q, dictionary=names)
        _finish(indexer, filling)
    return True


class _Stopped(Exception):
    """The job was to stop during the analysis of links."""


def _analyse_links(indexer: Indexer, filling: Filling, wait: Wait) -> LinkScores | None:
    """None when the job was to stop before; it tells how far it is when it takes long."""
    told_at = time.monotonic()

    def progress(done: int, total: int) -> None:
        nonlocal told_at
        if wait.stop():
            raise _Stopped
        if time.monotonic() - told_at >= TELL_SECONDS:
            told_at = time.monotonic()
            write_log(indexer.pk, f"Reading the links of pages: {100 * done // max(total, 1)} %.")

    try:
        return analyse_links(list(filling.reader.crawlers), progress, with_hits=filling.plan.hits)
    except _Stopped:
        return None


def _read_dictionary(indexer: Indexer) -> Sequence[Any]:
    set_status(indexer.pk, IndexerStatus.DICTIONARY)
    names = dictionary_names(indexer.dictionary)
    if indexer.dictionary is not None:
        write_log(indexer.pk, f"Read {say_count(len(names), 'name')} of the dictionary “{indexer.dictionary.name}”.")
    return names


def _finish(indexer: Indexer, filling: Filling) -> None:
    build, snapshot = filling.build, filling.snapshot()
    now = timezone.now()
    IndexBuild.objects.filter(pk=build.pk).update(fill=fill_of(snapshot, filling.plan), finished_at=now)
    for sentence in problem_sentences(build.problems):
        write_log(indexer.pk, sentence, level=LogLevel.WARNING)
    comparison = _compare_with_served(indexer, filling)
    if comparison is not None and comparison.reasons:
        reason = "Held back: " + " ".join(comparison.reasons) + " Look at the differences, then accept or discard it."
        hold_build(build, reason=reason, comparison=asdict(comparison))
        set_status(indexer.pk, IndexerStatus.COMPLETED, reason=reason)
        write_log(indexer.pk, reason, level=LogLevel.WARNING)
        return
    if comparison is not None:
        IndexBuild.objects.filter(pk=build.pk).update(comparison=asdict(comparison))
    if serve_build(build):
        told = f"{build.name} answers searches now: {say_count(snapshot.live_documents, 'document')}."
        set_status(indexer.pk, IndexerStatus.COMPLETED)
        write_log(indexer.pk, told)


def _compare_with_served(indexer: Indexer, filling: Filling) -> Comparison | None:
    """None when there is nothing to compare with."""
    served = served_build(indexer)
    if served is None:
        return None
    try:
        before = open_snapshot(indexer_folder(indexer.pk) / served.name)
    except IndexFaultError:
        return None
    plans = BuildPlan.from_json(served.plan), filling.plan
    return compare_builds(before, filling.snapshot(), plans=plans, max_loss_percent=indexer.max_loss_percent)


# --- following


class Following:
    """Keeps the served build in step with the documents; its cost is that of what changed.

    While a `held` build waits for a person, so far as that loses nothing: what would is a part of their decision.
    """

    def __init__(self, indexer: Indexer, wait: Wait, *, held: IndexBuild | None = None) -> None:
        self._indexer = indexer
        self._wait = wait
        self._held = held
        self._waits_for_person = False
        self._changed_at = indexer.updated_at
        self._looked_at = self._tidied_at = time.monotonic()

    def run(self) -> Next:
        """Until the job is to stop, there is something to build, or (not live) everything is in."""
        build = served_build(self._indexer)
        if build is None:
            return Next.BUILD
        build.indexer = self._indexer
        with Filling(build) as filling:
            if not filling.words.load(typing_folder(filling.folder), sequence=filling.sequence):
                filling.words.recount(filling.snapshot())
            filling.count_losses()
            folder = typing_folder(filling.folder)
            with WordSaving(filling.words, folder, self._indexer, sequence=filling.sequence) as saving:
                after = self._follow(filling, saving)
                saving.save_now(self._indexer, sequence=filling.sequence)
        return after

    def _follow(self, filling: Filling, saving: WordSaving) -> Next:
        while not self._wait.stop():
            if not self._waits_for_person and (changes := filling.next_changes()):
                batch = filling.read(changes)
                told = batch.losses.sentences(filling.losses, max_loss_percent=self._indexer.max_loss_percent)
                if told and self._held is None:
                    self._build_beside(told)
                    return Next.BUILD
                if told:
                    self._waits_for_person = True
                    continue
                filling.apply(batch)
                filling.commit()
                continue
            if not self._indexer.live:
                return Next.DONE
            if self._look_due() and (after := self._look(filling.reader)) is not None:
                return after
            saving.save_when_due(self._indexer, sequence=filling.sequence)
            self._wait.pause(POLL_SECONDS)
        return Next.STOP

    def _build_beside(self, told: Sequence[str]) -> None:
        """A site that changed its looks loses its documents, or one value of each, one by one: then a build is made
        to be looked at.
        """
        write_log(self._indexer.pk, f"{' '.join(told)} A build beside shows what is left.", level=LogLevel.WARNING)
        begin_build(self._indexer, plan_of(self._indexer).to_json())

    def _look_due(self) -> bool:
        now = time.monotonic()
        if now - self._looked_at < LOOK_SECONDS:
            return False
        self._looked_at = now
        return True

    def _look(self, reader: DocumentReader) -> Next | None:
        """Whether the indexer was changed so that something else is to be done; one small query when it was not."""
        rows = Indexer.objects.filter(pk=self._indexer.pk).values_list("updated_at", "live", "served_build")
        found = rows.first()
        if found is None:
            return Next.STOP
        if found[2] != self._indexer.served_build:
            return Next.BUILD
        if IndexBuild.objects.filter(indexer=self._indexer.pk, state=BuildState.BUILDING).exists():
            return Next.BUILD
        if self._held is not None and not IndexBuild.objects.filter(pk=self._held.pk, state=BuildState.HELD).exists():
            return Next.BUILD
        is_time = time.monotonic() - self._tidied_at >= TIDY_SECONDS
        if found[0] == self._changed_at and not is_time:
            return None
        return self._look_closely(reader)

    def _look_closely(self, reader: DocumentReader) -> Next | None:
        self._tidied_at = time.monotonic()
        self._indexer = Indexer.objects.select_related("project", "dictionary").get(pk=self._indexer.pk)
        self._changed_at = self._indexer.updated_at
        remove_old_builds(self._indexer)
        reader.look_again()
        stale = stale_sentences(self._indexer)
        if stale and self._held is None:
            write_log(self._indexer.pk, f"It needs a rebuild: {' '.join(stale)}")
            return Next.BUILD
        return None
