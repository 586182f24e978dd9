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
from head_node import HeadLoop, LiveWorker
from head_node.launchers import LocalLauncher


def work_command(worker: LiveWorker) -> Sequence[str]:
    return [sys.executable, str(settings.BASE_DIR / "manage.py"), "work", "--placement", str(worker.placement_id)]


def worker_log(worker: LiveWorker) -> Path:
    return settings.VAR_DIR / "log" / "workers" / f"job-{worker.job_id}-worker-{worker.number}.log"


def make_head() -> HeadLoop:
    """A head node of this process, with this machine as its first node."""
    register_localhost(version=settings.VERSION, now=timezone.now())
    launcher = LocalLauncher(command=work_command, log_file=worker_log)
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
