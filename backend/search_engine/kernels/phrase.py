"""Phrases: documents with words in order, near each other.

A phrase is scored like a term: its frequency in each field, saturated, times the sum of its words' idf. It cannot occur
more often than its rarest word, so that word's impact bounds the phrase's: most documents are refused unread.
"""

import numpy as np
from numba import njit

from backend.search_engine.index.decode import FIELD_SHIFT, RANGE_BITS, RANGE_DOCS
from backend.search_engine.kernels.heap import push, sort_hits
from backend.search_engine.kernels.intersection import meet, order_lists
from backend.search_engine.kernels.pointers import (
    docs_at,
    impacts_at,
    maxima_at,
    offsets_at,
    pointers_at,
    positions_at,
)
from backend.search_engine.signatures import F8, I8, R_F4_2D, R_F8, R_I8, R_U1, W_F4, W_F8, W_I4_2D, W_I8, W_U2, W_U4


@njit(I8(R_I8, R_I8, I8, I8, W_I8, W_I8, I8), cache=True, nogil=True)
def _follows(addresses, shifts, slop, start, heads, tails, lists):  # type: ignore[no-untyped-def]
    """Whether the other words follow a first word at `start`; moves the words' heads, which only ever go forward.

    Returns 1 when they do, 0 when not, -1 when a word has no position left.
    """
    least = start
    for term in range(1, lists):
        places = positions_at(addresses, term, tails[term])
        wanted = least + shifts[term] - shifts[term - 1]
        at = heads[term]
        while at < tails[term] and np.int64(places[at]) < wanted:
            at += 1
        heads[term] = at
        if at == tails[term]:
            return -1
        least = np.int64(places[at])
        if least - start - shifts[term] > slop or least >> FIELD_SHIFT != start >> FIELD_SHIFT:
            return 0
    return 1


@njit(F8(R_I8, W_I4_2D, I8, R_I8, I8, R_F4_2D, I8, W_I8, W_I8), cache=True, nogil=True)
def _weight(addresses, found, i, shifts, slop, norms, slot, heads, tails):  # type: ignore[no-untyped-def]
    """The phrase's frequency in each field times the field's norm, for the i-th document that has all its words."""
    lists = shifts.size
    for term in range(lists):
        at = np.int64(found[term, i])
        offsets = offsets_at(addresses, term, at + 1)
        heads[term], tails[term] = offsets[at], offsets[at + 1]
    weighted = 0.0
    firsts = positions_at(addresses, 0, tails[0])
    for place in range(heads[0], tails[0]):
        start = np.int64(firsts[place])
        state = _follows(addresses, shifts, slop, start, heads, tails, lists)
        if state < 0:
            break
        if state > 0:
            weighted += np.float64(norms[start >> FIELD_SHIFT, slot])
            for term in range(1, lists):  # no word counts for two occurrences of the phrase
                heads[term] += 1
    return weighted


@njit((R_I8, R_F8, I8, W_F8), cache=True, nogil=True)
def _bound_ranges(addresses, scales, ranges, bounds):  # type: ignore[no-untyped-def]
    """For each range the greatest saturation that the phrase can have: its rarest word's."""
    bounds[:] = np.inf
    for term in range(scales.size):
        maxima = maxima_at(addresses, term, ranges)
        for place in range(ranges):
            bounds[place] = min(bounds[place], np.float64(maxima[place]) / scales[term])


@njit(F8(R_I8, R_F8, W_I4_2D, I8), cache=True, nogil=True)
def _bound(addresses, scales, found, i):  # type: ignore[no-untyped-def]
    """The greatest saturation that the phrase can have in the i-th document that has all its words."""
    bound = np.inf
    for term in range(scales.size):
        at = np.int64(found[term, i])
        bound = min(bound, np.float64(impacts_at(addresses, term, at + 1)[at]) / scales[term])
    return bound * (1.0 + 1e-6)


@njit(
    I8(R_I8, R_F8, R_I8, I8, I8, R_F4_2D, F8, F8, R_U1, I8, W_F8, W_I8),
    cache=True,
    nogil=True,
)
def top_phrase(addresses, scales, shifts, slop, ranges, norms, k, weight, mask, counts_all, scores, slots):  # type: ignore[no-untyped-def]
    """The best hits of a phrase into `scores` and `slots`, best first.

    Returns how many when `counts_all` is 0, else how many documents match in all.
    """
    lists = shifts.size
    bounds = np.empty(ranges, dtype=np.float64)
    _bound_ranges(addresses, scales, ranges, bounds)
    order, table = np.empty(lists, np.int64), np.empty(RANGE_DOCS, np.uint16)
    found = np.empty((lists, RANGE_DOCS + 1), np.int32)
    heads, tails = np.empty(lists, np.int64), np.empty(lists, np.int64)
    size, matches = 0, 0
    walk = np.argsort(-bounds)
    for i in range(ranges):
        place = walk[i]
        is_full = not counts_all and size == scores.size
        if is_full and bounds[place] * weight * (1.0 + 1e-6) < scores[0]:
            break
        if order_lists(addresses, lists, ranges, place, order) == 0:
            continue
        lead = order[0]
        least = scores[0] / weight * scales[lead] * (1.0 - 1e-6) if is_full else 0.0
        count = meet(addresses, lists, ranges, place, order, least, found, table)
        docs = docs_at(addresses, lead, np.int64(pointers_at(addresses, lead, ranges)[place + 1]))
        for j in range(count):
            slot = (place << RANGE_BITS) + docs[found[lead, j]]
            if mask.size > 0 and mask[slot] == 0:
                continue
            is_full = not counts_all and size == scores.size
            if is_full and _bound(addresses, scales, found, j) * weight < scores[0]:
                continue
            weighted = _weight(addresses, found, j, shifts, slop, norms, slot, heads, tails)
            if weighted > 0.0:
                matches += 1
                impact = np.float64(np.float32(weighted * (k + 1.0) / (k + weighted) * weight))
                size = push(scores, slots, size, impact, slot)
    sort_hits(scores, slots, size)
    return matches if counts_all else size


@njit(
    I8(R_I8, R_I8, I8, I8, R_F4_2D, F8, F8, R_U1, W_U2, W_F4, W_U4, W_F4),
    cache=True,
    nogil=True,
)
def collect_phrase(  # type: ignore[no-untyped-def]
    addresses, shifts, slop, ranges, norms, k, weight, mask, docs_out, impacts_out, pointers_out, maxima_out
):
    """The documents of a phrase as a posting list of their own."""
    lists = shifts.size
    order, table = np.empty(lists, np.int64), np.empty(RANGE_DOCS, np.uint16)
    found = np.empty((lists, RANGE_DOCS + 1), np.int32)
    heads, tails = np.empty(lists, np.int64), np.empty(lists, np.int64)
    total = 0
    for place in range(ranges):
        pointers_out[place] = total
        if order_lists(addresses, lists, ranges, place, order) == 0:
            continue
        lead = order[0]
        count = meet(addresses, lists, ranges, place, order, 0.0, found, table)
        docs = docs_at(addresses, lead, np.int64(pointers_at(addresses, lead, ranges)[place + 1]))
        for j in range(count):
            doc = docs[found[lead, j]]
            slot = (place << RANGE_BITS) + doc
            if mask.size > 0 and mask[slot] == 0:
                continue
            weighted = _weight(addresses, found, j, shifts, slop, norms, slot, heads, tails)
            if weighted > 0.0:
                docs_out[total] = doc
                impacts_out[total] = weighted * (k + 1.0) / (k + weighted) * weight
                maxima_out[place] = max(maxima_out[place], impacts_out[total])
                total += 1
    pointers_out[ranges] = total
    return total
