"""Which segments to merge, and when: few segments for searches, few rewrites for the disk.

Segments of about one size are merged eight at a time (tiers), so a document is rewritten about once per tier: three or
four times until its segment is full. Only neighbours are merged, see `merge`.
"""

from collections.abc import Sequence
from typing import Final

from backend.search_engine.index.build import MAX_SEGMENT_DOCUMENTS
from backend.search_engine.index.manifest import SegmentEntry

FAN_IN: Final = 8
"""So many neighbours of about one size are merged at once."""
_TIER_FACTOR: Final = 8
_SMALLEST_TIER: Final = 64
_FEWEST_TO_FILL: Final = 4
_TIERS: Final = 4


def choose_merge(entries: Sequence[SegmentEntry]) -> range | None:
    """Which neighbours to merge next; None when there is nothing worth it.

    Neighbours of one tier; neighbours that together make a full segment; the cheapest when there are too many segments
    for their documents; a segment of which most is deleted.
    """
    sizes = [max(1, entry.live) for entry in entries]
    return _of_one_tier(sizes) or _to_a_full_one(sizes) or _cheapest_of_too_many(sizes) or _mostly_deleted(entries)


def most_segments(documents: int) -> int:
    """How many segments so many documents may be in when everything worth merging is merged."""
    return _TIERS * FAN_IN + documents * 8 // MAX_SEGMENT_DOCUMENTS


def _of_one_tier(sizes: Sequence[int]) -> range | None:
    for start in range(len(sizes) - FAN_IN + 1):
        run = sizes[start : start + FAN_IN]
        if sum(run) <= MAX_SEGMENT_DOCUMENTS and _is_one_tier(run):
            return range(start, start + FAN_IN)
    return None


def _to_a_full_one(sizes: Sequence[int]) -> range | None:
    for start in range(len(sizes)):
        end = _longest_run(sizes, start)
        is_full = sum(sizes[start:end]) * 4 >= MAX_SEGMENT_DOCUMENTS * 3
        if end - start >= _FEWEST_TO_FILL and is_full:
            return range(start, end)
    return None


def _longest_run(sizes: Sequence[int], start: int) -> int:
    """The end of the longest run of one tier from here that fits into a segment."""
    end = start
    while end < len(sizes) and end - start < FAN_IN:
        run = sizes[start : end + 1]
        if sum(run) > MAX_SEGMENT_DOCUMENTS or not _is_one_tier(run):
            break
        end += 1
    return end


def _cheapest_of_too_many(sizes: Sequence[int]) -> range | None:
    """The run that costs least to rewrite for each segment that goes away."""
    if len(sizes) <= most_segments(sum(sizes)):
        return None
    starts = range(len(sizes))
    runs = [range(start, end) for start in starts for end in range(start + 2, start + FAN_IN + 1) if end <= len(sizes)]
    fitting = [run for run in runs if sum(sizes[run.start : run.stop]) <= MAX_SEGMENT_DOCUMENTS]
    return min(fitting, key=lambda run: sum(sizes[run.start : run.stop]) / (len(run) - 1), default=None)


def _mostly_deleted(entries: Sequence[SegmentEntry]) -> range | None:
    places = (at for at, entry in enumerate(entries) if entry.live * 2 < entry.documents)
    at = next(places, None)
    return None if at is None else range(at, at + 1)


def _is_one_tier(sizes: Sequence[int]) -> bool:
    return max(sizes) <= _TIER_FACTOR * max(_SMALLEST_TIER, min(sizes))
