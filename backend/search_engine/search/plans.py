"""Runs plans: the best documents of one, all of them, or how many there are."""

import numpy as np
from numpy.typing import NDArray

from backend.search_engine.index.postings import PostingList, addresses_of
from backend.search_engine.index.snapshot import Snapshot
from backend.search_engine.kernels.intersection import top_intersection
from backend.search_engine.kernels.phrase import range_steps, top_phrase
from backend.search_engine.kernels.union import count_union, top_union
from backend.search_engine.search.deadline import Deadline
from backend.search_engine.search.lists import (
    NO_MASK,
    PhrasePlan,
    intersection,
    phrase,
    phrase_lists,
    union,
    weights_of,
)
from backend.search_engine.search.matcher import Mode, Plan


def top_plan(
    snapshot: Snapshot, plan: Plan, wanted: int, *, count: bool, deadline: Deadline | None = None
) -> tuple[NDArray[np.int64], NDArray[np.float64], int | None]:
    """Slots and scores of a plan's best documents, and how many match when asked for."""
    scores, slots = np.empty(wanted, dtype=np.float64), np.empty(wanted, dtype=np.int64)
    total: int | None = None
    if plan.mode is Mode.PHRASE and plan.phrase is not None:
        size = _top_phrase(snapshot, plan, plan.phrase, scores, slots, count=count, deadline=deadline)
    else:
        lists = [clause.postings for clause in plan.clauses]
        weights = weights_of(plan.clauses)
        addresses = addresses_of(lists)
        if plan.mode is Mode.EVERY and len(lists) > 1:
            size = top_intersection(addresses, weights, snapshot.ranges, plan.mask, int(count), scores, slots)
        else:
            order = np.argsort(weights * np.array([each.best for each in lists]))
            size = top_union(addresses, weights, order, snapshot.ranges, plan.mask, scores, slots)
            if count:
                total = count_plan(snapshot, plan)
    if count and total is None:
        total, size = size, min(size, wanted)
    return slots[:size], scores[:size], total


def _top_phrase(
    snapshot: Snapshot,
    plan: Plan,
    wanted: PhrasePlan,
    scores: NDArray[np.float64],
    slots: NDArray[np.int64],
    *,
    count: bool,
    deadline: Deadline | None,
) -> int:
    first = wanted.terms[0]
    lists, copies, shifts, scale = phrase_lists(snapshot, wanted)
    scales = np.array([each.scale for each in lists])
    norms = snapshot.norms(first.group, first.bm25.b, first.boosts)
    weight = scale * plan.clauses[0].weight
    source = addresses_of(lists), copies, scales, shifts, wanted.slop, snapshot.ranges, norms, first.bm25.k, weight
    state = np.zeros(2, dtype=np.int64)
    for step in range_steps(sum(map(len, lists)), snapshot.ranges):
        top_phrase(*source, plan.mask, int(count), scores, slots, *step, state)
        if deadline is not None:
            deadline.check()
    return int(state[1] if count else state[0])


def collect_plan(snapshot: Snapshot, plan: Plan, deadline: Deadline | None = None) -> PostingList:
    """All documents of a plan with their text scores."""
    if plan.mode is Mode.PHRASE and plan.phrase is not None:
        found = phrase(snapshot, plan.phrase, plan.mask, deadline=deadline)
        return union(snapshot, [plan.clauses[0]._replace(postings=found)])
    if plan.mode is Mode.EVERY:
        return intersection(snapshot, plan.clauses, plan.mask)
    return union(snapshot, plan.clauses, plan.mask)


def count_plan(snapshot: Snapshot, plan: Plan) -> int:
    """How many documents a plan matches."""
    if plan.mode is Mode.ANY:
        lists = [clause.postings for clause in plan.clauses]
        if len(lists) == 1 and plan.mask is NO_MASK:
            return len(lists[0])
        return int(count_union(addresses_of(lists), len(lists), snapshot.ranges, plan.mask))
    return len(collect_plan(snapshot, plan))
