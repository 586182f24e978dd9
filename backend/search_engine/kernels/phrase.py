"""Phrases: documents with words in order, near each other.

A phrase is scored like a term: its frequency in each field, saturated, times the sum of its words' idf. It cannot occur
more often than its rarest word, so that word's impact bounds the phrase's: most documents are refused unread.
"""

from collections.abc import Iterator
from typing import Final

import numpy as np

from backend.search_engine.compilation import inlined, kernel
from backend.search_engine.index.decode import FIELD_SHIFT, RANGE_BITS, RANGE_DOCS
from backend.search_engine.kernels.heap import order_down, push, sort_hits
from backend.search_engine.kernels.intersection import meet, order_lists
from backend.search_engine.kernels.pointers import (
    docs_at,
    impacts_at,
    maxima_at,
    offsets_at,
    pointers_at,
    positions_at,
)
from backend.search_engine.kernels.union import find_doc
from backend.search_engine.signatures import F8, I8, R_F4_2D, R_F8, R_I8, R_U1, W_F4, W_F8, W_I4_2D, W_I8, W_U2, W_U4

_POSTINGS_PER_STEP: Final = 1 << 20


@kernel(F8(R_I8, W_I4_2D, I8, R_I8, I8, R_F4_2D, I8, W_I8, W_I8))
def _weight(addresses, found, i, shifts, slop, norms, slot, heads, tails):  # type: ignore[no-untyped-def]  # noqa: C901
    """The phrase's frequency in each field times the field's norm, for the i-th document that has all its words.

    The words' heads only ever go forward; no word counts for two occurrences of the phrase. Without words in between
    lists come in any order, and the first one's places say where the others must be: the rarest should be first. In
    one piece because LLVM then puts it into its callers; as two kernels it takes half as long again.
    """
    lists = shifts.size
    for term in range(lists):
        at = np.int64(found[term, i])
        offsets = offsets_at(addresses, term, at + 1)
        heads[term], tails[term] = offsets[at], offsets[at + 1]
    weighted = 0.0
    first, first_end = heads[0], tails[0]
    firsts = positions_at(addresses, 0, first_end)
    if slop == 0:
        while first < first_end:
            start = np.int64(firsts[first])
            first += 1
            is_there = True
            for term in range(1, lists):
                end = tails[term]
                places = positions_at(addresses, term, end)
                wanted = start + shifts[term]
                at = heads[term]
                while at < end and np.int64(places[at]) < wanted:
                    at += 1
                heads[term] = at
                if at == end:
                    return weighted
                if np.int64(places[at]) != wanted or wanted >> FIELD_SHIFT != start >> FIELD_SHIFT:
                    is_there = False
                    break
            if is_there:
                weighted += np.float64(norms[start >> FIELD_SHIFT, slot])
        return weighted
    while first < first_end:
        start = np.int64(firsts[first])
        first += 1
        least = start
        is_there = True
        for term in range(1, lists):
            end = tails[term]
            places = positions_at(addresses, term, end)
            wanted = least + shifts[term] - shifts[term - 1]
            at = heads[term]
            while at < end and np.int64(places[at]) < wanted:
                at += 1
            heads[term] = at
            if at == end:
                return weighted
            least = np.int64(places[at])
            if least - start - shifts[term] > slop or least >> FIELD_SHIFT != start >> FIELD_SHIFT:
                is_there = False
                break
        if is_there:
            weighted += np.float64(norms[start >> FIELD_SHIFT, slot])
            for term in range(1, lists):
                heads[term] += 1
    return weighted


@inlined
def _repeat(found, copies, count):  # type: ignore[no-untyped-def]
    """Give the last lists, which stand for words that the phrase has again, the postings of those that they repeat."""
    first = found.shape[0] - copies.size
    for copy in range(copies.size):
        for i in range(count):
            found[first + copy, i] = found[copies[copy], i]


@kernel((R_I8, R_F8, I8, W_F8))
def _bound_ranges(addresses, scales, ranges, bounds):  # type: ignore[no-untyped-def]
    """For each range the greatest saturation that the phrase can have: its rarest word's."""
    bounds[:] = np.inf
    for term in range(scales.size):
        maxima = maxima_at(addresses, term, ranges)
        for place in range(ranges):
            bounds[place] = min(bounds[place], np.float64(maxima[place]) / scales[term])


@kernel(F8(R_I8, R_F8, W_I4_2D, I8))
def _bound(addresses, scales, found, i):  # type: ignore[no-untyped-def]
    """The greatest saturation that the phrase can have in the i-th document that has all its words."""
    bound = np.inf
    for term in range(scales.size):
        at = np.int64(found[term, i])
        bound = min(bound, np.float64(impacts_at(addresses, term, at + 1)[at]) / scales[term])
    return bound * (1.0 + 1e-6)


@kernel((R_I8, R_I8, R_F8, R_I8, I8, I8, R_F4_2D, F8, F8, R_U1, I8, W_F8, W_I8, I8, I8, W_I8))
def top_phrase(  # type: ignore[no-untyped-def]
    addresses,
    copies,
    scales,
    shifts,
    slop,
    ranges,
    norms,
    k,
    weight,
    mask,
    counts_all,
    scores,
    slots,
    begin,
    end,
    state,
):
    """The best hits of a phrase into `scores` and `slots`, best first once `end` is the last range.

    The last lists repeat earlier ones, which `copies` names: “to be or not to be” is searched for in four lists.
    Goes through the ranges from number `begin` to `end` of the order of their bounds, so that a caller can look at the
    clock in between; `state` holds how many hits there are and how many documents match (all when `counts_all`).
    """
    lists = shifts.size
    bounds = np.empty(ranges, dtype=np.float64)
    _bound_ranges(addresses, scales, ranges, bounds)
    others = lists - copies.size
    order, table = np.empty(others, np.int64), np.empty(RANGE_DOCS, np.uint16)
    found = np.empty((lists, RANGE_DOCS + 1), np.int32)
    heads, tails = np.empty(lists, np.int64), np.empty(lists, np.int64)
    size, matches = state[0], state[1]
    walk = np.empty(ranges, dtype=np.int64)
    order_down(bounds, walk)
    for i in range(begin, end):
        place = walk[i]
        is_full = not counts_all and size == scores.size
        if is_full and bounds[place] * weight * (1.0 + 1e-6) < scores[0]:
            break
        if order_lists(addresses, others, ranges, place, order) == 0:
            continue
        lead = order[0]
        least = scores[0] / weight * scales[lead] * (1.0 - 1e-6) if is_full else 0.0
        count = meet(addresses, others, ranges, place, order, least, found, table)
        _repeat(found, copies, count)
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
    state[0], state[1] = size, matches
    if end == ranges:
        sort_hits(scores, slots, size)


@kernel(I8(R_I8, R_I8, R_I8, I8, I8, R_F4_2D, F8, F8, R_U1, W_U2, W_F4, W_U4, W_F4, I8, I8, I8))
def collect_phrase(  # type: ignore[no-untyped-def]
    addresses,
    copies,
    shifts,
    slop,
    ranges,
    norms,
    k,
    weight,
    mask,
    docs_out,
    impacts_out,
    pointers_out,
    maxima_out,
    begin,
    end,
    total,
):
    """The documents of a phrase in the ranges from `begin` to `end`, appended to a posting list; returns its length."""
    lists = shifts.size
    others = lists - copies.size
    order, table = np.empty(others, np.int64), np.empty(RANGE_DOCS, np.uint16)
    found = np.empty((lists, RANGE_DOCS + 1), np.int32)
    heads, tails = np.empty(lists, np.int64), np.empty(lists, np.int64)
    for place in range(begin, end):
        pointers_out[place] = total
        if order_lists(addresses, others, ranges, place, order) == 0:
            continue
        lead = order[0]
        count = meet(addresses, others, ranges, place, order, 0.0, found, table)
        _repeat(found, copies, count)
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
    pointers_out[end] = total
    return total


@kernel((R_I8, R_I8, I8, I8, R_I8, W_I4_2D))
def phrase_frequencies(addresses, shifts, slop, ranges, slots, frequencies):  # type: ignore[no-untyped-def]
    """`frequencies[i, field]`, zeros before, becomes how often a phrase is in the i-th of some documents."""
    lists = shifts.size
    found = np.empty((lists, 1), np.int32)
    heads, tails = np.empty(lists, np.int64), np.empty(lists, np.int64)
    only = np.zeros((frequencies.shape[1], 1), np.float32)
    for i in range(slots.size):
        place, doc = slots[i] >> RANGE_BITS, slots[i] & (RANGE_DOCS - 1)
        is_there = True
        for term in range(lists):
            pointers = pointers_at(addresses, term, ranges)
            low, high = np.int64(pointers[place]), np.int64(pointers[place + 1])
            at = find_doc(docs_at(addresses, term, high), low, high, doc)
            is_there = is_there and at >= 0
            found[term, 0] = at
        if not is_there:
            continue
        for field in range(frequencies.shape[1]):
            only[field, 0] = 1.0
            frequencies[i, field] = _weight(addresses, found, 0, shifts, slop, only, 0, heads, tails)
            only[field, 0] = 0.0


def range_steps(postings: int, ranges: int) -> Iterator[tuple[int, int]]:
    """Ranges from … to, so that a kernel reads about so many postings as take milliseconds, then the next."""
    step = max(1, ranges * _POSTINGS_PER_STEP // max(1, postings))
    for begin in range(0, ranges, step):
        yield begin, min(begin + step, ranges)
