"""Posting lists made from posting lists: unions, intersections and phrases of one snapshot."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.search_engine.index.decode import RANGE_BITS, RANGE_DOCS, SMALLEST_IMPACT
from backend.search_engine.index.postings import PostingList, addresses_of
from backend.search_engine.index.snapshot import Snapshot, TermKey
from backend.search_engine.kernels.intersection import collect_intersection
from backend.search_engine.kernels.phrase import collect_phrase, range_steps
from backend.search_engine.kernels.union import collect_union
from backend.search_engine.search.any_term import AnyTerm, postings_of
from backend.search_engine.search.deadline import Deadline

Mask = NDArray[np.uint8]
NO_MASK: Final[Mask] = np.empty(0, dtype=np.uint8)
_LEAST_WEIGHT: Final = 1e-9


class Clause(NamedTuple):
    """A posting list and how much it counts."""

    postings: PostingList
    weight: float


class How(StrEnum):
    """How lists are put together."""

    ANY = "any"
    """Documents of any list, with the sum of their impacts."""
    BEST = "best"
    """Documents of any list, with the best of their impacts."""
    EVERY = "every"
    """Documents of every list, with the sum of their impacts."""


class Combined(NamedTuple):
    """What a list was put together from."""

    clauses: Sequence[Clause]
    how: How


class PhrasePlan(NamedTuple):
    """Words in order: their terms, how far each is behind the first, and how many other words may come between."""

    terms: tuple[TermKey | AnyTerm, ...]
    shifts: tuple[int, ...]
    slop: int


def weights_of(clauses: Sequence[Clause]) -> NDArray[np.float64]:
    """The clauses' weights; never 0, because a document matches where its sum is more than 0."""
    return np.maximum([clause.weight for clause in clauses], _LEAST_WEIGHT)


def joined(clauses: Sequence[Clause]) -> list[Clause]:
    """The same clauses with equal lists put together: how often a query says a word counts."""
    by_list: dict[int, Clause] = {}
    for clause in clauses:
        known = by_list.get(id(clause.postings))
        weight = clause.weight + (known.weight if known else 0.0)
        by_list[id(clause.postings)] = Clause(clause.postings, weight)
    return list(by_list.values())


def union(
    snapshot: Snapshot, clauses: Sequence[Clause], mask: Mask = NO_MASK, *, takes_best: bool = False
) -> PostingList:
    """The documents of any clause; impacts are summed, or the best taken."""
    lists = [clause.postings for clause in clauses]
    room = min(sum(map(len, lists)), snapshot.slots)

    def fill(*out: NDArray[np.generic]) -> int:
        return int(
            collect_union(addresses_of(lists), weights_of(clauses), snapshot.ranges, int(takes_best), mask, *out)
        )

    return _collected(snapshot, room, fill, Combined(clauses, How.BEST if takes_best else How.ANY))


def intersection(snapshot: Snapshot, clauses: Sequence[Clause], mask: Mask = NO_MASK) -> PostingList:
    """The documents of every clause; impacts are summed."""
    lists = [clause.postings for clause in clauses]
    room = min(map(len, lists))

    def fill(*out: NDArray[np.generic]) -> int:
        return int(collect_intersection(addresses_of(lists), weights_of(clauses), snapshot.ranges, mask, *out))

    return _collected(snapshot, room, fill, Combined(clauses, How.EVERY))


class PhraseLists(NamedTuple):
    """The lists of a phrase's words, how far each word is behind the first of them, and the sum of their scales.

    The last lists repeat those that `copies` names.
    """

    lists: list[PostingList]
    copies: NDArray[np.int64]
    shifts: NDArray[np.int64]
    scale: float


def phrase_lists(snapshot: Snapshot, plan: PhrasePlan) -> PhraseLists:
    """What the kernels need to know of a phrase, rarest word first where they can begin with any."""
    lists = [postings_of(snapshot, term) for term in plan.terms]
    scale = sum(each.scale for each in lists)
    order, copies = list(range(len(lists))), []
    if plan.slop == 0:
        first = {term: word for word, term in reversed(list(enumerate(plan.terms)))}
        others = sorted(first.values(), key=lambda word: len(lists[word]))
        again = [word for word in order if first[plan.terms[word]] != word]
        copies = [others.index(first[plan.terms[word]]) for word in again]
        order = others + again
    shifts = np.array([plan.shifts[word] - plan.shifts[order[0]] for word in order], dtype=np.int64)
    return PhraseLists([lists[word] for word in order], np.array(copies, dtype=np.int64), shifts, scale)


def phrase(
    snapshot: Snapshot, plan: PhrasePlan, mask: Mask = NO_MASK, *, deadline: Deadline | None = None
) -> PostingList:
    """The documents of a phrase; raises DeadlineExceededError when the time is up before all are found."""
    lists, copies, shifts, weight = phrase_lists(snapshot, plan)
    first = plan.terms[0]
    norms = snapshot.norms(first.group, first.bm25.b, first.boosts)

    def fill(*out: NDArray[np.generic]) -> int:
        source = addresses_of(lists), copies, shifts, plan.slop, snapshot.ranges, norms, first.bm25.k, weight
        total = 0
        for begin, end in range_steps(sum(map(len, lists)), snapshot.ranges):
            total = int(collect_phrase(*source, mask, *out, begin, end, total))
            if deadline is not None:
                deadline.check()
        return total

    return _collected(snapshot, min(map(len, lists)), fill, plan, scale=weight)


def of_mask(snapshot: Snapshot, mask: Mask) -> PostingList:
    """The documents of a mask, all with the smallest impact."""
    slots = np.flatnonzero(mask)
    counts = np.bincount(slots >> RANGE_BITS, minlength=snapshot.ranges)
    pointers = np.concatenate(([0], np.cumsum(counts))).astype(np.uint32)
    impacts = np.full(len(slots), SMALLEST_IMPACT, dtype=np.float32)
    maxima = np.where(counts > 0, np.float32(SMALLEST_IMPACT), np.float32(0)).astype(np.float32)
    return PostingList((slots & (RANGE_DOCS - 1)).astype(np.uint16), impacts, pointers, maxima, SMALLEST_IMPACT)


def to_mask(snapshot: Snapshot, postings: PostingList) -> Mask:
    """1 at the slots of a list's documents."""
    mask = np.zeros(snapshot.slots, dtype=np.uint8)
    mask[postings.slots(RANGE_BITS)] = 1
    return mask


def holds(postings: PostingList, slots: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether a list has each slot's document."""
    known = postings.slots(RANGE_BITS)
    if not len(known):
        return np.zeros(len(slots), dtype=bool)
    places = np.minimum(np.searchsorted(known, slots), len(known) - 1)
    found: NDArray[np.bool_] = known[places] == slots
    return found


def _collected(
    snapshot: Snapshot, room: int, fill: Callable[..., int], source: Combined | PhrasePlan, *, scale: float = 1.0
) -> PostingList:
    docs, impacts = np.empty(room, dtype=np.uint16), np.empty(room, dtype=np.float32)
    pointers, maxima = np.zeros(snapshot.ranges + 1, dtype=np.uint32), np.zeros(snapshot.ranges, dtype=np.float32)
    count = fill(docs, impacts, pointers, maxima)
    found = PostingList(docs[:count], impacts[:count], pointers, maxima, scale)
    found.source = source
    return found
