"""How a worker is started and watched on the machine it runs on: the same for the head's own and for every node."""

import os
import socket
import sys
from collections.abc import Sequence
from pathlib import Path

from django.conf import settings

from backend.apps.nodes.services import Slots
from backend.config.crawl_worker import watch_file
from crawler_node.browser import has_browser
from crawler_node.extract.watch import WatchReader
from crawler_node.memory import reading_environment
from head_node import LiveWorker
from head_node.contracts import Hang
from head_node.launchers import LocalLauncher

PAGE_BUDGET_SECONDS = 10.0


def own_slots() -> Slots:
    """How many workers this machine takes, by the operator's word; none with a browser where there is no browser."""
    return Slots(settings.HTTP_SLOTS, settings.BROWSER_SLOTS if has_browser() else 0)


def local_launcher() -> LocalLauncher:
    return LocalLauncher(
        command=work_command,
        log_file=worker_log,
        find_hang=find_hang,
        machine=socket.gethostname(),
        environment=reading_environment(os.environ),
    )


def work_command(worker: LiveWorker) -> Sequence[str]:
    return [sys.executable, str(settings.BASE_DIR / "manage.py"), "work", "--placement", str(worker.placement_id)]


def worker_log(worker: LiveWorker) -> Path:
    return settings.VAR_DIR / "log" / "workers" / f"job-{worker.job_id}-worker-{worker.number}.log"


def find_hang(worker: LiveWorker) -> Hang | None:
    """The page that a worker of this machine has been reading for longer than a page may take."""
    path = watch_file(worker.placement_id)
    page = WatchReader(path).hung(PAGE_BUDGET_SECONDS) if path.exists() else None
    return Hang(page.url, page.sentence) if page is not None else None
