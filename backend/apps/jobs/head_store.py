"""The head node's store on SQL: jobs, nodes and placements as the scheduler sees them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
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
from backend.apps.nodes.services import LOCALHOST, head_has_left, head_is_there
from backend.apps.runners.models import RunnerStatus
from head_node.contracts import Hang, LiveWorker, Settlement

LEAD = timedelta(seconds=10)


@dataclass(frozen=True, slots=True)
class _Loss:
    """What a job has yet to hear of a worker that it lost."""

    is_crash: bool
    is_lost: bool


class SqlHeadStore:
    """`on_lead` is called whenever a head that did not lead begins to."""

    def __init__(self, *, on_lead: Callable[[], object] = lambda: None) -> None:
        self._held = HeldJobs()
        self._owed_leases = OwedLeases()
        self._unheard: dict[int, tuple[int, _Loss]] = {}
        self._on_lead = on_lead
        self._is_leading = False
        self._head: str | None = None

    def lead(self, *, head: str) -> bool:
        self._head = head
        was_leading, self._is_leading = self._is_leading, self._take_lead(head)
        if self._is_leading and not was_leading:
            self._owed_leases.find(now=self.now())
            self._find_unheard()
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

    def place(self, placement: head_node.Placement) -> LiveWorker | None:
        """None also where somebody holds the job: it is asked for again with the next tick."""
        placed = None
        with self._held.unless_held(placement.job_id) as is_free:
            if is_free:
                placed = self._place(placement)
        return placed

    def _place(self, placement: head_node.Placement) -> LiveWorker | None:
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
        """Nobody is said to run because somebody holds its job: that hears of it when it can be written."""
        loss = _Loss(is_crash=is_crash, is_lost=is_lost)
        is_buried: bool | None = None
        with self._held.unless_held(worker.job_id) as is_free:
            if is_free:
                has_ended = self._end_placement(worker, reason, is_crash=is_crash, last_words=last_words)
                if has_ended:
                    self._tell_job(self._placement(worker.placement_id), loss)
                is_buried = has_ended  # else all of that was undone
        if is_buried is None:
            is_buried = self._end_placement(worker, reason, is_crash=is_crash, last_words=last_words, is_patient=False)
            if is_buried:
                self._unheard[worker.placement_id] = (worker.job_id, loss)
        if is_buried:
            self._owed_leases.owe(worker.placement_id, hang=hang)

    @transaction.atomic
    def _end_placement(
        self, worker: LiveWorker, reason: str, *, is_crash: bool, last_words: str, is_patient: bool = True
    ) -> bool:
        """False when it had ended already. Who is not patient leaves it, for now, where somebody holds its row."""
        row = Placement.objects.filter(pk=worker.placement_id, state__in=LIVE)
        if not is_patient and not row.select_for_update(skip_locked=True):
            return False
        changes: dict[str, object] = {"last_words": last_words} if last_words else {}
        if worker.node != LOCALHOST:  # which has no agent
            changes["is_kill_wished"] = True
        ended = {"state": PlacementState.LOST, "ended_at": self.now(), "note": reason, "is_crash": is_crash}
        return bool(row.update(**ended, **changes))

    def _tell_job(self, placement: Placement | None, loss: _Loss) -> None:
        if placement is None:  # deleted meanwhile
            return
        if loss.is_crash:
            count_crash(placement.job, fence=placement.fence, now=placement.ended_at)
        status = RunnerStatus.LOST if loss.is_lost else RunnerStatus.QUEUED
        told = f"{placement.note} {GOES_ON}" if loss.is_lost else placement.note
        requeue_workerless(job_id=placement.job_id, status=status, reason=told, now=self.now())

    def _placement(self, placement_id: int) -> Placement | None:
        return Placement.objects.select_related("job__runner").filter(pk=placement_id).first()

    def _find_unheard(self) -> None:
        """An earlier head ended between a placement and its job: nobody works on that, though it is said to run."""
        lost = Placement.objects.filter(state=PlacementState.LOST, job__state=JobState.RUNNING).order_by("pk")
        lost = lost.exclude(job__placements__state=PlacementState.RUNNING)
        newest = dict(lost.values_list("job_id", "pk"))
        self._unheard = {
            placement_id: (job, _Loss(is_crash=False, is_lost=True)) for job, placement_id in newest.items()
        }

    def return_leases(self) -> None:
        for placement_id, (job_id, loss) in list(self._unheard.items()):
            with self._held.unless_held(job_id) as is_free:
                if is_free:
                    self._tell_job(self._placement(placement_id), loss)
                    del self._unheard[placement_id]
        self._owed_leases.give_back()

    def settle(self, settlement: Settlement) -> None:
        """Decided again under the job's lock: a person may have wished something else since it was read."""
        with self._held.unless_held(settlement.job_id) as is_free:
            if is_free:
                settle_workerless(job_id=settlement.job_id, now=self.now())

    def end_wall_time(self, job: head_node.Job, *, reason: str) -> None:
        with self._held.unless_held(job.id) as is_free:
            if is_free:
                wish_for_job(job_id=job.id, wish=Wish.STOP, now=self.now(), reason=reason, only_from=Wish.RUN)

    def note_waiting(self, job_id: int, *, reason: str) -> None:
        """Also brings a job that nobody works on back to the queue. Who was lost is so until its next worker."""
        with self._held.unless_held(job_id) as is_free:
            if is_free:
                self._note_waiting(job_id, reason)

    def _note_waiting(self, job_id: int, reason: str) -> None:
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
        with self._held.unless_held(job_id) as is_free:
            if is_free:
                Job.objects.filter(pk=job_id, state=JobState.RUNNING, ending=Ending.NONE).update(reason=reason)
