"""Whatever state a job is in, who cancels it sees it end, with real heads, agents and workers.

The seconds are printed (`pytest -s`); what was measured is in docs/cluster.md.
"""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from django.conf import settings

from backend.apps.jobs.head_store import SqlHeadStore
from backend.apps.jobs.models import Ending, Job, JobState, Placement, PlacementState
from backend.apps.jobs.settlements import LIVE
from backend.apps.nodes.models import Node, NodeState
from backend.apps.nodes.services import LOCALHOST, Slots, beat_node, register_node, trust_node
from backend.apps.runners.models import Runner, RunnerStatus
from backend.apps.runners.services import pause_runner, stop_runner
from tests.contracts.launcher import wait_until

pytestmark = [pytest.mark.postgres, pytest.mark.redis]
Start = Callable[..., "subprocess.Popen[bytes]"]
PATIENCE_SECONDS = 240.0


@pytest.fixture(autouse=True)
def _same_folder(process_env: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "VAR_DIR", tmp_path)


def cancel(job: Job, state: str) -> None:
    """Cancel, and see that it is over: job, runner, placements and processes."""
    began = time.monotonic()
    stop_runner(runner=job.runner)
    while state_of(job) != JobState.FINISHED:
        assert time.monotonic() - began < PATIENCE_SECONDS, f"{state}: still {state_of(job)}"
        time.sleep(0.02)
    sys.stdout.write(f"\n{state}: {time.monotonic() - began:.2f} s\n")
    job.refresh_from_db()
    assert (job.ending, Runner.objects.get(pk=job.runner_id).status) == (Ending.EXIT, RunnerStatus.EXIT)
    assert job.reason == "Someone stopped it."
    assert not job.placements.filter(state__in=LIVE).exists()


def state_of(job: Job) -> str:
    return Job.objects.values_list("state", flat=True).get(pk=job.pk)


def worker_of(job: Job) -> psutil.Process:
    """The process that works on the job, once it has fetched something."""
    claimed = Placement.objects.filter(job=job, state=PlacementState.RUNNING)
    wait_until(lambda: any(row.live.get("pages") for row in claimed.all()), "that the worker works")
    return psutil.Process(claimed.get().process_id)


def is_gone(process: psutil.Process) -> bool:
    return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


def is_heard_from(node: Node) -> bool:
    """Once more: until a slow head looks, it might be taken for lost."""
    return beat_node(node=node, now=SqlHeadStore().now(), folder=settings.VAR_DIR, workers=0)


def start_node(start: Start, job: Job) -> "subprocess.Popen[bytes]":
    """The job goes to a node with an agent of its own, over Redis and Celery."""
    agent = start("node", "--name", "n1")
    wait_until(lambda: Node.objects.filter(name="n1", has_left=False).exists(), "the registration")
    Job.objects.filter(pk=job.pk).update(requested_node=Node.objects.get(name="n1"))
    return agent


def test_queued(job: Job) -> None:
    cancel(job, "queued, without a head")


def test_held(job: Job) -> None:
    pause_runner(runner=job.runner)
    assert state_of(job) == JobState.HELD
    cancel(job, "held")


def test_placed_but_not_claimed(job: Job, start: Start) -> None:
    """The node was just heard from, but nobody there listens."""
    token = trust_node(name="n1")
    register_node(
        name="n1", token=token, address="198.18.0.9", version="1", slots=Slots(1, 0), now=SqlHeadStore().now()
    )
    Job.objects.filter(pk=job.pk).update(requested_node=Node.objects.get(name="n1"))
    start("head")
    placed, node = Placement.objects.filter(job=job, state=PlacementState.PLACED), Node.objects.get(name="n1")
    wait_until(lambda: is_heard_from(node) and placed.exists(), "the placement")
    cancel(job, "placed, not claimed")


@pytest.mark.parametrize("place", [LOCALHOST, "n1"])
def test_running(job: Job, start: Start, place: str) -> None:
    if place != LOCALHOST:
        start_node(start, job)
    start("head")
    process = worker_of(job)
    cancel(job, f"running on {place}")
    wait_until(lambda: is_gone(process), "that its process ends")


def test_pausing_and_paused(job: Job, start: Start) -> None:
    start("head")
    process = worker_of(job)
    pause_runner(runner=job.runner)
    assert state_of(job) in (JobState.EXITING, JobState.HELD)
    wait_until(lambda: state_of(job) == JobState.HELD, "the pause")
    assert is_gone(process) or Placement.objects.filter(job=job, state=PlacementState.EXITED).exists()
    cancel(job, "paused")


def test_exiting_with_a_worker_that_does_not_hear(job: Job, start: Start) -> None:
    start("head")
    process = worker_of(job)
    process.suspend()
    pause_runner(runner=job.runner)
    assert state_of(job) == JobState.EXITING
    cancel(job, "exiting, its worker deaf")
    wait_until(lambda: is_gone(process), "that its process is ended")


@pytest.mark.parametrize("is_known", [False, True], ids=["not yet known", "known"])
def test_node_lost(job: Job, start: Start, is_known: bool) -> None:
    """Agent, Celery and worker stand still, as if their machine were cut off; later they wake up again."""
    agent = psutil.Process(start_node(start, job).pid)
    start("head")
    worker = worker_of(job)
    machine = [worker, *agent.children(recursive=True), agent]
    for process in machine:
        process.suspend()
    try:
        if is_known:
            wait_until(lambda: Node.objects.get(name="n1").state == NodeState.LOST, "that the node is lost")
        cancel(job, "node lost" if is_known else "node cut off a moment ago")
    finally:
        for process in machine:
            process.resume()
    wait_until(lambda: is_gone(worker), "that the worker is ended")
