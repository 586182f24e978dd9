"""Which results are near-duplicates of a better one."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from backend.search_engine.duplicates.fingerprint import NO_FINGERPRINT

MAX_DISTANCE: Final = 6
"""Bits in which near-duplicates may differ: four fifths of their shingles are the same. Strangers differ in 32."""


def group_near_duplicates(fingerprints: NDArray[np.uint64], *, max_distance: int = MAX_DISTANCE) -> NDArray[np.int64]:
    """For each result, best first, the place of the best result that it nearly equals: its own when there is none.

    A result is compared with those that stand for a group, not with their followers: groups do not drift.
    """
    leaders = np.arange(len(fingerprints))
    standing: list[int] = []
    for place, own in enumerate(fingerprints):
        if own == NO_FINGERPRINT:
            continue
        near = np.flatnonzero(np.bitwise_count(fingerprints[standing] ^ own) <= max_distance)
        if len(near):
            leaders[place] = standing[int(near[0])]
        else:
            standing.append(place)
    return leaders
