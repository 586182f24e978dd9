"""A job is running while a worker has claimed it, and not a moment longer: then its runner is lost until the next."""

import threading
import time
from datetime import timedelta

import pytest
from django.db import connection, connections, transaction

from backend.apps.jobs.clock import database_now
from backend.apps.jobs.head_store import SqlHeadStore
from backend.apps.jobs.models import Job, JobState, Placement, PlacementState, Wish
from backend.apps.jobs.services import wish_for_job
from backend.apps.jobs.settlements import requeue_workerless
from backend.apps.jobs.worker_session import ENDED, WorkerSession
from backend.apps.nodes.models import Node
from backend.apps.nodes.services import LOCALHOST, Slots, register_node, trust_node
from backend.apps.runners.models import RunnerStatus
from head_node import HeadLoop
from head_node.contracts import Placement as Place
from tests.integration.jobs.test_wishes import Machine

LONG_AGO = timedelta(minutes=1)
LOST = "The node n1 was lost. It goes on with another worker."


@pytest.fixture
def node(job: Job) -> Node:
    token = trust_node(name="n1")
    return register_node(name="n1", token=token, address="", version="1", slots=Slots(9, 0), now=database_now())


def claimed(job: Job, node: str, *, worker: int = 1) -> Placement:
    placed = SqlHeadStore().place(Place(job.pk, worker, node))
    assert placed is not None
    WorkerSession(placed.placement_id)._claim()
    return Placement.objects.get(pk=placed.placement_id)


def lose(node: Node) -> None:
    """Nothing was heard from it and its workers for a minute."""
    past = database_now() - LONG_AGO
    Node.objects.filter(pk=node.pk).update(heartbeat_at=past)
    Placement.objects.filter(node=node).update(lease_expires_at=past)


def tick() -> None:
    assert HeadLoop(store=SqlHeadStore(), launchers={"": Machine()}, name="head").tick()


def told(job: Job) -> tuple[str, str, str, str]:
    job.refresh_from_db()
    job.runner.refresh_from_db()
    return job.state, job.reason, job.runner.status, job.runner.reason


def test_a_lost_nodes_runner_is_lost_until_its_next_worker_begins(job: Job, node: Node) -> None:
    claimed(job, "n1")
    assert told(job)[::2] == (JobState.RUNNING, RunnerStatus.RUNNING)
    lose(node)
    tick()
    tick()
    successor = Placement.objects.get(job=job, state=PlacementState.PLACED)
    assert successor.node.name == LOCALHOST
    assert told(job) == (JobState.QUEUED, LOST, RunnerStatus.LOST, LOST)
    assert list(job.transitions.values_list("state", "reason"))[-1] == (JobState.QUEUED, LOST)
    WorkerSession(successor.pk)._claim()
    assert told(job)[::2] == (JobState.RUNNING, RunnerStatus.RUNNING)
    assert job.runner.finished_at is None


def test_a_job_whose_other_worker_lives_goes_on_running(job: Job, node: Node) -> None:
    Job.objects.filter(pk=job.pk).update(requested_workers=2)
    claimed(job, "n1")
    claimed(job, LOCALHOST, worker=2)
    lose(node)
    tick()
    assert told(job)[::2] == (JobState.RUNNING, RunnerStatus.RUNNING)


def test_who_was_lost_and_finds_no_place_is_lost_and_says_why_it_waits(job: Job, node: Node) -> None:
    claimed(job, "n1")
    lose(node)
    Node.objects.filter(name=LOCALHOST).update(http_slots=0)
    tick()
    waits = "Waiting: no node that is online has a slot."
    assert told(job) == (JobState.QUEUED, waits, RunnerStatus.LOST, waits)
    assert LOST in job.transitions.values_list("reason", flat=True)


def test_people_can_pause_and_resume_a_lost_runner(job: Job, node: Node) -> None:
    claimed(job, "n1")
    lose(node)
    Node.objects.filter(name=LOCALHOST).update(http_slots=0)
    tick()
    wish_for_job(job_id=job.pk, wish=Wish.PAUSE, now=database_now())
    assert told(job)[::2] == (JobState.HELD, RunnerStatus.PAUSED)
    wish_for_job(job_id=job.pk, wish=Wish.RUN, now=database_now())
    assert told(job)[::2] == (JobState.QUEUED, RunnerStatus.QUEUED)


def test_a_job_whose_only_worker_was_asked_to_end_waits_for_the_next(job: Job, node: Node) -> None:
    placed = SqlHeadStore().place(Place(job.pk, 1, "n1"))
    assert placed is not None
    with WorkerSession(placed.placement_id):
        pass
    assert told(job) == (JobState.QUEUED, ENDED, RunnerStatus.QUEUED, ENDED)
    assert (job.crashes, job.running_since) == (0, None)


def test_a_job_whose_only_worker_failed_is_lost_until_the_next(job: Job, node: Node) -> None:
    placed = SqlHeadStore().place(Place(job.pk, 1, "n1"))
    assert placed is not None
    with pytest.raises(ZeroDivisionError), WorkerSession(placed.placement_id):
        raise ZeroDivisionError("by zero")
    assert told(job)[::2] == (JobState.QUEUED, RunnerStatus.LOST)
    assert job.runner.reason == "It failed: ZeroDivisionError: by zero. It goes on with another worker."


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_worker_that_begins_while_its_job_is_requeued_is_not_overlooked(job: Job) -> None:
    claimed(job, LOCALHOST)
    Placement.objects.update(state=PlacementState.EXITED)
    successor = SqlHeadStore().place(Place(job.pk, 1, LOCALHOST))
    assert successor is not None

    def claim() -> None:
        WorkerSession(successor.placement_id)._claim()
        connections.close_all()

    thread = threading.Thread(target=claim)
    with transaction.atomic():
        status = RunnerStatus.LOST
        assert requeue_workerless(job_id=job.pk, status=status, reason="Lost.", now=database_now())
        thread.start()
        while thread.is_alive() and not is_anybody_waiting():
            time.sleep(0.02)
    thread.join()
    assert told(job)[::2] == (JobState.RUNNING, RunnerStatus.RUNNING)


def is_anybody_waiting() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
        return bool(cursor.fetchone()[0])
