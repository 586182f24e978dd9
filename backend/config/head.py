"""The head node put together: the SQL store and the launchers."""

import os
import socket
import sys
from collections.abc import Sequence
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from backend.apps.jobs.head_store import SqlHeadStore
from backend.apps.nodes.services import beat_localhost, register_localhost
from backend.config.crawl_worker import watch_file
from crawler_node.extract.watch import WatchReader
from head_node import HeadLoop, LiveWorker
from head_node.contracts import Hang
from head_node.launchers import LocalLauncher

PAGE_BUDGET_SECONDS = 10.0


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
