"""Which documents can be on a page when scores are only known to lie in intervals, and which are the best."""

import numpy as np
from numpy.typing import NDArray

from backend.search_engine.ranking.formula import Interval


def contenders(
    scores: Interval, keys: NDArray[np.float64] | None, first: int, past: int
) -> tuple[NDArray[np.int64], int]:
    """Indices of all documents that may rank from `first` to before `past`, and how many surely rank before those.

    Greater keys come first, scores decide between equal ones.
    """
    if first >= len(scores.low):
        return np.empty(0, dtype=np.int64), 0
    if keys is None:
        return _by_score(scores, first, past)
    if past >= len(keys):
        return np.arange(len(keys)), 0
    last = _greatest(keys, past)
    before, equal = np.flatnonzero(keys > last), np.flatnonzero(keys == last)
    tied, _ = _by_score(Interval(scores.low[equal], scores.high[equal]), 0, past - len(before))
    return np.sort(np.concatenate((before, equal[tied]))), 0


def _by_score(scores: Interval, first: int, past: int) -> tuple[NDArray[np.int64], int]:
    """At least `past` documents score the `past`-th greatest low end or more: who cannot reach that is not among them.

    At most `first` documents can score more than the next high end: who surely does is one of them.
    """
    low, high = scores
    may = np.ones(len(low), dtype=bool) if past >= len(low) else high >= _greatest(low, past)
    if first == 0:
        return np.flatnonzero(may), 0
    is_above = low > _greatest(high, first + 1)
    return np.flatnonzero(may & ~is_above), int(np.count_nonzero(is_above))


def _greatest(values: NDArray[np.float64], place: int) -> float:
    """The value at a place (from 1) of the values from the greatest down."""
    return float(np.partition(values, len(values) - place)[len(values) - place])


def best_first(
    scores: NDArray[np.float64],
    wanted: int,
    then: NDArray[np.float64] | None = None,
    *,
    slots: NDArray[np.int64] | None = None,
) -> NDArray[np.int64]:
    """Indices of the `wanted` greatest scores, ties by `then` (greater first) and slot or index (lesser first)."""
    candidates = np.arange(len(scores))
    if wanted < len(scores):
        least = np.partition(scores, len(scores) - wanted)[len(scores) - wanted]
        candidates = np.flatnonzero(scores >= least)
    last = candidates if slots is None else slots[candidates]
    keys = (last, -scores[candidates]) if then is None else (last, -then[candidates], -scores[candidates])
    return candidates[np.lexsort(keys)[:wanted]]
