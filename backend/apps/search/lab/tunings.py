"""Searches for settings that run beside the web server's other work, one a time, and tell how far they are."""

import logging
import threading
import time
from datetime import timedelta
from typing import Any, Final

from django.db import close_old_connections, transaction
from django.utils import timezone

from backend.apps.errors import Conflict, GleanerError
from backend.apps.indexers.models import Indexer
from backend.apps.search.lab.evaluating import judged_queries
from backend.apps.search.lab.tuning import tune
from backend.apps.search.models import Tuning, TuningState
from backend.apps.search.served import SERVED

MAX_SECONDS: Final = 300.0
DEFAULT_SECONDS: Final = 30.0
SILENT: Final = timedelta(seconds=30)
"""Nobody works on a search that was silent for so long, nor waits to do so: its process has ended."""
BEAT_SECONDS: Final = 1.0
LOST: Final = "The server was restarted meanwhile. Start it again."
STOPPED: Final = "Someone stopped it."
WAITS: Final = "It waits until another search for settings has ended."
BROKE: Final = "It broke off by a fault of the server; its log says more. Start it again."
UNDER_WAY: Final = (TuningState.WAITING, TuningState.RUNNING)

logger = logging.getLogger(__name__)
_at_once = threading.Semaphore(1)


def start_tuning(*, indexer: Indexer, seconds: float) -> Tuning:
    """A search in the background that begins when no other one runs; Conflict while this indexer has one already."""
    served = SERVED.get(indexer)
    judged_queries(indexer, served, served.index.searcher)
    settle_silent()
    with transaction.atomic():
        Indexer.objects.select_for_update().get(pk=indexer.pk)
        if indexer.tunings.filter(state__in=UNDER_WAY).exists():
            raise Conflict("A search for settings of this indexer runs already. Wait for it, or stop it.")
        tuning = Tuning.objects.create(indexer=indexer, seconds=min(seconds, MAX_SECONDS), heartbeat_at=timezone.now())
        transaction.on_commit(lambda: _in_background(tuning.pk))
    return tuning


def stop_tuning(*, tuning: Tuning) -> None:
    """What was tried so far counts."""
    under_way = Tuning.objects.filter(pk=tuning.pk, state__in=UNDER_WAY)
    if not under_way.update(state=TuningState.STOPPED, reason=STOPPED):
        raise Conflict("It has ended already.")


def is_silent(tuning: Tuning) -> bool:
    """Whether it says that it runs or waits, and nobody is there to do it."""
    return tuning.state in UNDER_WAY and tuning.heartbeat_at < timezone.now() - SILENT


def settle_silent() -> None:
    """Searches whose process died are not running."""
    silent = Tuning.objects.filter(state__in=UNDER_WAY, heartbeat_at__lt=timezone.now() - SILENT)
    silent.update(state=TuningState.FAILED, reason=LOST)


def _in_background(tuning_id: int) -> None:
    threading.Thread(target=_work, args=(tuning_id,), name="tuning", daemon=True).start()


def _work(tuning_id: int) -> None:
    try:
        run_in_turn(tuning_id)
    finally:
        close_old_connections()


def run_in_turn(tuning_id: int) -> None:
    """Do the search when its turn has come; whatever breaks it off, it does not look like one that runs."""
    try:
        _wait_and_run(tuning_id)
    except Exception:
        logger.exception("The search for settings %d broke off.", tuning_id)
        under_way = Tuning.objects.filter(pk=tuning_id, state__in=UNDER_WAY)
        under_way.update(state=TuningState.FAILED, reason=BROKE)


def _wait_and_run(tuning_id: int) -> None:
    """Tells that it waits while another search runs; one that is stopped meanwhile never begins."""
    waiting = Tuning.objects.filter(pk=tuning_id, state=TuningState.WAITING)
    while not _at_once.acquire(timeout=BEAT_SECONDS):
        if not waiting.update(reason=WAITS, heartbeat_at=timezone.now()):
            return
    try:
        if waiting.update(state=TuningState.RUNNING, reason="", heartbeat_at=timezone.now()):
            run_tuning(tuning_id)
    finally:
        _at_once.release()


def run_tuning(tuning_id: int) -> None:
    """Do the search and write what came of it."""
    tuning = Tuning.objects.select_related("indexer").get(pk=tuning_id)
    rows = Tuning.objects.filter(pk=tuning_id)
    beat = _Beat(tuning_id)
    try:
        served = SERVED.get(tuning.indexer)
        result = tune(served, seconds=tuning.seconds, report=beat.report, stop=beat.is_stopped)
    except GleanerError as error:
        rows.update(state=TuningState.FAILED, reason=error.message)
        return
    rows.update(result=result, progress=1.0, trials=result["trials"], heartbeat_at=timezone.now())
    rows.filter(state=TuningState.RUNNING).update(state=TuningState.DONE, reason="")


class _Beat:
    """Writes progress once a second, and learns then whether to stop."""

    def __init__(self, tuning_id: int) -> None:
        self._rows = Tuning.objects.filter(pk=tuning_id)
        self._next = 0.0
        self._is_stopped = False

    def report(self, progress: float, trials: int) -> None:
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + BEAT_SECONDS
        changes: dict[str, Any] = {"progress": progress, "trials": trials, "heartbeat_at": timezone.now()}
        self._is_stopped = not self._rows.filter(state=TuningState.RUNNING).update(**changes)

    def is_stopped(self) -> bool:
        return self._is_stopped
