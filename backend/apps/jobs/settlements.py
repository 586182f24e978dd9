"""Jobs as the scheduler sees them, and what it decided about those without workers, written down."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction

import head_node
from backend.apps.indexers.build_states import job_ended
from backend.apps.jobs.models import Job, JobKind, JobState, Placement, PlacementState
from backend.apps.jobs.transitions import OPEN, move_job, set_runner_status
from backend.apps.nodes.selectors import known_nodes
from backend.apps.runners.models import RunnerStatus
from head_node.contracts import Ending, Hang, LiveWorker, Settlement, SlotKind, Wish

LIVE = (PlacementState.PLACED, PlacementState.RUNNING)


def as_scheduled(rows: Iterable[Job]) -> list[head_node.Job]:
    """The jobs with their workers that have not ended."""
    listed = list(rows)
    live: dict[int, list[LiveWorker]] = defaultdict(list)
    placements = Placement.objects.filter(job__in=[row.pk for row in listed], state__in=LIVE)
    for placement in placements.select_related("node").order_by("pk"):
        live[placement.job_id].append(live_worker(placement))
    return [_job(row, tuple(live[row.pk])) for row in listed]


@transaction.atomic
def settle_workerless(*, job_id: int, now: datetime) -> None:
    """Where nobody works on a job any more and its work or its people want it to end, that is so at once."""
    row = Job.objects.select_for_update().filter(pk=job_id, state__in=OPEN).first()
    if row is None:
        return
    nodes = known_nodes() if row.crashes else []
    if settlement := head_node.settle(as_scheduled([row])[0], nodes):
        _write(settlement, now)


@transaction.atomic
def requeue_workerless(*, job_id: int, status: str, reason: str, now: datetime) -> bool:
    """A job that shall go on, and on which nobody works any more, waits again; its runner has this status meanwhile.

    A worker that has not claimed its placement does not count. Whoever claims one locks the job as well, so of the two
    the second sees what the first did.
    """
    goes_on = Job.objects.select_for_update().filter(
        pk=job_id, state=JobState.RUNNING, wish=Wish.RUN, ending=Ending.NONE
    )
    row = goes_on.first()
    if row is None or row.placements.filter(state=PlacementState.RUNNING).exists():
        return False
    job = move_job(job_id=job_id, come_from=[JobState.RUNNING], state=JobState.QUEUED, reason=reason, now=now)
    if job is not None:
        set_runner_status(job, status, reason=reason, now=now)
    return job is not None


def _write(settlement: Settlement, now: datetime) -> None:
    state = JobState.HELD if settlement.is_held else JobState.FINISHED
    job = move_job(
        job_id=settlement.job_id,
        come_from=[value for value in OPEN if value != state],
        state=state,
        reason=settlement.reason,
        now=now,
        ending=settlement.ending,
    )
    if job is None:
        return
    ended = RunnerStatus.COMPLETED if settlement.ending is Ending.COMPLETED else RunnerStatus.EXIT
    status = RunnerStatus.PAUSED if settlement.is_held else ended
    set_runner_status(job, status, reason=settlement.reason, now=now)
    if job.indexer_id is not None and not settlement.is_held:
        job_ended(job.indexer_id, is_good=settlement.ending is Ending.COMPLETED, reason=settlement.reason)


def live_worker(row: Placement) -> LiveWorker:
    return LiveWorker(
        placement_id=row.pk,
        job_id=row.job_id,
        node=row.node.name,
        number=row.worker,
        placed_at=row.placed_at,
        lease_expires_at=row.lease_expires_at,
        process_id=row.process_id,
        process_started=row.process_started,
        machine=row.machine,
        is_gone=row.is_gone,
        hang=_hang(row.hang),
    )


def _hang(told: object) -> Hang | None:
    """The page that holds a worker, as its node's agent found it: a node that was taken over may write anything."""
    match told:
        case {"url": str(url), "sentence": str(sentence)}:
            return Hang(url, sentence)
    return None


def _slots(row: Job) -> SlotKind:
    if row.kind == JobKind.INDEX:
        return SlotKind.INDEX
    return SlotKind.BROWSER if row.needs_browser else SlotKind.HTTP


def _job(row: Job, live: tuple[LiveWorker, ...]) -> head_node.Job:
    return head_node.Job(
        id=row.pk,
        submitted_at=row.created_at,
        wish=Wish(row.wish),
        wished_at=row.wished_at,
        wish_reason=row.wish_reason,
        ending=Ending(row.ending),
        reason=row.reason,
        priority=row.priority,
        workers=row.requested_workers,
        slots=_slots(row),
        slots_each=row.slots_per_worker,
        project=row.project_id,
        node=row.requested_node.name if row.requested_node else None,
        wall_time=timedelta(seconds=row.wall_time_seconds) if row.wall_time_seconds is not None else None,
        ran=timedelta(seconds=row.ran_seconds),
        running_since=row.running_since,
        earliest_start=row.earliest_start,
        live=live,
        crashes=row.crashes,
        avoid=_crashed_on(row),
        last_words=_last_words(row),
        is_held=row.state == JobState.HELD,
    )


def _crashed_on(row: Job) -> frozenset[str]:
    """The nodes of the workers that crashed since the first of the crashes in a row."""
    if not row.crashes:
        return frozenset()
    crashed = row.placements.filter(is_crash=True)
    if row.crashing_since is not None:
        crashed = crashed.filter(ended_at__gte=row.crashing_since)
    return frozenset(
        name for name in crashed.order_by().values_list("node__name", flat=True).distinct() if name is not None
    )


def _last_words(row: Job) -> str:
    """Asked for only when it may be needed: most jobs never crash."""
    if not row.crashes:
        return ""
    crashed = row.placements.exclude(last_words="").order_by("-pk").values_list("last_words", flat=True)
    return crashed.first() or ""
