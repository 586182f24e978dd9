"""The head node's store on SQL: jobs, nodes and placements as the scheduler sees them."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction

import head_node
from backend.apps.jobs.clock import database_now
from backend.apps.jobs.held import HeldJobs
from backend.apps.jobs.models import Ending, HeadLease, Job, JobState, Placement, PlacementState, Wish
from backend.apps.jobs.owed_leases import OwedLeases
from backend.apps.jobs.services import count_crash, wish_for_job
from backend.apps.jobs.settlements import LIVE, as_scheduled, live_worker, requeue_workerless, settle_workerless
from backend.apps.jobs.transitions import GOES_ON, OPEN, set_runner_status
from backend.apps.nodes.models import Node
from backend.apps.nodes.selectors import judged_nodes
from backend.apps.nodes.services import head_has_left, head_is_there
from backend.apps.runners.models import RunnerStatus
from head_node.contracts import Hang, LiveWorker, Settlement

LEAD = timedelta(seconds=10)


class SqlHeadStore:
    """`on_lead` is called whenever a head that did not lead begins to."""

    def __init__(self, *, on_lead: Callable[[], object] = lambda: None) -> None:
        self._held = HeldJobs()
        self._owed_leases = OwedLeases()
        self._on_lead = on_lead
        self._is_leading = False
        self._head: str | None = None

    def lead(self, *, head: str) -> bool:
        self._head = head
        was_leading, self._is_leading = self._is_leading, self._take_lead(head)
        if self._is_leading and not was_leading:
            self._owed_leases.find(now=self.now())
            self._on_lead()
        return self._is_leading

    def _take_lead(self, head: str) -> bool:
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

    @transaction.atomic
    def resign(self, *, head: str) -> None:
        self._is_leading = False
        if HeadLease.objects.filter(pk=1, head=head).delete()[0]:
            head_has_left()
            judged_nodes(now=self.now())

    def now(self) -> datetime:
        return database_now()

    def open_jobs(self) -> Sequence[head_node.Job]:
        return as_scheduled(Job.objects.filter(state__in=OPEN).select_related("requested_node").order_by("id"))

    def nodes(self) -> Sequence[head_node.Node]:
        now = self.now()
        head_is_there(now=now)
        return judged_nodes(now=now)

    def _was_overtaken(self) -> bool:
        """Another head leads by now, and may have given the same slots away. Until the transaction ends, nobody can."""
        ours = HeadLease.objects.select_for_update().filter(pk=1, head=self._head)
        return self._head is not None and ours.first() is None

    @transaction.atomic
    def place(self, placement: head_node.Placement) -> LiveWorker | None:
        if self._was_overtaken():
            return None
        node = Node.objects.filter(name=placement.node).first()
        startable = Job.objects.select_for_update().filter(
            pk=placement.job_id, state__in=OPEN, wish=Wish.RUN, ending=Ending.NONE
        )
        if node is None or startable.first() is None:
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

    def worker_vanished(
        self,
        worker: LiveWorker,
        *,
        reason: str,
        is_crash: bool = True,
        is_lost: bool = True,
        last_words: str = "",
        hang: Hang | None = None,
    ) -> None:
        """Tried again at the next tick where somebody holds the job: others must not wait for that."""
        is_buried = False
        with self._held.unless_held(worker.job_id) as is_free:
            if is_free:
                is_buried = self._bury(worker, reason, is_crash=is_crash, is_lost=is_lost, last_words=last_words)
        if is_buried:
            self._owed_leases.owe(worker.placement_id, hang=hang)
            self._owed_leases.give_back()

    def _bury(self, worker: LiveWorker, reason: str, *, is_crash: bool, is_lost: bool, last_words: str) -> bool:
        """False when its placement had ended already."""
        now = self.now()
        rows = Placement.objects.filter(pk=worker.placement_id, state__in=LIVE)
        if not rows.update(state=PlacementState.LOST, ended_at=now, note=reason, is_crash=is_crash):
            return False
        if last_words:
            Placement.objects.filter(pk=worker.placement_id).update(last_words=last_words)
        placement = Placement.objects.select_related("job__runner").get(pk=worker.placement_id)
        if is_crash:
            count_crash(placement.job, fence=placement.fence, now=now)
        status = RunnerStatus.LOST if is_lost else RunnerStatus.QUEUED
        told = f"{reason} {GOES_ON}" if is_lost else reason
        requeue_workerless(job_id=worker.job_id, status=status, reason=told, now=now)
        return True

    def return_leases(self) -> None:
        self._owed_leases.give_back()

    def settle(self, settlement: Settlement) -> None:
        """Decided again under the job's lock: a person may have wished something else since it was read."""
        settle_workerless(job_id=settlement.job_id, now=self.now())

    def end_wall_time(self, job: head_node.Job, *, reason: str) -> None:
        wish_for_job(job_id=job.id, wish=Wish.STOP, now=self.now(), reason=reason, only_from=Wish.RUN)

    @transaction.atomic
    def note_waiting(self, job_id: int, *, reason: str) -> None:
        """Also brings a job that nobody works on back to the queue. Who was lost is so until its next worker."""
        now = self.now()
        if requeue_workerless(job_id=job_id, status=RunnerStatus.QUEUED, reason=reason, now=now):
            return
        waiting = Job.objects.filter(pk=job_id, state=JobState.QUEUED)
        waiting.update(reason=reason)
        job = waiting.select_related("runner").first()
        if job is not None and job.runner is not None:
            is_lost = job.runner.status == RunnerStatus.LOST
            set_runner_status(job, RunnerStatus.LOST if is_lost else RunnerStatus.QUEUED, reason=reason, now=now)

    def note_short(self, job_id: int, *, reason: str) -> None:
        Job.objects.filter(pk=job_id, state=JobState.RUNNING, ending=Ending.NONE).update(reason=reason)
