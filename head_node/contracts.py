"""What the scheduler sees and says: plain values, and the two protocols it acts through.

The database holds the truth. A launcher only brings the word to a machine: launching twice is harmless, because the
worker claims its placement with a conditional UPDATE and a second one finds it taken.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Protocol


class Wish(StrEnum):
    """What people want a job to do."""

    RUN = "run"
    PAUSE = "pause"
    STOP = "stop"


class SlotKind(StrEnum):
    """What a worker takes of a node."""

    HTTP = "http"
    BROWSER = "browser"
    INDEX = "index"


INDEX_SLOTS = 64
"""Index jobs that a node takes: those that follow a crawl mostly wait."""


MAX_CRASHES = 5
"""After so many in a row a job is given up, unless it has not been tried everywhere yet."""


class Ending(StrEnum):
    """What the work itself said when it ended; NONE while it has more to do."""

    NONE = ""
    COMPLETED = "completed"
    EXIT = "exit"


@dataclass(frozen=True, slots=True)
class LiveWorker:
    """A worker that was placed and has not ended, as far as the database knows.

    `process_id` and `process_started` name its process on `machine` beyond doubt; None until it has claimed its
    placement. `is_gone` and `hang` are what its node has seen; who is gone before the claim has failed to begin.
    """

    placement_id: int
    job_id: int
    node: str
    number: int
    placed_at: datetime
    lease_expires_at: datetime | None = None
    process_id: int | None = None
    process_started: float | None = None
    machine: str = ""
    is_gone: bool = False
    hang: "Hang | None" = None


@dataclass(frozen=True, slots=True)
class Job:
    """One unit of work that is not finished. `crashes` counts workers that vanished since one last ended well.

    `wish_reason` says why it should pause or stop where that was not a person's wish. Each of its `workers` takes
    `slots_each` slots of one node. `ran` is how long it ran before `running_since`; `last_words` is the end of the log
    of the worker that crashed last, `avoid` the nodes where those that `crashes` counts were: others are better.
    """

    id: int
    submitted_at: datetime
    wish: Wish = Wish.RUN
    wished_at: datetime | None = None
    wish_reason: str = ""
    ending: Ending = Ending.NONE
    reason: str = ""
    priority: int = 0
    workers: int = 1
    slots: SlotKind = SlotKind.HTTP
    slots_each: int = 1
    project: int = 0
    node: str | None = None
    wall_time: timedelta | None = None
    ran: timedelta = timedelta(0)
    running_since: datetime | None = None
    earliest_start: datetime | None = None
    live: tuple[LiveWorker, ...] = ()
    crashes: int = 0
    avoid: frozenset[str] = frozenset()
    last_words: str = ""
    is_held: bool = False

    @property
    def has_crashed_enough(self) -> bool:
        return self.crashes >= MAX_CRASHES

    def wall_time_left(self, now: datetime) -> timedelta | None:
        """Until its wall time is over, negative after that; None when it may run as long as it likes."""
        if self.wall_time is None:
            return None
        running = now - self.running_since if self.running_since is not None else timedelta(0)
        return self.wall_time - self.ran - running


@dataclass(frozen=True, slots=True)
class Node:
    """A machine and what it has to give; `slots` counts all of them, taken ones too.

    Only one that is online gets workers; `condition` is its state in a word. The workers of a node that is gone (lost
    or offline) are gone too, as far as anybody can know. One that nobody can tell anything gets no workers either.
    """

    name: str
    is_online: bool
    http_slots: int
    browser_slots: int = 0
    condition: str = "online"
    is_gone: bool = False
    is_within_reach: bool = True

    def slots(self, kind: SlotKind) -> int:
        of_kind = {SlotKind.BROWSER: self.browser_slots, SlotKind.INDEX: INDEX_SLOTS}
        return of_kind.get(kind, self.http_slots)


@dataclass(frozen=True, slots=True)
class Placement:
    """A worker of a job goes to a node."""

    job_id: int
    worker: int
    node: str


@dataclass(frozen=True, slots=True)
class Hang:
    """A page that holds its worker: no process can be interrupted inside native code, so it is replaced."""

    url: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Settlement:
    """What becomes of a job that has no worker left: finished well or badly, or held until somebody resumes it."""

    job_id: int
    ending: Ending
    reason: str
    is_held: bool = False


class HeadStore(Protocol):
    """The jobs and nodes, on SQLite or PostgreSQL. Every change is conditional: of two heads one succeeds."""

    def lead(self, *, head: str) -> bool:
        """Become or stay the one head that acts; False while another one leads."""

    def resign(self, *, head: str) -> None:
        """Let another head lead at once."""

    def now(self) -> datetime: ...

    def open_jobs(self) -> Sequence[Job]: ...

    def nodes(self) -> Sequence[Node]:
        """Judged now: those that gave no sign of life are lost. Whoever leads and asks is the sign of its own."""

    def place(self, placement: Placement) -> LiveWorker | None:
        """Write the placement down; None when the job ended or has that worker already, or another head leads, and for
        the moment where somebody holds the job.
        """

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
        """Its process is gone without a word: the placement is lost, and somebody else may get its number.

        What it held goes on elsewhere with `return_leases`; a page that held it (`hang`) fails with the reason.

        A job whose last worker that was for the moment is queued again, and people see it as lost until its next one
        begins; not with `is_lost` False, for a worker that we ended ourselves.
        `last_words` is the end of what it printed, kept for the case that the job is given up.
        """

    def return_leases(self) -> None:
        """Queue again what vanished workers held, and tell their jobs of them where that could not be done before."""

    def settle(self, settlement: Settlement) -> None:
        """Write it down, unless the job changed since it was read: what people wished meanwhile stands."""

    def end_wall_time(self, job: Job, *, reason: str) -> None:
        """Its wall time is over: it should stop, gracefully."""

    def note_waiting(self, job_id: int, *, reason: str) -> None:
        """Tell people why a job without workers waits. One that is seen as lost stays so until its next worker."""

    def note_short(self, job_id: int, *, reason: str) -> None:
        """Tell people why a job that works has fewer workers than it asked for; an empty reason takes that back."""


class Launcher(Protocol):
    """Brings workers to one kind of machine."""

    def launch(self, worker: LiveWorker) -> None:
        """Start its process, or find it: called again for a worker that has not claimed its placement yet.

        One that has failed to begin is not started again: it would fail again, and be one process more each time. One
        that the machine cannot start has failed to begin.
        """

    def is_within_reach(self) -> bool:
        """Whether word gets through to its machines, as far as that is known. Who hears nothing cannot begin."""

    def is_running(self, worker: LiveWorker) -> bool:
        """Whether its process is there. True also while that cannot be known: the lease decides then."""

    def has_failed_to_begin(self, worker: LiveWorker) -> bool:
        """Whether the process of a worker that has not claimed its placement has ended, and not in good order."""

    def is_here(self, worker: LiveWorker) -> bool:
        """Whether it runs on this machine, or was launched from here and has not claimed its placement yet."""

    def find_hang(self, worker: LiveWorker) -> Hang | None:
        """The page that has held the worker for longer than a page may."""

    def ask_to_stop(self, worker: LiveWorker) -> None:
        """Gracefully: it finishes what it is doing and gives its leases back."""

    def kill(self, worker: LiveWorker) -> None:
        """Its process and all its children, at once."""

    def last_words(self, worker: LiveWorker) -> str:
        """The end of what its process printed; empty when that cannot be known."""
