"""What the scheduler sees and says: plain values, and the two protocols it acts through.

The database holds the truth. A launcher only brings the word to a machine: launching twice is harmless, because the
worker claims its placement with a conditional UPDATE and a second one finds it taken.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
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


class Ending(StrEnum):
    """What the work itself said when it ended; NONE while it has more to do."""

    NONE = ""
    COMPLETED = "completed"
    EXIT = "exit"


@dataclass(frozen=True, slots=True)
class LiveWorker:
    """A worker that was placed and has not ended, as far as the database knows.

    `process_id` and `process_started` name its process beyond doubt; None until it has claimed its placement.
    """

    placement_id: int
    job_id: int
    node: str
    number: int
    placed_at: datetime
    lease_expires_at: datetime | None = None
    process_id: int | None = None
    process_started: float | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """One unit of work that is not finished. `crashes` counts workers that vanished since one last ended well.

    `wish_reason` says why it should pause or stop where that was not a person's wish.
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
    node: str | None = None
    earliest_start: datetime | None = None
    live: tuple[LiveWorker, ...] = ()
    crashes: int = 0
    is_held: bool = False


@dataclass(frozen=True, slots=True)
class Node:
    """A machine and what it has to give; `slots` counts all of them, taken ones too."""

    name: str
    is_online: bool
    http_slots: int
    browser_slots: int = 0

    def slots(self, kind: SlotKind) -> int:
        return self.browser_slots if kind is SlotKind.BROWSER else self.http_slots


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

    def nodes(self) -> Sequence[Node]: ...

    def place(self, placement: Placement) -> LiveWorker | None:
        """Write the placement down; None when the job ended or has that worker already."""

    def worker_vanished(self, worker: LiveWorker, *, reason: str, is_crash: bool = True) -> None:
        """Its process is gone without a word: the placement is lost, and somebody else may get its number."""

    def give_up_page(self, worker: LiveWorker, hang: Hang) -> None:
        """The page fails with the reason; everything else its worker held goes on elsewhere."""

    def settle(self, settlement: Settlement) -> None: ...

    def note_waiting(self, job_id: int, *, reason: str) -> None:
        """Tell people why a job waits."""


class Launcher(Protocol):
    """Brings workers to one kind of machine."""

    def launch(self, worker: LiveWorker) -> None: ...

    def is_running(self, worker: LiveWorker) -> bool:
        """Whether its process is there. True also while that cannot be known: the lease decides then."""

    def find_hang(self, worker: LiveWorker) -> Hang | None:
        """The page that has held the worker for longer than a page may."""

    def ask_to_stop(self, worker: LiveWorker) -> None:
        """Gracefully: it finishes what it is doing and gives its leases back."""

    def kill(self, worker: LiveWorker) -> None: ...
