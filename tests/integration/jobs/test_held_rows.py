"""A worker that stands still in the middle of a transaction: nobody else waits for it, and people are heard."""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from typing import Any, NoReturn

import pytest
from django.core.management import call_command
from django.db import connection, connections, transaction
from django.db.models import QuerySet

from backend.apps.jobs.clock import database_now
from backend.apps.jobs.head_store import SqlHeadStore
from backend.apps.jobs.held import PATIENCE_MS
from backend.apps.jobs.models import Job, JobState, Placement, PlacementState, Wish
from backend.apps.jobs.placements import wish_kill
from backend.apps.jobs.services import submit_runner
from backend.apps.jobs.settlements import live_worker
from backend.apps.jobs.transitions import GOES_ON
from backend.apps.jobs.worker_session import WorkerSession
from backend.apps.nodes.models import Node
from backend.apps.nodes.services import LOCALHOST, Slots, register_localhost, register_node, trust_node
from backend.apps.runners.crawl_store import SqlCrawlStore
from backend.apps.runners.models import CrawlState, CrawlUrl, Runner, RunnerStatus, UrlState
from backend.apps.runners.services import start_runner, stop_runner
from backend.config.management.commands import head, work
from crawler_node.frontier import FrontierOptions
from head_node import HeadLoop
from head_node.contracts import Hang
from head_node.contracts import Placement as Place
from head_node.launchers import CeleryLauncher
from tests.contracts.crawl_store import candidate
from tests.integration.jobs.test_wishes import Machine
from tests.integration.runners.kept_pages import shop_crawler
from tests.integration.runners.test_sql_crawl_store import make_runner

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
PATIENCE_SECONDS = 60.0


@contextmanager
def held(runner: Runner) -> Iterator[None]:
    """Another connection has the run's state and does nothing."""
    with holding(CrawlState.objects.filter(runner=runner)):
        yield


@contextmanager
def holding(rows: QuerySet[Any]) -> Iterator[None]:
    is_held, let_go = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic():
            list(rows.select_for_update())
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


def test_nobody_is_said_to_work_because_its_job_is_held(job: Job, other: Job) -> None:
    stuck, free = at_work(job), at_work(other)
    store = SqlHeadStore()
    with holding(Job.objects.filter(pk=job.pk)):
        for placement in (stuck, stuck, free):
            store.worker_vanished(live_worker(placement), reason="Its process is gone.")
        stuck.refresh_from_db()
        free.refresh_from_db()
        assert (stuck.state, free.state) == (PlacementState.LOST, PlacementState.LOST)
    await_told(store, job)
    assert (job.crashes, job.runner.status) == (1, RunnerStatus.LOST)
    assert job.reason == f"Its process is gone. {GOES_ON}"


def test_the_next_head_tells_a_job_what_the_last_one_could_not(job: Job) -> None:
    stuck = at_work(job)
    with holding(Job.objects.filter(pk=job.pk)):
        SqlHeadStore().worker_vanished(live_worker(stuck), reason="The node was lost.", is_crash=False)
    successor = SqlHeadStore()
    assert successor.lead(head="successor")
    await_told(successor, job)
    assert job.runner.status == RunnerStatus.LOST


def await_told(store: SqlHeadStore, job: Job) -> None:
    """As the head does it: with every tick."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    job.refresh_from_db()
    assert job.state == JobState.RUNNING
    while job.state != JobState.QUEUED and time.monotonic() < deadline:
        store.return_leases()
        time.sleep(0.1)
        job.refresh_from_db()
    assert job.state == JobState.QUEUED
    job.runner.refresh_from_db()


def test_who_stands_still_while_it_claims_its_placement_does_not_stop_the_head(job: Job, other: Job) -> None:
    node = far_node()
    stuck = SqlHeadStore().place(Place(job.pk, 1, node.name))
    assert stuck is not None
    past = database_now() - timedelta(minutes=1)
    dead = at_work(other)
    Placement.objects.filter(pk=dead.pk).update(node=node, lease_expires_at=past)
    Node.objects.filter(pk=node.pk).update(heartbeat_at=past)
    elsewhere = CeleryLauncher(send=lambda worker: None, wish_kill=wish_kill)
    head = HeadLoop(store=SqlHeadStore(), launchers={LOCALHOST: Machine(), "": elsewhere}, name="head")
    with holding(Placement.objects.filter(pk=stuck.placement_id)):
        assert head.tick()
        dead.refresh_from_db()
        assert (dead.state, dead.is_kill_wished) == (PlacementState.LOST, True)
        assert Placement.objects.filter(job=other, state=PlacementState.PLACED, node__name=LOCALHOST).exists()


def test_a_job_that_is_held_is_placed_later_and_keeps_nobody_else_waiting(job: Job, other: Job) -> None:
    head = HeadLoop(store=SqlHeadStore(), launchers={LOCALHOST: Machine()}, name="head")
    with holding(Job.objects.filter(pk=job.pk)):
        assert head.tick()
        assert list(Placement.objects.values_list("job", flat=True)) == [other.pk]


def test_many_crawls_that_are_held_are_waited_for_one_after_the_other() -> None:
    """However many workers a node took with it, the last of them is not said to run for long."""
    store, dead = SqlHeadStore(), []
    register_localhost(version="1", now=database_now())
    with ExitStack() as stack:
        for _ in range(3):
            runner = make_runner()
            SqlCrawlStore(runner, FrontierOptions()).plant([candidate("/a"), candidate("/b")])
            job = submit_runner(runner=runner, workers=1, needs_browser=False, now=database_now())
            dead.append(at_work(job))
            lease_all(job, worker=dead[-1].worker_name)
            stack.enter_context(held(runner))
        began = time.monotonic()
        for placement in dead:
            store.worker_vanished(live_worker(placement), reason="The node was lost.", is_crash=False)
        store.return_leases()
        assert time.monotonic() - began < 2 * PATIENCE_MS / 1000
    for placement in dead:
        await_returned(store, placement.job)


def far_node() -> Node:
    token = trust_node(name="n1")
    return register_node(name="n1", token=token, address="", version="1", slots=Slots(9, 0), now=database_now())


def test_nobody_is_said_to_work_because_its_crawl_is_held(job: Job) -> None:
    dead = at_work(job)
    lease_all(job, worker=dead.worker_name)
    store = SqlHeadStore()
    with held(job.runner):
        store.worker_vanished(live_worker(dead), reason="The node was lost.")
        store.return_leases()
        dead.refresh_from_db()
        job.refresh_from_db()
        assert (dead.state, job.state) == (PlacementState.LOST, JobState.QUEUED)
        assert leased(job) == 2
    await_returned(store, job)


def test_the_next_head_gives_back_what_the_last_one_could_not(job: Job) -> None:
    dead = at_work(job)
    lease_all(job, worker=dead.worker_name)
    with held(job.runner):
        SqlHeadStore().worker_vanished(live_worker(dead), reason="The node was lost.")
    successor = SqlHeadStore()
    assert successor.lead(head="successor")
    successor.return_leases()
    assert leased(job) == 0


def test_a_page_that_held_its_worker_fails_though_its_crawl_was_held_too(job: Job) -> None:
    hanging = at_work(job)
    url = lease_all(job, worker=hanging.worker_name)[0]
    store = SqlHeadStore()
    with held(job.runner):
        hang = Hang(url, "It took too long.")
        store.worker_vanished(live_worker(hanging), reason=hang.sentence, is_crash=False, is_lost=False, hang=hang)
    await_returned(store, job)
    states = dict(CrawlUrl.objects.filter(runner=job.runner).values_list("url", "state"))
    assert states.pop(url) == UrlState.FAILED
    assert set(states.values()) == {UrlState.QUEUED}


@pytest.mark.parametrize(
    "told", ["x", {"url": 1, "sentence": "Too long."}, {"url": "https://a.example/"}, {"x": {}}, [1]]
)
def test_whatever_a_node_writes_about_a_page_does_not_stop_the_head(job: Job, told: object) -> None:
    worker = at_work(job)
    worker.hang = worker.live = told
    worker.save()
    assert [each.hang for each in SqlHeadStore().open_jobs()[0].live] == [None]
    assert Placement.objects.get(pk=worker.pk).facts == (told if isinstance(told, dict) else {})


def lease_all(job: Job, *, worker: str) -> list[str]:
    batch = SqlCrawlStore(job.runner, FrontierOptions(respect_robots=False)).lease(worker=worker, limit=5)
    assert len(batch.leases) == 2
    return [lease.url for lease in batch.leases]


def leased(job: Job) -> int:
    return CrawlUrl.objects.filter(runner=job.runner, state=UrlState.LEASED).count()


def await_returned(store: SqlHeadStore, job: Job) -> None:
    """As the head does it: with every tick."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while leased(job) and time.monotonic() < deadline:
        store.return_leases()
        time.sleep(0.1)
    assert leased(job) == 0


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
