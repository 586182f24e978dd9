"""Writes about jobs: every change of state is one conditional UPDATE and one line of history."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import F

from backend.apps.jobs.models import Ending, Job, JobKind, JobState, JobTransition, Wish
from backend.apps.runners.models import Runner, RunnerStatus
from backend.apps.runners.selectors import statistics_of

OPEN = (JobState.QUEUED, JobState.HELD, JobState.RUNNING, JobState.EXITING)


def submit_runner(*, runner: Runner, workers: int, needs_browser: bool, now: datetime) -> Job:
    """Queue a runner for the head node."""
    with transaction.atomic():
        job = Job.objects.create(
            project_id=runner.crawler.project_id,
            kind=JobKind.RUNNER,
            runner=runner,
            requested_workers=workers,
            needs_browser=needs_browser,
        )
        JobTransition.objects.create(job=job, state=JobState.QUEUED, reason="Submitted.", at=now)
        set_runner_status(job, RunnerStatus.QUEUED, reason="Waiting for its turn.", now=now)
    return job


@transaction.atomic
def move_job(
    *, job_id: int, come_from: Sequence[str], state: str, reason: str, now: datetime, **changes: object
) -> Job | None:
    """Bring a job from one of some states into another; None when it was in none of them."""
    if state == JobState.FINISHED:
        changes["finished_at"] = now
    moved = Job.objects.filter(pk=job_id, state__in=come_from)
    if not moved.update(state=state, reason=reason, updated_at=now, **changes):
        return None
    JobTransition.objects.create(job_id=job_id, state=state, reason=reason, at=now)
    return Job.objects.select_related("runner").get(pk=job_id)


@transaction.atomic
def wish_for_job(*, job_id: int, wish: str, now: datetime, reason: str = "") -> bool:
    """Tell an open job what people want; its workers and the head node follow. False when it is finished.

    `reason` is why, where it was not a person's wish.
    """
    open_job = Job.objects.filter(pk=job_id, state__in=OPEN)
    changed = open_job.update(wish=wish, wished_at=now, wish_reason=reason, updated_at=now)
    if changed and wish == Wish.RUN:
        job = move_job(job_id=job_id, come_from=[JobState.HELD], state=JobState.QUEUED, reason="Resumed.", now=now)
        if job is not None:
            set_runner_status(job, RunnerStatus.QUEUED, reason="Waiting for its turn.", now=now)
    return bool(changed)


def end_job(*, job_id: int, ending: str, reason: str, now: datetime) -> None:
    """The work itself has ended; the first worker to say so is heard."""
    Job.objects.filter(pk=job_id, ending=Ending.NONE).update(ending=ending, reason=reason, updated_at=now)


def count_crash(job: Job) -> None:
    """One more worker vanished. Only crashes without any page between them count as a row: they will not end."""
    mark = statistics_of(job.runner)["requests"] if job.runner is not None else -1
    crashes = F("crashes") + 1 if mark == job.crash_mark else 1
    Job.objects.filter(pk=job.pk).update(crashes=crashes, crash_mark=mark)


def set_runner_status(job: Job, status: str, *, reason: str, now: datetime) -> None:
    """The runner as people see it, kept in step with its job in the same transaction."""
    if job.runner_id is None:
        return
    changes: dict[str, object] = {"status": status, "reason": reason, "updated_at": now}
    if status in (RunnerStatus.COMPLETED, RunnerStatus.EXIT):
        changes["finished_at"] = now
    runner = Runner.objects.filter(pk=job.runner_id)
    runner.update(**changes)
    if status == RunnerStatus.RUNNING:
        runner.filter(started_at__isnull=True).update(started_at=now)
