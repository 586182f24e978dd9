"""Pages that may be what breaks workers: tried last, and each alone, so that no other page pays for them.

A worker that dies takes all its leases with it, and which of them it died of cannot be seen. So a URL that went down
with two workers is a suspect: it is handed out when nothing else is left, and only to a worker that has nothing else in
hand. An innocent one comes back from there. One that does not goes behind the other suspects, and is then tried until
it is given up: by that time everything else is done, so its job gets as far as it can.
"""

SUSPECT_AFTER = 2
_BEHIND_ALL = 1e10


def is_suspect(broken: int) -> bool:
    """Whether a URL that was leased so often and never came back is to be tried alone."""
    return broken >= SUSPECT_AFTER


def rank_after_break(rank: float, broken: int) -> float:
    """Its place in the queue of its host, after so many breaks: behind all others, then behind the other suspects."""
    return rank + _BEHIND_ALL if broken in (SUSPECT_AFTER, SUSPECT_AFTER + 1) else rank
