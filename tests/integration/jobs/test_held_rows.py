"""A worker that stands still in the middle of a transaction: nobody else waits for it, and people are heard."""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import pytest
from django.core.management import call_command
from django.db import connection, connections, transaction

from backend.apps.jobs.clock import database_now
from backend.apps.jobs.head_store import SqlHeadStore
from backend.apps.jobs.models import Job, JobState, Placement, PlacementState, Wish
from backend.apps.jobs.services import submit_runner
from backend.apps.jobs.settlements import live_worker
from backend.apps.jobs.worker_session import WorkerSession
from backend.apps.nodes.services import LOCALHOST, register_localhost
from backend.apps.runners.crawl_store import SqlCrawlStore
from backend.apps.runners.models import CrawlState, Runner
from backend.apps.runners.services import start_runner, stop_runner
from backend.config.management.commands import head, work
from crawler_node.frontier import FrontierOptions
from head_node.contracts import Placement as Place
from tests.contracts.crawl_store import candidate
from tests.integration.runners.kept_pages import shop_crawler
from tests.integration.runners.test_sql_crawl_store import make_runner

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
PATIENCE_SECONDS = 60.0


@contextmanager
def held(runner: Runner) -> Iterator[None]:
    """Another connection has the run's state and does nothing."""
    is_held, let_go = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic():
            CrawlState.objects.select_for_update().get(runner=runner)
            is_held.set()
            let_go.wait()
        connections.close_all()

    thread = threading.Thread(target=hold)
    thread.start()
    assert is_held.wait(PATIENCE_SECONDS)
    try:
        yield
    finally:
        let_go.set()
        thread.join()


def at_work(job: Job) -> Placement:
    worker = SqlHeadStore().place(Place(job.pk, 1, LOCALHOST))
    assert worker is not None
    WorkerSession(worker.placement_id)._claim()
    return Placement.objects.get(pk=worker.placement_id)


@pytest.fixture
def other(job: Job) -> Job:
    runner = make_runner()
    SqlCrawlStore(runner, FrontierOptions()).plant([candidate("/a")])
    return submit_runner(runner=runner, workers=1, needs_browser=False, now=database_now())


def test_the_head_goes_on_with_others_and_comes_back_later(job: Job, other: Job) -> None:
    stuck, free = at_work(job), at_work(other)
    store = SqlHeadStore()
    with held(job.runner):
        for placement in (stuck, stuck, free):
            store.worker_vanished(live_worker(placement), reason="Its process is gone.")
        stuck.refresh_from_db()
        free.refresh_from_db()
        assert (stuck.state, free.state) == (PlacementState.RUNNING, PlacementState.LOST)
    SqlHeadStore().worker_vanished(live_worker(stuck), reason="Its process is gone.")
    stuck.refresh_from_db()
    assert stuck.state == PlacementState.LOST


def test_a_cancel_is_heard_while_the_crawl_is_held() -> None:
    register_localhost(version="1", now=database_now())
    job = start_runner(crawler=shop_crawler(), user=None).jobs.get()
    at_work(job)

    def stop() -> None:
        try:
            stop_runner(runner=job.runner)
        finally:
            connections.close_all()

    person = threading.Thread(target=stop)
    with held(job.runner):
        person.start()
        deadline = time.monotonic() + PATIENCE_SECONDS
        while Job.objects.get(pk=job.pk).wish != Wish.STOP and time.monotonic() < deadline:
            time.sleep(0.05)
        heard = Job.objects.get(pk=job.pk)
    person.join()
    assert (heard.wish, heard.state) == (Wish.STOP, JobState.EXITING)
    assert CrawlState.objects.get(runner=job.runner).wish == "stop"


@pytest.mark.parametrize(
    ("command", "asked"), [("work", {"idle": "12s", "lock": "0"}), ("head", {"idle": "12s", "lock": "3s"})]
)
def test_workers_and_heads_that_stand_still_in_a_transaction_are_thrown_out(
    monkeypatch: pytest.MonkeyPatch, command: str, asked: dict[str, str]
) -> None:
    monkeypatch.setitem(connection.settings_dict, "OPTIONS", dict(connection.settings_dict["OPTIONS"]))
    monkeypatch.setattr(signal, "signal", lambda number, handler: None)
    monkeypatch.setattr(head, "serve_head", lambda pulse: None)
    found: dict[str, str] = {}

    def look(*_: object) -> NoReturn:
        connection.close()
        with connection.cursor() as cursor:
            for short, name in (("idle", "idle_in_transaction_session_timeout"), ("lock", "lock_timeout")):
                cursor.execute(f"SHOW {name}")
                found[short] = cursor.fetchone()[0]
        raise KeyboardInterrupt

    monkeypatch.setattr(head, "make_head", look)
    monkeypatch.setattr(work, "WorkerSession", look)
    words = ["--placement", "1"] if command == "work" else []
    with pytest.raises(KeyboardInterrupt):
        call_command(command, *words)
    connection.close()
    assert found == asked
