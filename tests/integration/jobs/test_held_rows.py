"""A worker that stands still in the middle of a transaction: nobody else waits for it, and people are heard."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
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
    head = SqlHeadStore()
    with held(job.runner):
        for placement in (stuck, stuck, free):
            head.worker_vanished(live_worker(placement), reason="Its process is gone.")
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


def test_whoever_stands_still_in_a_transaction_is_thrown_out() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SHOW idle_in_transaction_session_timeout")
        assert cursor.fetchone() == ("12s",)
