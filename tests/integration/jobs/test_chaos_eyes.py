"""The eyes of `./gleaner chaos cluster`: whether they see a job's state that is not true."""

import pytest

from backend.apps.jobs.head_store import SqlHeadStore
from backend.apps.jobs.models import Job, JobState, Placement, PlacementState
from backend.apps.jobs.worker_session import WorkerSession
from backend.apps.nodes.services import LOCALHOST
from backend.apps.runners.models import Runner, RunnerStatus
from head_node.contracts import Placement as Place
from tests.chaos._cluster_eyes import Eyes
from tests.chaos._cluster_hosts import Hosts
from tests.chaos._cluster_processes import Processes


@pytest.fixture
def eyes(tmp_path) -> Eyes:  # type: ignore[no-untyped-def]
    return Eyes(Processes(Hosts(), tmp_path, {}), frozenset(), web="")


@pytest.fixture
def running(job: Job) -> Job:
    worker = SqlHeadStore().place(Place(job.pk, 1, LOCALHOST))
    assert worker is not None
    WorkerSession(worker.placement_id)._claim()
    return job


def test_a_job_that_is_as_it_says_is_believed(running: Job, eyes: Eyes) -> None:
    assert eyes._jobs_that_lie() == set()


@pytest.mark.parametrize(
    ("state", "status"),
    [
        (JobState.QUEUED, RunnerStatus.QUEUED),
        (JobState.HELD, RunnerStatus.PAUSED),
        (JobState.FINISHED, RunnerStatus.COMPLETED),
    ],
)
def test_a_job_that_somebody_works_on_is_not_at_rest(running: Job, eyes: Eyes, state: str, status: str) -> None:
    Job.objects.update(state=state)
    Runner.objects.update(status=status)
    assert eyes._jobs_that_lie() == {f"job {running.pk} is {state}, but somebody works on it"}


def test_a_job_that_nobody_works_on_does_not_run(running: Job, eyes: Eyes) -> None:
    Placement.objects.update(state=PlacementState.LOST)
    assert eyes._jobs_that_lie() == {f"job {running.pk} is running, but nobody works on it"}


def test_a_runner_that_has_ended_has_no_job_that_waits(job: Job, eyes: Eyes) -> None:
    Runner.objects.update(status=RunnerStatus.COMPLETED)
    assert eyes._jobs_that_lie() == {f"job {job.pk} is queued, its runner completed"}
