"""An agent whose node was revoked ends its workers with it: nobody else would."""

import subprocess
import sys
import threading
from collections.abc import Iterator

import psutil
import pytest
from django.db import OperationalError

from backend.apps.jobs.clock import database_now
from backend.apps.jobs.head_store import SqlHeadStore
from backend.apps.jobs.models import Job, Placement
from backend.apps.jobs.worker_session import WorkerSession
from backend.apps.nodes.models import Node
from backend.apps.nodes.services import Slots, register_node, trust_node
from backend.config import node_agent
from backend.config.node_agent import NodeAgent, Revoked
from backend.config.refusals import NO_LOGIN
from head_node.contracts import Placement as Place
from tests.integration.jobs.conftest import job

__all__ = ["job"]
pytestmark = pytest.mark.django_db(transaction=True)  # an agent closes its connections


@pytest.fixture
def process() -> Iterator["subprocess.Popen[bytes]"]:
    with subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"], start_new_session=True) as child:
        yield child
        if child.poll() is None:
            child.kill()


@pytest.fixture
def agent(job: Job, process: "subprocess.Popen[bytes]", monkeypatch: pytest.MonkeyPatch) -> NodeAgent:
    """It has a worker, and needs no Celery to watch it."""
    monkeypatch.setattr(node_agent.CeleryProcess, "keep_running", lambda self: None)
    token = trust_node(name="n1")
    register_node(name="n1", token=token, address="", version="1", slots=Slots(2, 0), now=database_now())
    placed = SqlHeadStore().place(Place(job.pk, 1, "n1"))
    assert placed is not None
    WorkerSession(placed.placement_id)._claim()
    started = psutil.Process(process.pid).create_time()
    Placement.objects.update(process_id=process.pid, process_started=started)
    return NodeAgent(name="n1", token=token, address="")


def test_workers_end_with_the_agent_of_a_revoked_node(agent: NodeAgent, process: "subprocess.Popen[bytes]") -> None:
    agent._turn()
    assert process.poll() is None
    agent._next_beat = 0.0
    Node.objects.update(token_hash="")
    with pytest.raises(Revoked):
        agent.run(threading.Event())
    assert process.wait() != 0


def test_workers_end_also_when_the_database_lets_nobody_in_any_more(
    agent: NodeAgent, process: "subprocess.Popen[bytes]", monkeypatch: pytest.MonkeyPatch
) -> None:
    agent._turn()

    def refuse(**_: str) -> None:
        raise OperationalError(f'role "n1" {NO_LOGIN}')

    monkeypatch.setattr(node_agent, "placements_on", refuse)
    with pytest.raises(Revoked):
        agent.run(threading.Event())
    assert process.wait() != 0
