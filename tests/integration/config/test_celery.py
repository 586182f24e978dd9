"""Hints to nodes, and a broker that hangs."""

import logging
import socket
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
from kombu.exceptions import OperationalError

from backend.apps.jobs.clock import database_now
from backend.apps.jobs.head_store import SqlHeadStore
from backend.apps.jobs.models import JobState, PlacementState, Wish
from backend.apps.jobs.models import Placement as PlacementRow
from backend.apps.jobs.placements import wish_kill
from backend.apps.jobs.services import submit_runner, wish_for_job
from backend.apps.nodes.models import Node
from backend.apps.nodes.services import LOCALHOST, Slots, register_localhost, register_node, trust_node
from backend.config import celery
from backend.config.celery import Hints, app, look_at_placement
from head_node import HeadLoop, LiveWorker, Placement
from head_node.launchers import CeleryLauncher
from tests.integration.runners.test_sql_crawl_store import make_runner

WORKERS = [
    LiveWorker(placement_id=number, job_id=1, node="n1", number=number, placed_at=datetime(2026, 1, 1, tzinfo=UTC))
    for number in range(5)
]


@pytest.fixture
def silent_broker(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """It takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"redis://127.0.0.1:{listener.getsockname()[1]}/0"
        monkeypatch.setitem(app.conf, "broker_url", url)
        monkeypatch.setattr(app.amqp, "_producer_pool", None)
        monkeypatch.setattr(app, "_pool", None)
        yield url


def test_a_broker_that_hangs_is_asked_once_for_all_hints_and_again_later(
    silent_broker: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    hints = Hints()
    with caplog.at_level(logging.WARNING, logger="backend.config.celery"):
        for worker in WORKERS:
            hints.send(worker)
        assert [record.args[1] for record in caplog.records if record.args] == [0]
        monkeypatch.setattr(hints, "_rests_until", 0.0)  # some seconds later
        hints.send(WORKERS[3])
        hints.send(WORKERS[4])
    assert [record.args[1] for record in caplog.records if record.args] == [0, 3]


@pytest.mark.django_db
def test_while_the_broker_is_away_a_job_waits_however_long_that_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody heard of its placements, so nobody crashed; and when the broker is back it begins."""
    is_there, passed, sent = threading.Event(), [0], []
    hints = Hints()

    def take(arguments: tuple[int], **options: object) -> None:
        if not is_there.is_set():
            raise OperationalError("Connection refused.")
        sent.append(arguments[0])

    def tick() -> None:
        store = SqlHeadStore()
        monkeypatch.setattr(store, "now", lambda: database_now() + timedelta(seconds=passed[0]))
        Node.objects.filter(name="n1").update(heartbeat_at=store.now())
        launcher = CeleryLauncher(send=hints.send, wish_kill=wish_kill, gets_through=hints.get_through)
        HeadLoop(store=store, launchers={"": launcher}, name="head").tick()
        passed[0] += 4

    monkeypatch.setattr(look_at_placement, "apply_async", take)
    monkeypatch.setattr(celery, "time", SimpleNamespace(monotonic=lambda: passed[0]))
    now = database_now()
    register_node(name="n1", token=trust_node(name="n1"), address="", version="1", slots=Slots(2, 0), now=now)
    job = submit_runner(runner=make_runner(), workers=1, needs_browser=False, now=now)
    for _ in range(150):  # ten minutes
        tick()
    job.refresh_from_db()
    assert (job.state, job.crashes) == (JobState.QUEUED, 0)
    assert 2 <= job.placements.count() <= 10
    assert job.reason in ("", "Waiting: Redis does not answer, so nodes cannot be told to begin.")
    is_there.set()
    for _ in range(6):
        tick()
    assert sent


def test_a_hint_is_heard_by_a_node_whose_clock_is_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """Celery throws away what has expired on the receiver's clock: so a hint names no moment."""
    sent: list[dict[str, object]] = []
    monkeypatch.setattr(look_at_placement, "apply_async", lambda arguments, **options: sent.append(options))
    Hints().send(WORKERS[0])
    assert [sorted(options) for options in sent] == [["queue", "retry"]]


@pytest.fixture
def launched(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """What this machine starts."""
    started: list[int] = []
    launcher = SimpleNamespace(
        has_failed_to_begin=lambda worker: False, launch=lambda worker: started.append(worker.placement_id)
    )
    monkeypatch.setattr(celery, "_launcher", lambda: launcher)
    return started


@pytest.mark.django_db
@pytest.mark.parametrize("late", ["taken", "lost", "cancelled"])
def test_a_hint_that_comes_late_starts_nothing(launched: list[int], late: str) -> None:
    head = SqlHeadStore()
    register_localhost(version="1", now=head.now())
    job = submit_runner(runner=make_runner(), workers=1, needs_browser=False, now=head.now())
    worker = head.place(Placement(job.pk, 1, LOCALHOST))
    assert worker is not None
    look_at_placement(worker.placement_id)
    assert launched == [worker.placement_id]
    if late == "cancelled":
        wish_for_job(job_id=job.pk, wish=Wish.STOP, now=head.now())
    else:
        PlacementRow.objects.update(state=PlacementState.RUNNING if late == "taken" else PlacementState.LOST)
    look_at_placement(worker.placement_id)
    assert launched == [worker.placement_id]
