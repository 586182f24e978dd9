"""Signs of life go through one connection for as long as it lasts; processes are known whatever the clock says."""

import threading

import psutil
import pytest
from django.db import DatabaseError, connections

from backend.apps.jobs import worker_session
from backend.apps.jobs.head_store import SqlHeadStore
from backend.apps.jobs.models import Job, Placement
from backend.apps.jobs.settlements import live_worker
from backend.apps.jobs.worker_session import WorkerSession
from backend.apps.nodes.services import LOCALHOST
from backend.config import node_agent
from backend.config.launching import local_launcher
from backend.config.node_agent import NodeAgent
from head_node.contracts import Placement as Place

pytestmark = pytest.mark.django_db


class Turns:
    """Notes at each turn how often a connection was closed before; the third turn fails, the fifth is the last."""

    def __init__(self, over: threading.Event, monkeypatch: pytest.MonkeyPatch) -> None:
        self._over = over
        self._closed = 0
        self.closed: list[int] = []
        monkeypatch.setattr(connections["default"], "close", self._note_close)

    def _note_close(self) -> None:
        self._closed += 1

    def __call__(self) -> None:
        self.closed.append(self._closed)
        if len(self.closed) == 3:
            raise DatabaseError("the server ended the connection")
        if len(self.closed) == 5:
            self._over.set()


def test_a_worker_keeps_its_connection_until_it_breaks(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    session = WorkerSession(1)
    monkeypatch.setattr(worker_session, "BEAT_SECONDS", 0.0)
    beats = Turns(session._over, monkeypatch)
    monkeypatch.setattr(session, "_beat", beats)
    session._beat_until_over()
    assert beats.closed == [0, 0, 0, 1, 1]


def test_an_agent_keeps_its_connection_until_it_breaks(monkeypatch: pytest.MonkeyPatch) -> None:
    stop = threading.Event()
    turns = Turns(stop, monkeypatch)
    monkeypatch.setattr(node_agent, "TURN_SECONDS", 0.0)
    monkeypatch.setattr(node_agent.CeleryProcess, "keep_running", lambda self: None)
    agent = NodeAgent(name="n1", token="", address="")
    monkeypatch.setattr(agent, "_watch_and_beat", turns)
    monkeypatch.setattr(agent, "_stop_workers", lambda: None)
    agent.run(stop)
    assert turns.closed == [0, 0, 0, 1, 1]


def test_an_agent_stays_when_its_machine_cannot_start_celery_for_now(monkeypatch: pytest.MonkeyPatch) -> None:
    """No memory, or no process, for a moment: who ends then leaves workers that nobody watches."""
    stop, turns = threading.Event(), []

    def refuse(*words: object, **options: object) -> None:
        turns.append(words)
        if len(turns) == 3:
            stop.set()
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(node_agent.subprocess, "Popen", refuse)
    monkeypatch.setattr(node_agent, "TURN_SECONDS", 0.0)
    agent = NodeAgent(name="n1", token="", address="")
    monkeypatch.setattr(agent, "_watch_and_beat", lambda: None)
    monkeypatch.setattr(agent, "_stop_workers", lambda: None)
    agent.run(stop)
    assert len(turns) == 3


def test_a_worker_is_there_also_when_the_clock_of_its_machine_was_put_right(
    job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The machine was asleep, or began with the wrong time: what psutil calls the start of a process moves with it."""
    placed = SqlHeadStore().place(Place(job.pk, 1, LOCALHOST))
    assert placed is not None
    WorkerSession(placed.placement_id)._claim()
    worker = live_worker(Placement.objects.get(pk=placed.placement_id))
    assert local_launcher().is_running(worker)
    as_it_was = psutil.Process.create_time
    monkeypatch.setattr(psutil.Process, "create_time", lambda process: as_it_was(process) + 3600)
    assert local_launcher().is_running(worker)
