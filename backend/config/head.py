"""The head node put together: the SQL store and the launchers."""

import logging
import os
import socket
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone

from backend.apps.housekeeping.disk import pause_when_full
from backend.apps.housekeeping.sweeping import sweep
from backend.apps.jobs.head_store import SqlHeadStore
from backend.apps.nodes.services import beat_localhost, register_localhost
from backend.config.crawl_worker import watch_file
from crawler_node.extract.watch import WatchReader
from head_node import HeadLoop, LiveWorker
from head_node.contracts import Hang
from head_node.launchers import LocalLauncher

PAGE_BUDGET_SECONDS = 10.0
log = logging.getLogger(__name__)


def work_command(worker: LiveWorker) -> Sequence[str]:
    return [sys.executable, str(settings.BASE_DIR / "manage.py"), "work", "--placement", str(worker.placement_id)]


def worker_log(worker: LiveWorker) -> Path:
    return settings.VAR_DIR / "log" / "workers" / f"job-{worker.job_id}-worker-{worker.number}.log"


def find_hang(worker: LiveWorker) -> Hang | None:
    """The page that a worker of this machine has been reading for longer than a page may take."""
    path = watch_file(worker.placement_id)
    page = WatchReader(path).hung(PAGE_BUDGET_SECONDS) if path.exists() else None
    return Hang(page.url, page.sentence) if page is not None else None


def make_head() -> HeadLoop:
    """A head node of this process, with this machine as its first node."""
    register_localhost(version=settings.VERSION, now=timezone.now())
    launcher = LocalLauncher(command=work_command, log_file=worker_log, find_hang=find_hang)
    name = f"{socket.gethostname()}-{os.getpid()}"
    return HeadLoop(store=SqlHeadStore(), launchers={"": launcher}, name=name)


class LocalhostHeartbeat:
    """Called after every tick; writes at most every few seconds."""

    EVERY_SECONDS = 5

    def __init__(self) -> None:
        self._last = timezone.now()

    def __call__(self) -> None:
        now = timezone.now()
        if (now - self._last).total_seconds() >= self.EVERY_SECONDS:
            beat_localhost(now=now)
            self._last = now


class Housekeeping:
    """Called after every tick: pauses runs when the disk is nearly full, and sweeps what people deleted.

    A share of each tick, so that jobs never wait long; a database that refuses is left in peace for a while.
    """

    SWEEP_SECONDS = 0.2
    REST_SECONDS = 60.0

    def __init__(self) -> None:
        self._rests_until = 0.0

    def __call__(self) -> None:
        if time.monotonic() < self._rests_until:
            return
        try:
            pause_when_full(folder=settings.VAR_DIR, min_free_bytes=settings.MIN_FREE_DISK_BYTES)
            sweep(seconds=self.SWEEP_SECONDS)
        except DatabaseError as error:
            log.warning("Housekeeping rests for a minute: %s", error)
            self._rests_until = time.monotonic() + self.REST_SECONDS


class AfterTick:
    """What the head node does beside its jobs."""

    def __init__(self) -> None:
        self._duties = (LocalhostHeartbeat(), Housekeeping())

    def __call__(self) -> None:
        for duty in self._duties:
            duty()
