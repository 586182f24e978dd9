"""How a build comes from one state into another: each step is one conditional UPDATE, so that of two only one acts."""

from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from backend.apps.indexers.models import BuildState, IndexBuild, Indexer, IndexerStatus, IndexLogLine
from backend.apps.runners.models import LogLevel

UNFINISHED = (BuildState.BUILDING, BuildState.HELD)


@transaction.atomic
def begin_build(indexer: Indexer, plan: dict[str, Any]) -> IndexBuild:
    """The build that is under way, or a new one beside what is served; a held one gives way to it."""
    Indexer.objects.select_for_update().get(pk=indexer.pk)
    under_way = indexer.builds.filter(state=BuildState.BUILDING).first()
    if under_way is not None:
        return under_way
    indexer.builds.filter(state=BuildState.HELD).update(
        state=BuildState.DISCARDED, reason="A newer build was begun.", finished_at=timezone.now()
    )
    last = indexer.builds.aggregate(last=Max("number"))["last"] or 0
    return IndexBuild.objects.create(indexer=indexer, number=last + 1, plan=plan)


@transaction.atomic
def serve_build(build: IndexBuild) -> bool:
    """Let this build answer searches from now on; False when it may not any more (it was discarded meanwhile)."""
    indexer = Indexer.objects.select_for_update().get(pk=build.indexer_id)
    now = timezone.now()
    ready = IndexBuild.objects.filter(pk=build.pk, state__in=UNFINISHED)
    if not ready.exists():
        return False
    IndexBuild.objects.filter(indexer=indexer, state=BuildState.SERVED).update(
        state=BuildState.REPLACED, reason=f"{build.name} took its place.", updated_at=now
    )
    ready.update(state=BuildState.SERVED, reason="", updated_at=now)
    swapped = Indexer.objects.filter(pk=indexer.pk, served_build=indexer.served_build)
    return swapped.update(served_build=build.name) == 1


def hold_build(build: IndexBuild, *, reason: str, comparison: dict[str, Any]) -> bool:
    """Keep a finished build beside the served one until a person agrees."""
    building = IndexBuild.objects.filter(pk=build.pk, state=BuildState.BUILDING)
    return building.update(state=BuildState.HELD, reason=reason, comparison=comparison, updated_at=timezone.now()) == 1


def give_up_build(build: IndexBuild, *, state: str, reason: str) -> bool:
    """A build that will never be served: discarded by a person, or failed."""
    unfinished = IndexBuild.objects.filter(pk=build.pk, state__in=UNFINISHED)
    return unfinished.update(state=state, reason=reason, updated_at=timezone.now()) == 1


def set_status(indexer_id: int, status: str, *, reason: str = "") -> None:
    """The indexer as people see it."""
    Indexer.objects.filter(pk=indexer_id).update(status=status, reason=reason)


def write_log(indexer_id: int, message: str, *, level: str = LogLevel.INFO) -> None:
    """One sentence into the indexer's log."""
    IndexLogLine.objects.create(indexer_id=indexer_id, at=timezone.now(), level=level, message=message)


def progress_mark(indexer_id: int | None) -> int:
    """A number that grows while an index job gets anywhere."""
    newest = IndexBuild.objects.filter(indexer=indexer_id).order_by("-number").first()
    return -1 if newest is None else newest.number * 10**12 + newest.sequence


@transaction.atomic
def job_ended(indexer_id: int, *, is_good: bool, reason: str) -> None:
    """An index job has ended. What it was building when it was stopped or given up is of no use; what is served is."""
    unfinished = IndexBuild.objects.filter(indexer=indexer_id, state=BuildState.BUILDING).first()
    if unfinished is None:
        if not is_good:
            Indexer.objects.filter(pk=indexer_id).update(reason=reason)
            write_log(indexer_id, reason, level=LogLevel.WARNING)
        return
    give_up_build(unfinished, state=BuildState.FAILED, reason=reason)
    set_status(indexer_id, IndexerStatus.EXIT, reason=reason)
    write_log(indexer_id, reason, level=LogLevel.ERROR)
