"""A head that ends with --stop-workers ends the workers of its own machine, and nobody else's."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from backend.apps.jobs.clock import database_now
from backend.apps.jobs.head_store import SqlHeadStore
from backend.apps.jobs.models import Job, JobState, Placement, PlacementState
from backend.apps.jobs.placements import wish_kill
from backend.apps.jobs.services import submit_runner
from backend.apps.jobs.worker_session import WorkerSession
from backend.apps.nodes.services import LOCALHOST, Slots, register_node, trust_node
from backend.apps.runners.models import RunnerStatus
from head_node import HeadLoop
from head_node.contracts import Placement as Place
from head_node.launchers import CeleryLauncher, LocalLauncher
from head_node.loop import STOPPED_WITH_HEAD
from tests.integration.runners.test_sql_crawl_store import make_runner

OURS = "our-machine"


@pytest.fixture
def head(tmp_path: Path) -> Iterator[HeadLoop]:
    local = LocalLauncher(
        command=lambda worker: ["sleep", "600"], log_file=lambda worker: tmp_path / "log", machine=OURS
    )
    celery = CeleryLauncher(send=lambda worker: None, wish_kill=wish_kill)
    yield HeadLoop(store=SqlHeadStore(), launchers={LOCALHOST: local, "": celery}, name="head")
    for child in local._children.values():
        child.wait()


@pytest.fixture
def process() -> Iterator["subprocess.Popen[bytes]"]:
    """A worker that does not listen when it is asked to stop."""
    deaf = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); signal.pause()"
    with subprocess.Popen([sys.executable, "-c", deaf], stdout=subprocess.PIPE, start_new_session=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"deaf\n"
        yield child
        if child.poll() is None:
            child.kill()


def another_job() -> Job:
    return submit_runner(runner=make_runner(), workers=1, needs_browser=False, now=database_now())


def placed(job: Job, node: str = LOCALHOST) -> Placement:
    worker = SqlHeadStore().place(Place(job.pk, 1, node))
    assert worker is not None
    return Placement.objects.get(pk=worker.placement_id)


def running(job: Job, node: str = LOCALHOST, *, machine: str, pid: int | None = None) -> Placement:
    row = placed(job, node)
    WorkerSession(row.pk)._claim()
    number = pid or os.getpid()
    Placement.objects.filter(pk=row.pk).update(
        machine=machine, process_id=number, process_started=psutil.Process(number).create_time()
    )
    return row


def states_of(*rows: Placement) -> list[str]:
    return [Placement.objects.get(pk=row.pk).state for row in rows]


def test_workers_of_other_nodes_and_of_another_heads_machine_go_on(
    job: Job, head: HeadLoop, process: "subprocess.Popen[bytes]"
) -> None:
    register_node(
        name="n1", token=trust_node(name="n1"), address="", version="1", slots=Slots(2, 0), now=database_now()
    )
    on_node = running(another_job(), "n1", machine=OURS)
    on_another_machine = running(another_job(), machine="another-machine")
    just_placed_by_another_head = placed(another_job())
    ours = running(job, machine=OURS, pid=process.pid)
    assert SqlHeadStore().lead(head="another")
    head.stop_workers(patience_seconds=0.3)
    assert process.wait() != 0
    assert states_of(ours, on_node, on_another_machine) == ["lost", "running", "running"]
    assert states_of(just_placed_by_another_head) == [PlacementState.PLACED]
    assert not Placement.objects.filter(is_kill_wished=True).exists()
    job.refresh_from_db()
    assert (job.state, job.reason, job.crashes) == (JobState.QUEUED, STOPPED_WITH_HEAD, 0)
    assert job.runner.status == RunnerStatus.QUEUED
    others = Job.objects.exclude(pk=job.pk)
    assert not others.filter(reason=STOPPED_WITH_HEAD).exists()
    assert others.filter(state=JobState.RUNNING).count() == 2


def test_a_job_that_has_a_worker_elsewhere_goes_on_running(
    job: Job, head: HeadLoop, process: "subprocess.Popen[bytes]"
) -> None:
    Job.objects.filter(pk=job.pk).update(requested_workers=2)
    running(job, machine=OURS, pid=process.pid)
    second = SqlHeadStore().place(Place(job.pk, 2, LOCALHOST))
    assert second is not None
    Placement.objects.filter(pk=second.placement_id).update(
        state=PlacementState.RUNNING, machine="another-machine", process_id=1, process_started=1.0
    )
    head.stop_workers(patience_seconds=0.3)
    job.refresh_from_db()
    assert (job.state, job.runner.status) == (JobState.RUNNING, RunnerStatus.RUNNING)


def test_a_worker_that_it_launched_and_that_has_not_begun_yet_is_ended_too(job: Job, head: HeadLoop) -> None:
    assert head.tick()
    launched = job.placements.get()
    head.stop_workers(patience_seconds=0.3)
    assert states_of(launched) == [PlacementState.LOST]
    job.refresh_from_db()
    assert (job.state, job.reason) == (JobState.QUEUED, STOPPED_WITH_HEAD)


def test_workers_of_jobs_that_were_not_chosen_go_on(
    job: Job, head: HeadLoop, process: "subprocess.Popen[bytes]"
) -> None:
    ours = running(job, machine=OURS, pid=process.pid)
    with subprocess.Popen(["sleep", "600"], start_new_session=True) as other:
        goes_on = running(another_job(), machine=OURS, pid=other.pid)
        head.stop_workers(of=lambda each: each.id == job.pk, patience_seconds=0.3)
        assert process.wait() != 0
        assert other.poll() is None
        other.kill()
    assert states_of(ours, goes_on) == [PlacementState.LOST, PlacementState.RUNNING]
