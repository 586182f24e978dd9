"""What every launcher promises, with real workers on a real database.

A worker comes, and comes once however often it is launched; it outlives whoever launched it; it is seen to be gone
when it is gone, and gone when it was killed. One that fails to begin is seen too, and not started over and over.
"""

import os
import signal
import time
from collections.abc import Callable

import psutil
from django.conf import settings

from backend.apps.jobs.models import Job, Placement, PlacementState
from backend.apps.jobs.settlements import live_worker
from backend.config.launching import worker_log
from head_node import Launcher, LiveWorker

PATIENCE_SECONDS = 400.0


def wait_until(is_so: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        assert time.monotonic() < deadline, f"{what} did not happen"
        time.sleep(0.1)


def as_stored(worker: LiveWorker) -> LiveWorker:
    """The worker as the head node reads it at its next tick."""
    return live_worker(Placement.objects.select_related("node").get(pk=worker.placement_id))


def processes_of(worker: LiveWorker) -> list[psutil.Process]:
    """Those of this test alone: another one on another database may have a placement of the same number."""
    words = ["work", "--placement", str(worker.placement_id)]
    found = []
    for process in psutil.process_iter(["cmdline", "status", "environ"]):
        is_ours = (process.info["environ"] or {}).get("GLEANER_VAR") == str(settings.VAR_DIR)
        is_worker = (process.info["cmdline"] or [])[-3:] == words
        if is_ours and is_worker and process.info["status"] != psutil.STATUS_ZOMBIE:
            found.append(process)
    return found


class LauncherContract:
    """Inherit and give fixtures `launcher`, `place` (puts a job's first worker on the node) and `abandon`.

    `refused_claims` makes the database refuse whoever wants to claim a placement.
    """

    def _claimed(self, launcher: Launcher, worker: LiveWorker) -> LiveWorker:
        launcher.launch(worker)
        wait_until(lambda: as_stored(worker).process_id, "the claim")
        return as_stored(worker)

    def test_a_worker_comes_once_however_often_it_is_launched(
        self, launcher: Launcher, place: Callable[[Job], LiveWorker], job: Job
    ) -> None:
        worker = place(job)
        launcher.launch(worker)
        launcher.launch(worker)
        wait_until(lambda: as_stored(worker).process_id, "the claim")
        launcher.launch(worker)
        wait_until(lambda: len(processes_of(worker)) == 1, "that one is left")
        stored = as_stored(worker)
        assert [process.pid for process in processes_of(worker)] == [stored.process_id]
        assert os.getsid(stored.process_id or 0) == stored.process_id
        assert launcher.is_running(stored)

    def test_a_worker_outlives_whoever_launched_it_and_is_gone_when_killed(
        self, launcher: Launcher, place: Callable[[Job], LiveWorker], job: Job, abandon: Callable[[], Launcher]
    ) -> None:
        worker = self._claimed(launcher, place(job))
        successor = abandon()
        assert len(processes_of(worker)) == 1
        assert successor.is_running(as_stored(worker))
        successor.kill(as_stored(worker))
        wait_until(lambda: not processes_of(worker), "the end")
        wait_until(lambda: not successor.is_running(as_stored(worker)), "that it is seen to be gone")

    def test_a_worker_that_died_is_seen_to_be_gone(
        self, launcher: Launcher, place: Callable[[Job], LiveWorker], job: Job
    ) -> None:
        worker = self._claimed(launcher, place(job))
        os.kill(worker.process_id or 0, signal.SIGKILL)
        wait_until(lambda: not launcher.is_running(as_stored(worker)), "that it is seen to be gone")
        placement = Placement.objects.get(pk=worker.placement_id)
        assert (placement.state, placement.note) == (PlacementState.RUNNING, "")  # the head's to change

    def test_a_worker_that_fails_to_begin_is_seen_with_its_last_words_and_not_started_again(
        self, launcher: Launcher, place: Callable[[Job], LiveWorker], job: Job, refused_claims: str
    ) -> None:
        worker = place(job)

        def is_seen() -> bool:
            launcher.launch(as_stored(worker))
            return launcher.has_failed_to_begin(as_stored(worker))

        wait_until(is_seen, "that it is seen to have failed")
        assert as_stored(worker).process_id is None
        placement = Placement.objects.get(pk=worker.placement_id)
        assert refused_claims in (launcher.last_words(worker) or placement.last_words)
        launcher.launch(as_stored(worker))
        assert processes_of(worker) == []
        assert worker_log(worker).read_text().count("psycopg.errors.RaiseException") == 1
