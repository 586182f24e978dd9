"""AND: documents of every list, best first. In each range the shortest list leads, the others are galloped through."""

import numpy as np
from numba import njit

from backend.search_engine.index.decode import RANGE_BITS
from backend.search_engine.kernels.heap import push, sort_hits
from backend.search_engine.kernels.pointers import docs_at, impacts_at, maxima_at, pointers_at
from backend.search_engine.kernels.union import bound_ranges
from backend.search_engine.signatures import I8, R_F8, R_I8, R_U1, W_F4, W_F8, W_I8, W_U2, W_U4


@njit(inline="always")
def gallop(docs, low, high, wanted):  # type: ignore[no-untyped-def]
    """The first index in the sorted `docs[low:high]` that is not below `wanted`."""
    if low >= high or docs[low] >= wanted:
        return low
    step = 1
    while low + step < high and docs[low + step] < wanted:
        low += step
        step <<= 1
    high = min(high, low + step)
    low += 1
    while low < high:
        middle = (low + high) >> 1
        if docs[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


@njit(I8(R_I8, I8, I8, I8, W_I8, W_I8, W_I8), cache=True, nogil=True)
def open_range(addresses, lists, ranges, place, cursors, ends, order):  # type: ignore[no-untyped-def]
    """Set the cursors to a range and order the lists from the shortest there; returns the shortest length."""
    for term in range(lists):
        pointers = pointers_at(addresses, term, ranges)
        cursors[term], ends[term] = pointers[place], pointers[place + 1]
        length = ends[term] - cursors[term]
        if length == 0:
            return 0
        at = term
        while at > 0 and ends[order[at - 1]] - cursors[order[at - 1]] > length:
            order[at] = order[at - 1]
            at -= 1
        order[at] = term
    return ends[order[0]] - cursors[order[0]]


@njit(I8(R_I8, I8, I8, W_I8, W_I8, R_I8), cache=True, nogil=True)
def meet(addresses, lists, wanted, cursors, ends, order):  # type: ignore[no-untyped-def]
    """Move the other lists' cursors to a document of the leading list.

    Returns 1 when all have it, 0 when one does not, -1 when one has ended.
    """
    for i in range(1, lists):
        term = order[i]
        docs = docs_at(addresses, term, ends[term])
        at = gallop(docs, cursors[term], ends[term], wanted)
        cursors[term] = at
        if at == ends[term]:
            return -1
        if docs[at] != wanted:
            return 0
    return 1


@njit(I8(R_I8, R_F8, I8, R_U1, I8, W_F8, W_I8), cache=True, nogil=True)
def top_intersection(addresses, weights, ranges, mask, counts_all, scores, slots):  # type: ignore[no-untyped-def]
    """The best hits that every list has into `scores` and `slots`, best first.

    Returns how many when `counts_all` is 0, else how many documents match in all.
    """
    lists = weights.size
    bounds = np.empty(ranges, dtype=np.float64)
    bound_ranges(addresses, weights, ranges, bounds)
    cursors, ends, order = np.empty(lists, np.int64), np.empty(lists, np.int64), np.empty(lists, np.int64)
    size, matches = 0, 0
    walk = np.argsort(-bounds)
    for i in range(ranges):
        place = walk[i]
        bound = bounds[place]
        if not counts_all and size == scores.size and bound < scores[0]:
            break
        if open_range(addresses, lists, ranges, place, cursors, ends, order) == 0:
            continue
        base = place << RANGE_BITS
        lead = order[0]
        docs, impacts = docs_at(addresses, lead, ends[lead]), impacts_at(addresses, lead, ends[lead])
        weight = weights[lead]
        others = bound - weight * np.float64(maxima_at(addresses, lead, ranges)[place])
        for at in range(cursors[lead], ends[lead]):
            doc = np.int64(docs[at])
            can_enter = size < scores.size or (weight * np.float64(impacts[at]) + others) * (1.0 + 1e-9) >= scores[0]
            if not (can_enter or counts_all):
                continue
            state = meet(addresses, lists, doc, cursors, ends, order)
            if state < 0:
                break
            slot = base + doc
            if state == 0 or (mask.size > 0 and mask[slot] == 0):
                continue
            matches += 1
            if not can_enter:
                continue
            cursors[lead] = at
            score = 0.0
            for term in range(lists):
                score += weights[term] * np.float64(impacts_at(addresses, term, ends[term])[cursors[term]])
            size = push(scores, slots, size, score, slot)
    sort_hits(scores, slots, size)
    return matches if counts_all else size


@njit(I8(R_I8, R_F8, I8, R_U1, W_U2, W_F4, W_U4, W_F4), cache=True, nogil=True)
def collect_intersection(addresses, weights, ranges, mask, docs_out, impacts_out, pointers_out, maxima_out):  # type: ignore[no-untyped-def]
    """The intersection as a posting list of its own; an impact is the weighted sum."""
    lists = weights.size
    cursors, ends, order = np.empty(lists, np.int64), np.empty(lists, np.int64), np.empty(lists, np.int64)
    count = 0
    for place in range(ranges):
        pointers_out[place] = count
        if open_range(addresses, lists, ranges, place, cursors, ends, order) == 0:
            continue
        base = place << RANGE_BITS
        lead = order[0]
        docs = docs_at(addresses, lead, ends[lead])
        for at in range(cursors[lead], ends[lead]):
            state = meet(addresses, lists, np.int64(docs[at]), cursors, ends, order)
            if state < 0:
                break
            if state == 0 or (mask.size > 0 and mask[base + docs[at]] == 0):
                continue
            cursors[lead] = at
            score = 0.0
            for term in range(lists):
                score += weights[term] * np.float64(impacts_at(addresses, term, ends[term])[cursors[term]])
            docs_out[count] = docs[at]
            impacts_out[count] = score
            maxima_out[place] = max(maxima_out[place], impacts_out[count])
            count += 1
    pointers_out[ranges] = count
    return count
