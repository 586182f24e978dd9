"""Hints to nodes, and a broker that hangs."""

import logging
import socket
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from backend.config.celery import Hints, app
from head_node import LiveWorker

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
