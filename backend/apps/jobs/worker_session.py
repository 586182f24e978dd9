"""A worker's side of its placement: claim it once, show signs of life, hear what people want, say how it ended."""

import logging
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from types import TracebackType
from typing import Any

import psutil
from django.db import DatabaseError, connection, transaction

from backend.apps.jobs.clock import database_now
from backend.apps.jobs.models import Job, JobState, Placement, PlacementState, Wish
from backend.apps.jobs.retrying import retried
from backend.apps.jobs.services import count_crash, end_job
from backend.apps.jobs.settlements import requeue_workerless, settle_workerless
from backend.apps.jobs.transitions import GOES_ON, move_job, set_runner_status
from backend.apps.runners.models import RunnerStatus
from head_node.launchers import began_at

log = logging.getLogger(__name__)

BEAT_SECONDS = 2.0
LEASE = timedelta(seconds=12)
# Writers of SQLite queue without fairness; its workers are on the head's machine, which sees when one is gone.
SQLITE_LEASE = timedelta(seconds=30)
FENCED_SECONDS = 5.0
ENDED = "Its workers were ended; it goes on with others."


class PlacementTaken(Exception):
    """The placement is not there, is somebody else's, or has ended: this process has nothing to do."""


class WorkerSession:
    """A context: inside it the placement is ours.

    `lost` is set when the database says that it no longer is, and when the database was silent for so long that it
    will say so: whoever does not end soon after that is ended. `should_stop` is set when people want the job to pause
    or stop. `live` is asked at every sign of life what the worker is doing.
    """

    def __init__(self, placement_id: int) -> None:
        self.placement_id = placement_id
        self.lost = threading.Event()
        self.should_stop = threading.Event()
        self.live: Callable[[], dict[str, Any]] = dict
        self._over = threading.Event()
        self._lease = LEASE if connection.vendor == "postgresql" else SQLITE_LEASE
        self._last_beat = time.monotonic()
        self._threads = [
            threading.Thread(target=self._beat_until_over, name="heartbeat", daemon=True),
            threading.Thread(target=self._fence_when_lost, name="fence", daemon=True),
        ]

    def __enter__(self) -> "WorkerSession":
        retried(self._claim)
        self._last_beat = time.monotonic()
        self.placement = Placement.objects.select_related("job__runner", "node").get(pk=self.placement_id)
        self.name = self.placement.worker_name
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join(timeout=BEAT_SECONDS * 2)
        note = "Done." if error is None else f"It failed: {type(error).__name__}: {error}"
        retried(lambda: self._end(note=note, is_crash=error is not None))

    def work_ended(self, *, ending: str, reason: str) -> None:
        """Say that not only this worker but the whole job has nothing more to do."""
        retried(lambda: end_job(job_id=self.placement.job_id, ending=ending, reason=reason, now=database_now()))

    # --- claiming

    @transaction.atomic
    def _claim(self) -> None:
        now = database_now()
        job_id = self._take(now)
        Job.objects.select_for_update().get(pk=job_id)  # or who sees no worker would requeue it at the same moment
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

    def _take(self, now: Any) -> int:
        """The job of the placement, which is ours from now on. A job that nobody wants any more has none to give."""
        us = {
            "process_id": os.getpid(),
            "process_started": began_at(psutil.Process()),
            "machine": socket.gethostname(),
        }
        free = Placement.objects.filter(pk=self.placement_id, state=PlacementState.PLACED, job__wish=Wish.RUN)
        lease = {"heartbeat_at": now, "lease_expires_at": now + self._lease}
        if not free.update(state=PlacementState.RUNNING, **us, **lease):
            ours = Placement.objects.filter(pk=self.placement_id, state=PlacementState.RUNNING, **us)
            if not ours.exists():  # else the answer to our first try was lost
                raise PlacementTaken
        return Placement.objects.values_list("job_id", flat=True).get(pk=self.placement_id)

    # --- signs of life

    def _beat_until_over(self) -> None:
        while not self._over.wait(BEAT_SECONDS):
            try:
                self._beat()
            except DatabaseError as error:
                log.warning("A heartbeat could not be written (%s); trying again.", error)
                connection.close()  # else it is kept: a new one for every sign of life would cost more than the sign
        connection.close()

    def _beat(self) -> None:
        began = time.monotonic()
        now = database_now()
        ours = Placement.objects.filter(pk=self.placement_id, state=PlacementState.RUNNING)
        if not ours.update(heartbeat_at=now, lease_expires_at=now + self._lease, live=self.live()):
            self.lost.set()
            return
        self._last_beat = began
        if Job.objects.filter(pk=self.placement.job_id).exclude(wish=Wish.RUN).exists():
            self.should_stop.set()

    def _fence_when_lost(self) -> None:
        """Whoever may no longer speak for its job must not stay: it is replaced, and would be one too many."""
        while not self._over.wait(0.5):
            if time.monotonic() - self._last_beat > self._lease.total_seconds():
                self.lost.set()
            if self.lost.is_set():
                break
        if self.lost.is_set() and not self._over.wait(FENCED_SECONDS):
            log.error("Placement %s is no longer ours; this process ends at once.", self.placement_id)
            end_this_process_group()

    # --- the end

    @transaction.atomic
    def _end(self, *, note: str, is_crash: bool) -> None:
        now = database_now()
        ours = Placement.objects.filter(pk=self.placement_id, state=PlacementState.RUNNING)
        if not ours.update(state=PlacementState.EXITED, ended_at=now, note=note, live=self.live(), is_crash=is_crash):
            return
        job_id = self.placement.job_id
        if is_crash:
            Placement.objects.filter(pk=self.placement_id).update(last_words=note)
            count_crash(Job.objects.select_related("runner").get(pk=job_id), fence=self.placement.fence, now=now)
        else:
            Job.objects.filter(pk=job_id).update(crashes=0)
        settle_workerless(job_id=job_id, now=now)
        status, told = (
            (RunnerStatus.LOST, f"{note.rstrip('.')}. {GOES_ON}") if is_crash else (RunnerStatus.QUEUED, ENDED)
        )
        requeue_workerless(job_id=job_id, status=status, reason=told, now=now)


def end_this_process_group() -> None:
    """A worker leads its own group: browsers and other helpers go with it."""
    if os.getpgid(0) == os.getpid():
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(70)
