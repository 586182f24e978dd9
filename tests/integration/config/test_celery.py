"""Hints to nodes, and a broker that hangs."""

import logging
import socket
from collections.abc import Iterator
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from backend.apps.jobs.head_store import SqlHeadStore
from backend.apps.jobs.models import Placement as PlacementRow
from backend.apps.jobs.models import PlacementState, Wish
from backend.apps.jobs.services import submit_runner, wish_for_job
from backend.apps.nodes.services import LOCALHOST, register_localhost
from backend.config import celery
from backend.config.celery import Hints, app, look_at_placement
from head_node import LiveWorker, Placement
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
