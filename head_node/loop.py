"""The head node's loop: read, decide, write. Everything it knows is in the store, so it can die at any moment."""

import threading
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta

from head_node.contracts import Ending, HeadStore, Job, Launcher, LiveWorker, Node, Wish
from head_node.planning import may_start, plan, why_waiting
from head_node.settling import settle

CLAIM_PATIENCE = timedelta(seconds=60)
STOP_PATIENCE = timedelta(seconds=20)
TICK_SECONDS = 0.5
STOPPED_WITH_HEAD = "Gleaner was stopped; it goes on where it was with the next start."


class HeadLoop:
    """`launchers` by node name; `""` is the one for every other node."""

    def __init__(self, *, store: HeadStore, launchers: Mapping[str, Launcher], name: str) -> None:
        self._store = store
        self._launchers = launchers
        self._name = name

    def run(self, stop: threading.Event, *, after_tick: Callable[[], None] = lambda: None) -> None:
        """Until `stop` is set. Workers go on without a head."""
        try:
            while not stop.is_set():
                self.tick()
                after_tick()
                stop.wait(TICK_SECONDS)
        finally:
            self.resign()

    def stop_workers(self, *, patience_seconds: float = 15.0) -> None:
        """Ask every worker to stop and wait; their jobs stay in the queue and go on with the next head."""
        waited = threading.Event()
        for worker in self._all_live():
            self._launcher(worker).ask_to_stop(worker)
        for _ in range(int(patience_seconds / 0.1)):
            running = [worker for worker in self._all_live() if self._launcher(worker).is_running(worker)]
            if not running:
                break
            waited.wait(0.1)
        for worker in self._all_live():
            self._launcher(worker).kill(worker)
            self._store.worker_vanished(worker, reason=STOPPED_WITH_HEAD, is_crash=False)
        for job in self._store.open_jobs():
            if not job.is_held and job.wish is Wish.RUN and job.ending is Ending.NONE:
                self._store.note_waiting(job.id, reason=STOPPED_WITH_HEAD)

    def _all_live(self) -> list[LiveWorker]:
        return [worker for job in self._store.open_jobs() for worker in job.live]

    def resign(self) -> None:
        """Let another head lead at once; workers go on."""
        self._store.resign(head=self._name)

    def tick(self) -> bool:
        """One round; False when another head leads."""
        if not self._store.lead(head=self._name):
            return False
        self._bury_vanished()
        self._settle_workerless()
        self._place_missing()
        return True

    def _bury_vanished(self) -> None:
        now = self._store.now()
        for job in self._store.open_jobs():
            for worker in job.live:
                launcher = self._launcher(worker)
                if reason := self._why_gone(worker):
                    launcher.kill(worker)
                    self._store.worker_vanished(worker, reason=reason)
                elif hang := launcher.find_hang(worker):
                    launcher.kill(worker)
                    self._store.give_up_page(worker, hang)
                    self._store.worker_vanished(worker, reason=hang.sentence, is_crash=False)
                elif _is_overdue(job, now):
                    launcher.kill(worker)

    def _why_gone(self, worker: LiveWorker) -> str | None:
        now = self._store.now()
        if worker.process_id is None:
            return "It did not start in time." if now - worker.placed_at > CLAIM_PATIENCE else None
        if not self._launcher(worker).is_running(worker):
            return "Its process is gone."
        if worker.lease_expires_at is not None and worker.lease_expires_at < now:
            return "It gave no sign of life."
        return None

    def _settle_workerless(self) -> None:
        for job in self._store.open_jobs():
            if settlement := settle(job):
                self._store.settle(settlement)

    def _place_missing(self) -> None:
        jobs, nodes, now = self._store.open_jobs(), self._store.nodes(), self._store.now()
        for placement in plan(jobs, nodes, now):
            worker = self._store.place(placement)
            if worker is not None:
                self._launcher(worker).launch(worker)
        self._explain_waiting(nodes)

    def _explain_waiting(self, nodes: Sequence[Node]) -> None:
        now = self._store.now()
        for job in self._store.open_jobs():
            if not job.live and not job.is_held and job.wish is Wish.RUN:
                reason = why_waiting(job, nodes, now)
                if reason != job.reason and (may_start(job, now) or job.earliest_start):
                    self._store.note_waiting(job.id, reason=reason)

    def _launcher(self, worker: LiveWorker) -> Launcher:
        return self._launchers.get(worker.node) or self._launchers[""]


def _is_overdue(job: Job, now: datetime) -> bool:
    return job.wish is not Wish.RUN and job.wished_at is not None and now - job.wished_at > STOP_PATIENCE
