"""How a job changes its state: one conditional UPDATE and one line of history, with the runner kept in step."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from backend.apps.jobs.models import Job, JobState, JobTransition
from backend.apps.runners.models import Runner, RunnerStatus

OPEN = (JobState.QUEUED, JobState.HELD, JobState.RUNNING, JobState.EXITING)
WORKING = (JobState.RUNNING, JobState.EXITING)
GOES_ON = "It goes on with another worker."


@transaction.atomic
def move_job(
    *, job_id: int, come_from: Sequence[str], state: str, reason: str, now: datetime, **changes: object
) -> Job | None:
    """Bring a job from one of some states into another; None when it was in none of them.

    Where the work itself has ended and workers still leave, the job keeps the reason of that: it is settled with it.
    """
    before = Job.objects.select_for_update().filter(pk=job_id, state__in=come_from).first()
    if before is None:
        return None
    if state == JobState.FINISHED:
        changes["finished_at"] = now
    changes |= _running_time(before, state, now)
    told = before.reason if before.ending and state in WORKING else reason
    if not Job.objects.filter(pk=job_id, state=before.state).update(
        state=state, reason=told, updated_at=now, **changes
    ):
        return None
    JobTransition.objects.create(job_id=job_id, state=state, reason=reason, at=now)
    return Job.objects.select_related("runner").get(pk=job_id)


def _running_time(job: Job, state: str, now: datetime) -> dict[str, object]:
    """Wall time passes only while a job works."""
    if state in WORKING:
        return {} if job.running_since is not None else {"running_since": now}
    if job.running_since is None:
        return {}
    return {"running_since": None, "ran_seconds": job.ran_seconds + (now - job.running_since).total_seconds()}


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
