"""What is hostile about an address, and how a good crawler comes out of it."""

from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    """What a crawler should end with. It never crashes, hangs, or stores something wrong without saying so."""

    PAGE = "is read whole"
    RECOVERS = "is read whole after retries"
    FAILS = "fails with a reason"
    EITHER = "is read whole or fails with a reason"
    WAITS = "stays queued: the run is paused and says for how long"
    BOUNDED = "leads to links without end; the crawl ends all the same"
    REFUSED = "is not asked for"


@dataclass(frozen=True, slots=True)
class Peril:
    """One hostile address: where to start, what it does, and how it should end."""

    path: str
    title: str
    sentence: str
    outcome: Outcome
