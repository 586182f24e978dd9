"""The head node's loop: read, decide, write. Everything it knows is in the store, so it can die at any moment."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from head_node.contracts import Ending, HeadStore, Job, Launcher, LiveWorker, Node, Wish
from head_node.departures import Departure, is_overdue, why_gone
from head_node.planning import Schedule, schedule
from head_node.settling import settle
from wording import say_count

RESEND_PATIENCE = timedelta(seconds=3)
TICK_SECONDS = 0.5
STOPPED_WITH_HEAD = "Gleaner was stopped; it goes on where it was with the next start."


class HeadLoop:
    """`launchers` by node name; `""` is the one for every other node."""

    def __init__(self, *, store: HeadStore, launchers: Mapping[str, Launcher], name: str) -> None:
        self._store = store
        self._launchers = launchers
        self._name = name
        self._sent_at: dict[int, datetime] = {}
        self._asked: set[int] = set()

    def run(
        self,
        stop: threading.Event,
        *,
        after_tick: Callable[[], None] = lambda: None,
        after_round: Callable[[], None] = lambda: None,
    ) -> None:
        """Until `stop` is set. Workers go on without a head. Only the head that leads does `after_tick`."""
        try:
            while not stop.is_set():
                if self.tick():
                    after_tick()
                after_round()
                stop.wait(TICK_SECONDS)
        finally:
            self.resign()

    def stop_workers(self, *, of: Callable[[Job], bool] = lambda _job: True, patience_seconds: float = 15.0) -> None:
        """Ask the workers of this machine to stop and wait; their jobs go on with the next head, or elsewhere.

        Whether this head leads makes no difference: workers of other machines and nodes are not its own to end. `of`
        chooses whose; until it resigns, no tick may follow, which would give these jobs workers again.
        """
        waited = threading.Event()
        ours = self._live_here(of)
        for worker in ours:
            self._launcher(worker).ask_to_stop(worker)
        for _ in range(int(patience_seconds / 0.1)):
            if not any(self._launcher(worker).is_running(worker) for worker in self._live_here(of)):
                break
            waited.wait(0.1)
        for worker in self._live_here(of):
            self._launcher(worker).kill(worker)
            self._store.worker_vanished(worker, reason=STOPPED_WITH_HEAD, is_crash=False, is_lost=False)
        self._store.return_leases()
        self._note_stopped({worker.job_id for worker in ours})

    def _live_here(self, of: Callable[[Job], bool]) -> list[LiveWorker]:
        live = [worker for job in self._store.open_jobs() if of(job) for worker in job.live]
        return [worker for worker in live if self._launcher(worker).is_here(worker)]

    def _note_stopped(self, stopped: set[int]) -> None:
        """Of jobs that lost all their workers; a head that leads by now may have given them new ones."""
        for job in self._store.open_jobs():
            is_wanted = not job.is_held and job.wish is Wish.RUN and job.ending is Ending.NONE
            if job.id in stopped and is_wanted and not job.live:
                self._store.note_waiting(job.id, reason=STOPPED_WITH_HEAD)

    def resign(self) -> None:
        """Let another head lead at once; workers go on."""
        self._store.resign(head=self._name)

    def tick(self) -> bool:
        """One round; False when another head leads."""
        if not self._store.lead(head=self._name):
            return False
        nodes = {node.name: node for node in self._store.nodes()}
        now = self._store.now()
        for job in self._store.open_jobs():
            self._end_wall_time(job, now)
            for worker in job.live:
                self._watch(job, worker, nodes.get(worker.node), now)
        self._store.return_leases()
        for job in self._store.open_jobs():
            if settlement := settle(job, list(nodes.values())):
                self._store.settle(settlement)
        self._place_missing()
        return True

    # --- workers that are there

    def _watch(self, job: Job, worker: LiveWorker, node: Node | None, now: datetime) -> None:
        """Bury it, free it from a page that holds it, ask it to end, or see to it that it begins."""
        launcher = self._launcher(worker)
        if departure := self._departure(job, worker, node, now):
            self._bury(worker, departure)
        elif hang := launcher.find_hang(worker):
            launcher.kill(worker)
            self._store.worker_vanished(worker, reason=hang.sentence, is_crash=False, is_lost=False, hang=hang)
        elif job.wish is not Wish.RUN and worker.placement_id not in self._asked:
            self._asked.add(worker.placement_id)  # once: a second signal might meet it while it says good-bye
            launcher.ask_to_stop(worker)
        elif worker.process_id is None and now - self._sent_at.setdefault(worker.placement_id, worker.placed_at) > (
            RESEND_PATIENCE
        ):
            self._launch(worker, now)

    def _departure(self, job: Job, worker: LiveWorker, node: Node | None, now: datetime) -> Departure | None:
        launcher = self._launcher(worker)
        if departure := why_gone(job, worker, node, now):
            is_its_fault = worker.process_id is not None or launcher.is_within_reach()
            return departure if is_its_fault else replace(departure, is_crash=False)
        if launcher.has_failed_to_begin(worker):
            return Departure("It ended before it began.", is_crash=True)
        if worker.process_id is not None and not launcher.is_running(worker):
            return Departure("Its process is gone.", is_crash=True)
        return Departure("It did not end in time, so it was ended.") if is_overdue(job, now) else None

    def _bury(self, worker: LiveWorker, departure: Departure) -> None:
        launcher = self._launcher(worker)
        words = launcher.last_words(worker) if departure.is_crash else ""
        launcher.kill(worker)
        self._store.worker_vanished(worker, reason=departure.reason, is_crash=departure.is_crash, last_words=words)
        self._sent_at.pop(worker.placement_id, None)
        self._asked.discard(worker.placement_id)

    def _end_wall_time(self, job: Job, now: datetime) -> None:
        left = job.wall_time_left(now)
        if left is not None and left <= timedelta(0) and job.wish is Wish.RUN and job.ending is Ending.NONE:
            self._store.end_wall_time(job, reason=f"Its wall time of {_say(job.wall_time)} is over.")

    # --- workers that are missing

    def _place_missing(self) -> None:
        jobs, now = self._store.open_jobs(), self._store.now()
        nodes = [self._within_reach(node) for node in self._store.nodes()]
        decided = schedule(jobs, nodes, now)
        for placement in decided.placements:
            worker = self._store.place(placement)
            if worker is not None:
                self._launch(worker, now)
        for job in jobs:
            self._explain(job, decided)

    def _within_reach(self, node: Node) -> Node:
        launcher = self._launchers.get(node.name) or self._launchers.get("")
        if launcher is None or not node.is_online:
            return node
        return replace(node, is_within_reach=launcher.is_within_reach())

    def _launch(self, worker: LiveWorker, now: datetime) -> None:
        self._sent_at[worker.placement_id] = now
        self._launcher(worker).launch(worker)

    def _explain(self, job: Job, decided: Schedule) -> None:
        """Tell people why a job waits, when that has changed."""
        if job.is_held or job.wish is not Wish.RUN or job.ending is not Ending.NONE:
            return
        reason = decided.waiting.get(job.id, "")
        got_one = any(placement.job_id == job.id for placement in decided.placements)
        if job.live or got_one:
            if reason != job.reason:
                self._store.note_short(job.id, reason=reason)
        elif reason and reason != job.reason:
            self._store.note_waiting(job.id, reason=reason)

    def _launcher(self, worker: LiveWorker) -> Launcher:
        return self._launchers.get(worker.node) or self._launchers[""]


def _say(length: timedelta | None) -> str:
    seconds = int(length.total_seconds()) if length is not None else 0
    return say_count(seconds, "second") if seconds < 120 else say_count(seconds // 60, "minute")
