"""Logs and watch files of workers that ended do not stay for ever."""

import os
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from backend.apps.jobs.clock import database_now
from backend.apps.jobs.head_store import SqlHeadStore
from backend.apps.jobs.models import Job, JobState
from backend.apps.nodes.services import LOCALHOST
from backend.config.crawl_worker import watch_file
from backend.config.head import WorkerFiles
from backend.config.launching import worker_log
from head_node import LiveWorker, Placement
from tests.integration.jobs.conftest import job

__all__ = ["job"]
MONTH = timedelta(days=30)


@pytest.fixture
def worker(job: Job, settings: Any, tmp_path: Path) -> LiveWorker:
    """One that has left a log, a watch file and something that is none of ours, a month ago."""
    settings.VAR_DIR = tmp_path
    placed = SqlHeadStore().place(Placement(job.pk, 1, LOCALHOST))
    assert placed is not None
    worker_log(placed).parent.mkdir(parents=True)
    for path in files_of(placed):
        write(path, database_now() - MONTH)
    return placed


def files_of(worker: LiveWorker) -> list[Path]:
    return [worker_log(worker), watch_file(worker.placement_id), watch_file(worker.placement_id).parent / "other.txt"]


def write(path: Path, at: datetime) -> None:
    path.write_text("x")
    os.utime(path, (at.timestamp(), at.timestamp()))


def left(worker: LiveWorker) -> list[bool]:
    return [path.exists() for path in files_of(worker)]


def test_old_files_of_workers_that_ended_are_removed(worker: LiveWorker) -> None:
    WorkerFiles()()
    assert left(worker) == [True, True, True]  # its job is open, its placement too
    SqlHeadStore().worker_vanished(worker, reason="Its process is gone.")
    WorkerFiles()()
    assert left(worker) == [True, False, True]  # its next worker writes to the same log
    Job.objects.update(state=JobState.FINISHED)
    WorkerFiles()()
    assert left(worker) == [False, False, True]


def test_fresh_files_stay_and_prune_removes_those_older_than_it_is_told(worker: LiveWorker) -> None:
    SqlHeadStore().worker_vanished(worker, reason="Its process is gone.")
    Job.objects.update(state=JobState.FINISHED)
    for path in files_of(worker):
        write(path, database_now() - timedelta(hours=3))
    WorkerFiles()()
    call_command("prune", "--older-than", "4h")
    assert left(worker) == [True, True, True]
    call_command("prune", "--older-than", "2h")
    assert left(worker) == [False, False, True]
