"""The head node's store on SQL: jobs, nodes and placements as the scheduler sees them."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

import head_node
from backend.apps.jobs.models import HeadLease, Job, JobState, Placement, PlacementState
from backend.apps.jobs.services import OPEN, count_crash, move_job, set_runner_status
from backend.apps.nodes.models import Node, NodeState
from backend.apps.runners.crawl_store import fail_page, release_leases_of
from backend.apps.runners.models import Runner, RunnerStatus
from head_node.contracts import Ending, Hang, LiveWorker, Settlement, SlotKind, Wish

LEAD = timedelta(seconds=10)
LIVE = (PlacementState.PLACED, PlacementState.RUNNING)


class SqlHeadStore:
    def lead(self, *, head: str) -> bool:
        now = self.now()
        fresh = {"head": head, "expires_at": now + LEAD}
        if HeadLease.objects.filter(pk=1, head=head).update(**fresh):
            return True
        if HeadLease.objects.filter(pk=1, expires_at__lt=now).update(**fresh):
            return True
        try:
            with transaction.atomic():
                return HeadLease.objects.get_or_create(pk=1, defaults=fresh)[1]
        except IntegrityError:
            return False

    def resign(self, *, head: str) -> None:
        HeadLease.objects.filter(pk=1, head=head).delete()

    def now(self) -> datetime:
        return timezone.now()

    def open_jobs(self) -> Sequence[head_node.Job]:
        live: dict[int, list[LiveWorker]] = defaultdict(list)
        for placement in Placement.objects.filter(job__state__in=OPEN, state__in=LIVE).select_related("node"):
            live[placement.job_id].append(live_worker(placement))
        rows = Job.objects.filter(state__in=OPEN).select_related("requested_node").order_by("id")
        return [_job(row, tuple(live[row.pk])) for row in rows]

    def nodes(self) -> Sequence[head_node.Node]:
        return [
            head_node.Node(
                name=row.name,
                is_online=row.state in (NodeState.ONLINE, NodeState.BUSY),
                http_slots=row.http_slots,
                browser_slots=row.browser_slots,
            )
            for row in Node.objects.order_by("name")
        ]

    @transaction.atomic
    def place(self, placement: head_node.Placement) -> LiveWorker | None:
        node = Node.objects.filter(name=placement.node).first()
        if node is None or not Job.objects.filter(pk=placement.job_id, state__in=OPEN).exists():
            return None
        fence = Placement.objects.filter(job=placement.job_id).count() + 1
        try:
            with transaction.atomic():
                row = Placement.objects.create(
                    job_id=placement.job_id, node=node, worker=placement.worker, fence=fence, placed_at=self.now()
                )
        except IntegrityError:
            return None
        return live_worker(row)

    @transaction.atomic
    def worker_vanished(self, worker: LiveWorker, *, reason: str, is_crash: bool = True) -> None:
        rows = Placement.objects.filter(pk=worker.placement_id, state__in=LIVE)
        if not rows.update(state=PlacementState.LOST, ended_at=self.now(), note=reason):
            return
        placement = Placement.objects.select_related("job__runner__crawler").get(pk=worker.placement_id)
        if is_crash:
            count_crash(placement.job)
        if placement.job.runner is not None:
            release_leases_of(placement.job.runner, worker=placement.worker_name)

    @transaction.atomic
    def give_up_page(self, worker: LiveWorker, hang: Hang) -> None:
        runner = Runner.objects.select_related("crawler").filter(jobs=worker.job_id).first()
        if runner is not None:
            fail_page(runner, url=hang.url, sentence=hang.sentence)

    @transaction.atomic
    def settle(self, settlement: Settlement) -> None:
        now = self.now()
        state = JobState.HELD if settlement.is_held else JobState.FINISHED
        come_from = [value for value in OPEN if value != state]
        job = move_job(
            job_id=settlement.job_id,
            come_from=come_from,
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

    @transaction.atomic
    def note_waiting(self, job_id: int, *, reason: str) -> None:
        """Also brings a job that lost all its workers back to the queue."""
        now = self.now()
        job = move_job(job_id=job_id, come_from=[JobState.RUNNING], state=JobState.QUEUED, reason=reason, now=now)
        if job is None:
            Job.objects.filter(pk=job_id, state=JobState.QUEUED).update(reason=reason)
            job = Job.objects.filter(pk=job_id, state=JobState.QUEUED).first()
        if job is not None:
            set_runner_status(job, RunnerStatus.QUEUED, reason=reason, now=now)


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
    )


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
        slots=SlotKind.BROWSER if row.needs_browser else SlotKind.HTTP,
        node=row.requested_node.name if row.requested_node else None,
        earliest_start=row.earliest_start,
        live=live,
        crashes=row.crashes,
        is_held=row.state == JobState.HELD,
    )
