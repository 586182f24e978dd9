"""The rows of the store in memory."""

from dataclasses import dataclass, field

from crawler_node.contracts import Candidate, PageRecord, PageState, Refusal, RobotsRecord
from crawler_node.politeness.pace import HostPace


@dataclass(slots=True)
class Row:
    """One URL of the frontier."""

    candidate: Candidate
    state: PageState
    rank: float
    number: int
    refusal: Refusal | None = None
    attempt: int = 0
    broken: int = 0
    available_at: float = 0.0
    fence: int = 0
    worker: str = ""
    expires_at: float = 0.0
    record: PageRecord | None = None


@dataclass(slots=True)
class Host:
    """One host: its pace, its queue, and what it told us."""

    pace: HostPace = field(default_factory=HostPace)
    queue: list[tuple[float, int, bytes]] = field(default_factory=list)
    robots: RobotsRecord | None = None
    robots_until: float = 0.0
    asking_until: float = 0.0
    cookies: str = ""
    shut: Refusal | None = None
    owner: str = ""
