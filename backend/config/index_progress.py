"""Building an index from the command line: a head node of our own where none leads, and a line of progress."""

import contextlib
import threading
from typing import Any

from backend.apps.documents.following import last_sequence
from backend.apps.errors import Conflict
from backend.apps.indexers.models import BuildState, IndexBuild, Indexer, IndexerStatus
from backend.apps.indexers.running import open_job, start_indexer
from backend.apps.indexers.selectors import eta_seconds, stale_sentences, state_of
from backend.config.head import make_head, stop_following
from backend.config.live_line import LiveLine
from wording import say_count

TICK_SECONDS = 0.3


class IndexProgress:
    """How far a build is, as a live line."""

    def __init__(self, out: Any) -> None:
        self._line = LiveLine(out)

    def show(self, indexer: Indexer, build: IndexBuild | None) -> None:
        if build is not None:
            self._line.say(f"{indexer.status}: {describe(build)}")

    def close(self) -> None:
        self._line.close()


def describe(build: IndexBuild) -> str:
    """How far a build is, in words."""
    parts = [f"{build.done:,} of {say_count(build.total, 'document')}", f"{build.documents_per_second:,.0f} a second"]
    if (left := eta_seconds(build)) is not None:
        parts.append(f"about {left:.0f} s left")
    return ", ".join(parts)


def build_to_the_end(indexer: Indexer, *, rebuild: bool, progress: IndexProgress, stop: threading.Event) -> Indexer:
    """Until the index holds every document there was at the start.

    Of a live index the job stays, and goes on with the next `./gleaner up`.
    """
    head, target = make_head(), last_sequence(indexer.project_id)
    is_leading = head.tick()
    _begin(indexer, rebuild=rebuild)
    try:
        while not stop.is_set():
            is_leading = head.tick()
            indexer = Indexer.objects.select_related("project").get(pk=indexer.pk)
            build = indexer.builds.filter(state=BuildState.BUILDING).first()
            progress.show(indexer, build)
            if build is None and _is_over(indexer, target):
                break
            stop.wait(TICK_SECONDS)
        if is_leading:
            stop_following(head)
    finally:
        head.resign()
        progress.close()
    return Indexer.objects.select_related("project").get(pk=indexer.pk)


def _begin(indexer: Indexer, *, rebuild: bool) -> None:
    """Start, or leave it to the job that is there."""
    is_needed = rebuild or bool(stale_sentences(indexer))
    with contextlib.suppress(Conflict):
        start_indexer(indexer=indexer, rebuild=is_needed)


def _is_over(indexer: Indexer, target: int) -> bool:
    if open_job(indexer) is None or indexer.builds.filter(state=BuildState.HELD).exists():
        return True
    served = indexer.builds.filter(state=BuildState.SERVED).first()
    return served is not None and served.sequence >= target and indexer.status == IndexerStatus.COMPLETED


def report_of(indexer: Indexer, *, seconds: float) -> dict[str, Any]:
    """What the command prints last."""
    state = state_of(indexer)
    shown = state["held"] or state["served"] or {}
    return {
        "indexer": indexer.pk,
        "status": state["status"],
        "reason": state["reason"],
        "build": shown.get("name"),
        "documents": shown.get("documents", 0),
        "is_held_back": state["held"] is not None,
        "documents_per_second": shown.get("documents_per_second", 0.0),
        "warnings": state["warnings"],
        "seconds": round(seconds, 2),
    }
