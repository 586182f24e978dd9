"""A run that a server asked to wait goes on by itself when the time has come, unless people want something else."""

from datetime import timedelta

import pytest

from backend.apps.jobs.clock import database_now
from backend.apps.jobs.models import Job, JobState, Wish
from backend.apps.jobs.services import wish_for_job
from backend.apps.runners.models import LogLine, RunnerStatus
from backend.apps.runners.services import pause_because, resume_due_runners, start_runner
from tests.integration.jobs.test_browser_places import crawler_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def job() -> Job:
    options = {"seeds": ["https://shop.example/a"], "lane": "http"}
    return start_runner(crawler=crawler_with(options, []), user=None).jobs.get()


def test_a_run_that_waits_for_a_server_goes_on_when_the_time_has_come(job: Job) -> None:
    pause_because(runner=job.runner, reason="The server asks us to wait.", seconds=3600)
    assert resume_due_runners() == 0
    Job.objects.filter(pk=job.pk).update(resume_at=database_now() - timedelta(seconds=1))
    assert resume_due_runners() == 1
    assert resume_due_runners() == 0
    job.refresh_from_db()
    job.runner.refresh_from_db()
    assert (job.state, job.wish, job.resume_at) == (JobState.QUEUED, Wish.RUN, None)
    assert job.runner.status == RunnerStatus.QUEUED
    told = list(LogLine.objects.filter(runner=job.runner).order_by("pk").values_list("message", flat=True))
    assert told == ["The server asks us to wait.", "The wait is over; the run goes on."]


@pytest.mark.parametrize("person", [Wish.STOP, Wish.PAUSE])
def test_a_run_that_waits_for_a_server_does_what_a_person_wishes_meanwhile(job: Job, person: str) -> None:
    pause_because(runner=job.runner, reason="The server asks us to wait.", seconds=-1)
    wish_for_job(job_id=job.pk, wish=person, now=database_now())
    assert resume_due_runners() == 0
    job.refresh_from_db()
    assert (job.wish, job.resume_at) == (person, None)
