"""What the commands for people who know PBS share: which job is meant, and how a job is told."""

from typing import Any

from django.core.management.base import CommandError

from backend.apps.jobs.models import Job, JobState
from backend.apps.runners.selectors import statistics_of
from backend.config.several import SeveralCommand

LETTERS = {
    JobState.QUEUED: "Q",
    JobState.HELD: "H",
    JobState.RUNNING: "R",
    JobState.EXITING: "E",
    JobState.FINISHED: "F",
}


def job_numbered(number: int) -> Job:
    job = Job.objects.select_related("runner__crawler__project", "runner__crawl_state").filter(pk=number).first()
    if job is None:
        raise CommandError(f"There is no job {number}. ./gleaner qstat lists the open ones, --all the others too.")
    return job


def describe_job(job: Job) -> dict[str, Any]:
    """One job in one line."""
    live = [row for row in job.placements.all() if row.ended_at is None]
    return {
        "job": job.pk,
        "state": LETTERS[JobState(job.state)],
        "kind": job.kind,
        "name": str(job.runner or job.indexer),
        "project": job.project.name,
        "owner": job.owner,
        "priority": job.priority,
        "workers": f"{len(live)}/{job.requested_workers}",
        "nodes": sorted({row.node.name for row in live}),
        "pages": statistics_of(job.runner)["pages"] if job.runner is not None else None,
        "reason": job.reason.splitlines()[0] if job.reason else "",
    }


def describe_whole_job(job: Job) -> dict[str, Any]:
    """Everything about one job: terms, places, history."""
    terms = ("slots_per_worker", "needs_browser", "wall_time_seconds", "earliest_start", "ran_seconds", "crashes")
    return {
        **describe_job(job),
        "reason": job.reason,
        "runner": job.runner_id,
        "indexer": job.indexer_id,
        "wish": job.wish,
        "requested_node": job.requested_node.name if job.requested_node else None,
        **{name: getattr(job, name) for name in terms},
        "submitted_at": job.created_at,
        "started_at": job.started_at,
        "finished_at": job.finished_at,
        "placements": [
            {
                "worker": row.worker,
                "node": row.node.name if row.node else "",
                "state": row.state,
                "note": row.note,
                **row.facts,
            }
            for row in job.placements.all()
        ],
        "transitions": [{"at": row.at, "state": row.state, "reason": row.reason} for row in job.transitions.all()],
    }


class JobsCommand(SeveralCommand):
    """A command that does one thing to one or several jobs, and says so."""

    key, word = "job", "Job"
    numbers_help = "the job's number, as ./gleaner qstat shows it"

    def find(self, number: int) -> Job:
        return job_numbered(number)

    def describe(self, number: int) -> dict[str, Any]:
        return describe_job(job_numbered(number))
