"""A worker's side of its placement: claim it once, show signs of life, say how it ended."""

import logging
import os
import threading
from datetime import timedelta
from types import TracebackType

import psutil
from django.db import DatabaseError, close_old_connections, transaction
from django.utils import timezone

from backend.apps.jobs.models import Job, JobState, Placement, PlacementState
from backend.apps.jobs.services import count_crash, end_job, move_job, set_runner_status
from backend.apps.runners.models import RunnerStatus

log = logging.getLogger(__name__)

BEAT_SECONDS = 3.0
LEASE = timedelta(seconds=20)


class PlacementTaken(Exception):
    """The placement is not there, is somebody else's, or has ended: this process has nothing to do."""


class WorkerSession:
    """A context: inside it the placement is ours. `lost` is set when the database says that it no longer is."""

    def __init__(self, placement_id: int) -> None:
        self.placement_id = placement_id
        self.lost = threading.Event()
        self._over = threading.Event()
        self._beating = threading.Thread(target=self._beat_until_over, name="heartbeat", daemon=True)

    def __enter__(self) -> "WorkerSession":
        self._claim()
        self.placement = Placement.objects.select_related("job__runner", "node").get(pk=self.placement_id)
        self.name = self.placement.worker_name
        self._beating.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._beating.join(timeout=BEAT_SECONDS * 2)
        note = "Done." if error is None else f"It failed: {type(error).__name__}: {error}"
        self._end(note=note, is_crash=error is not None)

    def work_ended(self, *, ending: str, reason: str) -> None:
        """Say that not only this worker but the whole job has nothing more to do."""
        end_job(job_id=self.placement.job_id, ending=ending, reason=reason, now=timezone.now())

    @transaction.atomic
    def _claim(self) -> None:
        now = timezone.now()
        process = psutil.Process()
        claimed = Placement.objects.filter(pk=self.placement_id, state=PlacementState.PLACED).update(
            state=PlacementState.RUNNING,
            process_id=os.getpid(),
            process_started=process.create_time(),
            heartbeat_at=now,
            lease_expires_at=now + LEASE,
        )
        if not claimed:
            raise PlacementTaken
        job_id = Placement.objects.values_list("job_id", flat=True).get(pk=self.placement_id)
        running = move_job(
            job_id=job_id,
            come_from=[JobState.QUEUED],
            state=JobState.RUNNING,
            reason="Its first worker has started.",
            now=now,
            started_at=now,
        )
        if running is not None:
            set_runner_status(running, RunnerStatus.RUNNING, reason="", now=now)

    def _beat_until_over(self) -> None:
        while not self._over.wait(BEAT_SECONDS):
            try:
                self._beat()
            except DatabaseError as error:
                log.warning("A heartbeat could not be written (%s); trying again.", error)
            finally:
                close_old_connections()

    def _beat(self) -> None:
        now = timezone.now()
        ours = Placement.objects.filter(pk=self.placement_id, state=PlacementState.RUNNING)
        if not ours.update(heartbeat_at=now, lease_expires_at=now + LEASE):
            self.lost.set()

    @transaction.atomic
    def _end(self, *, note: str, is_crash: bool) -> None:
        ours = Placement.objects.filter(pk=self.placement_id, state=PlacementState.RUNNING)
        if not ours.update(state=PlacementState.EXITED, ended_at=timezone.now(), note=note):
            return
        if is_crash:
            count_crash(Job.objects.select_related("runner").get(pk=self.placement.job_id))
        else:
            Job.objects.filter(pk=self.placement.job_id).update(crashes=0)
