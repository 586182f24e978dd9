"""One place of a phrase that several terms may fill: the pairs that begin with a character, the words of a prefix."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.search_engine.index.decode import RANGE_BITS, RANGE_DOCS, SMALLEST_IMPACT
from backend.search_engine.index.postings import PostingList
from backend.search_engine.index.snapshot import Snapshot, TermKey
from backend.search_engine.ranking.bm25 import Bm25

_PLACE_BITS = np.int64(32)


class AnyTerm(NamedTuple):
    """Whichever of some terms of a group, two or more."""

    keys: tuple[TermKey, ...]

    @property
    def group(self) -> int:
        """Whose terms they are."""
        return self.keys[0].group

    @property
    def bm25(self) -> Bm25:
        """How they are scored."""
        return self.keys[0].bm25

    @property
    def boosts(self) -> tuple[float, ...]:
        """Of the group's fields."""
        return self.keys[0].boosts


def postings_of(snapshot: Snapshot, wanted: TermKey | AnyTerm) -> PostingList:
    """The documents of a term, or of any of some terms as if they were one, with positions."""
    if isinstance(wanted, TermKey):
        return snapshot.postings(wanted, positions=True)
    return snapshot.cache.get((snapshot.generation, wanted), lambda: _merged(snapshot, wanted))


def _merged(snapshot: Snapshot, wanted: AnyTerm) -> PostingList:
    lists = [snapshot.postings(key, positions=True) for key in wanted.keys]
    slots = np.concatenate([each.slots(RANGE_BITS) for each in lists])
    found, offsets, places = _places(lists, slots)
    scale = max(wanted.bm25.idf_of(snapshot.live_documents, len(found)), SMALLEST_IMPACT)
    # Saturations add up to more than that of the sum: impacts bound what a phrase can have here, as those of a term do.
    saturated = np.concatenate([each.impacts / each.scale for each in lists])
    impacts = np.bincount(np.searchsorted(found, slots), saturated, len(found)).astype(np.float32) * np.float32(scale)
    counts = np.bincount(found >> RANGE_BITS, minlength=snapshot.ranges)
    maxima = np.zeros(snapshot.ranges, dtype=np.float32)
    np.maximum.at(maxima, found >> RANGE_BITS, impacts)
    pointers = np.concatenate(([0], np.cumsum(counts))).astype(np.uint32)
    merged = PostingList((found & (RANGE_DOCS - 1)).astype(np.uint16), impacts, pointers, maxima, scale)
    merged.with_positions(offsets, places)
    return merged


def _places(
    lists: list[PostingList], slots: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.uint32], NDArray[np.uint32]]:
    """The slots of all documents, ascending, and where their places begin in the last array; each place once."""
    counts = np.concatenate([np.diff(each.offsets) for each in lists if each.offsets is not None])
    places = np.concatenate([each.positions for each in lists if each.positions is not None])
    both = np.unique(np.repeat(slots, counts) << _PLACE_BITS | places.astype(np.int64))
    found, firsts = np.unique(both >> _PLACE_BITS, return_index=True)
    return found, np.append(firsts, len(both)).astype(np.uint32), both.astype(np.uint32)
