"""Writes about jobs: submit them, say what people want of them, say how their work ended."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Case, F, Value, When

from backend.apps.indexers.build_states import progress_mark
from backend.apps.indexers.models import Indexer
from backend.apps.jobs.models import Ending, Job, JobKind, JobState, JobTransition, Wish
from backend.apps.jobs.settlements import settle_workerless
from backend.apps.jobs.transitions import OPEN, move_job, set_runner_status
from backend.apps.nodes.models import Node
from backend.apps.nodes.services import localhost
from backend.apps.runners.models import Runner, RunnerStatus
from backend.apps.runners.selectors import crawl_mark

LEAVING = {Wish.PAUSE: "Pausing: its workers finish what they are doing.", Wish.STOP: "Stopping."}

MAX_PRIORITY = 1000
MAX_WALL_TIME_SECONDS = 10 * 365 * 86_400


@dataclass(frozen=True, slots=True)
class Terms:
    """On which terms a job shall run; the defaults are those of a job that somebody starts with one click."""

    priority: int = 0
    node: Node | None = None
    slots_per_worker: int = 1
    wall_time_seconds: float | None = None
    earliest_start: datetime | None = None
    is_held: bool = False


def submit_runner(
    *, runner: Runner, workers: int, needs_browser: bool, now: datetime, terms: Terms | None = None
) -> Job:
    """Queue a runner for the head node."""
    terms = terms or Terms()
    with transaction.atomic():
        job = Job.objects.create(
            project_id=runner.crawler.project_id,
            kind=JobKind.RUNNER,
            runner=runner,
            requested_workers=workers,
            needs_browser=needs_browser,
            priority=terms.priority,
            requested_node=terms.node,
            slots_per_worker=terms.slots_per_worker,
            wall_time_seconds=terms.wall_time_seconds,
            earliest_start=terms.earliest_start,
        )
        JobTransition.objects.create(job=job, state=JobState.QUEUED, reason="Submitted.", at=now)
        set_runner_status(job, RunnerStatus.QUEUED, reason="Waiting for its turn.", now=now)
        if terms.is_held:
            wish_for_job(job_id=job.pk, wish=Wish.PAUSE, now=now, reason="Submitted on hold.")
    return job


@transaction.atomic
def submit_index(*, indexer: Indexer, now: datetime) -> Job:
    """Queue an index job; it works where the index files are searched: on the head's machine, and on no other."""
    job = Job.objects.create(
        project_id=indexer.project_id, kind=JobKind.INDEX, indexer=indexer, requested_node=localhost()
    )
    JobTransition.objects.create(job=job, state=JobState.QUEUED, reason="Submitted.", at=now)
    return job


@transaction.atomic
def wish_for_job(
    *,
    job_id: int,
    wish: str,
    now: datetime,
    reason: str = "",
    only_from: str | None = None,
    until: datetime | None = None,
) -> bool:
    """Tell an open job what people want; its workers and the head node follow. False when it is finished.

    A job that nobody works on ends, or is held, at once, also while no head node runs. `reason` is why, where it was
    not a person's wish; then `only_from` is the wish that it may replace: a person's word of the same moment stands.
    A pause that has an `until` ends by itself. To wish the same again gives nobody more time to leave.
    """
    open_job = Job.objects.filter(pk=job_id, state__in=OPEN)
    if only_from is not None:
        open_job = open_job.filter(wish=only_from)
    wished_at = Case(When(wish=wish, wish_reason=reason, wished_at__isnull=False, then="wished_at"), default=Value(now))
    if not open_job.update(wish=wish, wished_at=wished_at, wish_reason=reason, resume_at=until, updated_at=now):
        return False
    if wish == Wish.RUN:
        _go_on(job_id, now)
    else:
        told = reason or LEAVING[Wish(wish)]
        move_job(job_id=job_id, come_from=[JobState.RUNNING], state=JobState.EXITING, reason=told, now=now)
        settle_workerless(job_id=job_id, now=now)
    return True


def _go_on(job_id: int, now: datetime) -> None:
    move_job(job_id=job_id, come_from=[JobState.EXITING], state=JobState.RUNNING, reason="Resumed.", now=now)
    job = move_job(job_id=job_id, come_from=[JobState.HELD], state=JobState.QUEUED, reason="Resumed.", now=now)
    if job is not None:
        set_runner_status(job, RunnerStatus.QUEUED, reason="Waiting for its turn.", now=now)


def end_job(*, job_id: int, ending: str, reason: str, now: datetime) -> None:
    """The work itself has ended; the first worker to say so is heard."""
    Job.objects.filter(pk=job_id, ending=Ending.NONE).update(ending=ending, reason=reason, updated_at=now)


def count_crash(job: Job, *, fence: int, now: datetime) -> None:
    """The worker of this fence vanished. Only crashes with nothing done between them count as a row: they will not end.

    Those placed before the last one was counted may have died of the same power cut: together they count once.
    """
    mark = crawl_mark(job.runner) if job.runner is not None else progress_mark(job.indexer_id)
    row, newest = Job.objects.filter(pk=job.pk), job.placements.count()
    if mark != job.crash_mark or not job.crashes:
        row.update(crashes=1, crash_mark=mark, crash_fence=newest, crashing_since=now)
    else:
        row.filter(crash_fence__lt=fence).update(crashes=F("crashes") + 1, crash_fence=newest)
