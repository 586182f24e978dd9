"""The head node put together: the SQL store and the launchers."""

import logging
import os
import socket
import time
from abc import ABC, abstractmethod

from django.conf import settings
from django.db import DatabaseError, ProgrammingError

from backend.apps.events.retention import sweep_events
from backend.apps.housekeeping.disk import pause_when_full
from backend.apps.housekeeping.sweeping import sweep
from backend.apps.indexers.cleaning import remove_strange_folders
from backend.apps.jobs.clock import database_now
from backend.apps.jobs.head_store import SqlHeadStore
from backend.apps.jobs.models import Placement, PlacementState
from backend.apps.jobs.placements import wish_kill
from backend.apps.nodes.rights import renew_worker_rights, trace_of_rights
from backend.apps.nodes.services import LOCALHOST, beat_localhost, register_localhost
from backend.apps.runners.services import resume_due_runners
from backend.config.launching import local_launcher, own_slots
from backend.config.observing.metrics import HEAD_TICKS
from backend.config.worker_files import KEPT, remove_worker_files
from crawler_node.errors import StoreError
from head_node import HeadLoop, LiveWorker
from head_node.contracts import SlotKind
from head_node.launchers import CeleryLauncher

log = logging.getLogger(__name__)


def make_head() -> HeadLoop:
    """A head node of this process; while it leads, this machine is the node `localhost`."""
    _renew_rights()
    elsewhere = CeleryLauncher(send=_send_hint, wish_kill=wish_kill, gets_through=_hints_get_through)
    launchers = {LOCALHOST: local_launcher(), "": elsewhere}
    store = SqlHeadStore(on_lead=_register_this_machine)
    return HeadLoop(store=store, launchers=launchers, name=f"{socket.gethostname()}-{os.getpid()}")


def stop_following(head: HeadLoop) -> None:
    """End the index workers of this machine: those of live indexes follow for ever, also when no head is left.

    For commands whose head leads only until they end. The jobs go on with the next head.
    """
    head.stop_workers(of=lambda job: job.slots is SlotKind.INDEX)


def _register_this_machine() -> None:
    """Not before it leads: who stands by would give the machine of the head that does other slots than it has."""
    register_localhost(version=settings.VERSION, now=database_now(), slots=own_slots())


def _renew_rights() -> None:
    """A migration may have brought tables since nodes were invited; who may not grant leaves that to its owner."""
    try:
        renew_worker_rights()
    except ProgrammingError as error:
        log.warning("The rights of nodes could not be renewed: %s", error)


def _send_hint(worker: LiveWorker) -> None:
    from backend.config.celery import send_hint  # noqa: PLC0415 (a Gleaner without other machines needs no Celery)

    send_hint(worker)


def _hints_get_through() -> bool:
    from backend.config.celery import hints  # noqa: PLC0415 (as above)

    return hints.get_through()


class LocalhostHeartbeat:
    """Called after every tick; writes at most every few seconds."""

    EVERY_SECONDS = 5

    def __init__(self) -> None:
        self._next = 0.0

    def __call__(self) -> None:
        if time.monotonic() >= self._next:
            workers = Placement.objects.filter(node__name=LOCALHOST, state=PlacementState.RUNNING).count()
            beat_localhost(now=database_now(), folder=settings.VAR_DIR, workers=workers)
            self._next = time.monotonic() + self.EVERY_SECONDS


class Housekeeping:
    """Called after every tick: pauses runs when the disk is nearly full, and sweeps what people deleted.

    A share of each tick, so that jobs never wait long; a database that refuses is left in peace for a while.
    """

    SWEEP_SECONDS = 0.2
    REST_SECONDS = 60.0
    EVENTS_SECONDS = 60.0

    def __init__(self) -> None:
        self._rests_until = 0.0
        self._events_swept = -self.EVENTS_SECONDS

    def __call__(self) -> None:
        if time.monotonic() < self._rests_until:
            return
        try:
            pause_when_full(folder=settings.VAR_DIR, min_free_bytes=settings.MIN_FREE_DISK_BYTES)
            sweep(seconds=self.SWEEP_SECONDS)
            self._sweep_events()
        except (DatabaseError, StoreError) as error:
            log.warning("Housekeeping rests for a minute: %s", error)
            self._rests_until = time.monotonic() + self.REST_SECONDS

    def _sweep_events(self) -> None:
        """A batch a minute, and one at every tick while there is more."""
        if time.monotonic() - self._events_swept >= self.EVENTS_SECONDS and not sweep_events(now=database_now()):
            self._events_swept = time.monotonic()


class Seldom(ABC):
    """A duty that is called after every tick, and done once in so many seconds."""

    EVERY_SECONDS: float

    def __init__(self) -> None:
        self._next = 0.0

    def __call__(self) -> None:
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + self.EVERY_SECONDS
            self.do()

    @abstractmethod
    def do(self) -> None: ...


class DuePauses(Seldom):
    """Runs that a server asked to wait go on when the time has come."""

    EVERY_SECONDS = 2.0

    def do(self) -> None:
        resume_due_runners()


class IndexFolders(Seldom):
    """Removes the index files of indexers that were deleted."""

    EVERY_SECONDS = 60.0

    def do(self) -> None:
        remove_strange_folders()


class WorkerFiles(Seldom):
    """Removes the old files of workers that ended on this machine."""

    EVERY_SECONDS = 3600.0

    def do(self) -> None:
        remove_worker_files(before=database_now() - KEPT)


class NodeRights(Seldom):
    """Soon after tables came or rights were taken, nodes have theirs again.

    One look at the catalogue; rights are given only after a change, for each GRANT makes every connection read anew.
    """

    EVERY_SECONDS = 10.0

    def __init__(self) -> None:
        super().__init__()
        self._seen: str | None = None

    def do(self) -> None:
        if trace_of_rights() != self._seen:
            _renew_rights()
            self._seen = trace_of_rights()


class AfterTick:
    """What the head node does beside its jobs."""

    def __init__(self) -> None:
        self._duties = (
            LocalhostHeartbeat(),
            Housekeeping(),
            DuePauses(),
            IndexFolders(),
            WorkerFiles(),
            NodeRights(),
        )

    def __call__(self) -> None:
        HEAD_TICKS.inc()
        for duty in self._duties:
            duty()
