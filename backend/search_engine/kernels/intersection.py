"""AND: documents of every list, best first.

In each range the shortest list leads; of its documents those survive that the next list has, and so on. A list that is
not much longer than the survivors is written into a table by document (one store per posting, no branch), else each
survivor is searched in it. The table is never cleared: an entry counts if the posting it names is that document's.
"""

import numpy as np

from backend.search_engine.compilation import kernel
from backend.search_engine.index.decode import RANGE_BITS, RANGE_DOCS
from backend.search_engine.kernels.heap import order_down, push, sort_hits
from backend.search_engine.kernels.pointers import docs_at, impacts_at, maxima_at, pointers_at
from backend.search_engine.kernels.union import bound_ranges, find_doc
from backend.search_engine.signatures import F8, I8, R_F8, R_I8, R_U1, W_F4, W_F8, W_I4_2D, W_I8, W_U2, W_U4

SEARCH_FACTOR = 48
"""Searching a list for one document costs about as much as writing so many postings into the table."""


@kernel(I8(R_I8, I8, I8, I8, W_I8))
def order_lists(addresses, lists, ranges, place, order):  # type: ignore[no-untyped-def]
    """Order the lists from the shortest in a range; returns the shortest length."""
    shortest = np.int64(RANGE_DOCS + 1)
    for term in range(lists):
        pointers = pointers_at(addresses, term, ranges)
        length = np.int64(pointers[place + 1]) - np.int64(pointers[place])
        shortest = min(shortest, length)
        at = term
        while at > 0:
            other = pointers_at(addresses, order[at - 1], ranges)
            if np.int64(other[place + 1]) - np.int64(other[place]) <= length:
                break
            order[at] = order[at - 1]
            at -= 1
        order[at] = term
    return shortest


@kernel(I8(R_I8, I8, I8, R_I8, I8, W_I4_2D, W_U2, I8))
def _survive(addresses, ranges, place, order, step, found, table, count):  # type: ignore[no-untyped-def]
    """Keep the survivors that the list at `order[step]` has, too; returns how many."""
    lead, term = order[0], order[step]
    pointers = pointers_at(addresses, term, ranges)
    low, high = np.int64(pointers[place]), np.int64(pointers[place + 1])
    docs = docs_at(addresses, term, high)
    lead_docs = docs_at(addresses, lead, np.int64(pointers_at(addresses, lead, ranges)[place + 1]))
    length = high - low
    is_table = count * SEARCH_FACTOR > length
    if is_table:
        for i in range(length):
            table[docs[low + i]] = i
    kept = 0
    for j in range(count):
        doc = lead_docs[found[lead, j]]
        if is_table:
            at = low + np.int64(table[doc])
            is_there = at < high and docs[at] == doc
        else:
            at = find_doc(docs, low, high, doc)
            is_there = at >= 0
        if kept != j:
            for earlier in range(step):
                found[order[earlier], kept] = found[order[earlier], j]
        found[term, kept] = at
        kept += 1 if is_there else 0
    return kept


@kernel(I8(R_I8, I8, I8, I8, R_I8, F8, W_I4_2D, W_U2))
def meet(addresses, lists, ranges, place, order, least, found, table):  # type: ignore[no-untyped-def]
    """The documents of a range that all lists have and whose impact in the leading list is at least `least`.

    `found[list, i]` becomes the posting of the i-th of them; returns how many there are.
    """
    lead = order[0]
    pointers = pointers_at(addresses, lead, ranges)
    low, high = np.int64(pointers[place]), np.int64(pointers[place + 1])
    impacts = impacts_at(addresses, lead, high)
    count = 0
    bar = np.float32(least * (1.0 - 1e-6))
    for at in range(low, high):
        found[lead, count] = at
        count += impacts[at] >= bar
    for step in range(1, lists):
        if count == 0:
            return 0
        count = _survive(addresses, ranges, place, order, step, found, table, count)
    return count


@kernel(F8(R_I8, R_F8, W_I4_2D, I8))
def _score(addresses, weights, found, i):  # type: ignore[no-untyped-def]
    """The score of the i-th survivor, summed in the order of the lists."""
    score = 0.0
    for term in range(weights.size):
        at = np.int64(found[term, i])
        score += weights[term] * np.float64(impacts_at(addresses, term, at + 1)[at])
    return score


@kernel(I8(R_I8, R_F8, I8, R_U1, I8, W_F8, W_I8))
def top_intersection(addresses, weights, ranges, mask, counts_all, scores, slots):  # type: ignore[no-untyped-def]
    """The best hits that every list has into `scores` and `slots`, best first.

    Returns how many when `counts_all` is 0, else how many documents match in all.
    """
    lists = weights.size
    bounds = np.empty(ranges, dtype=np.float64)
    bound_ranges(addresses, weights, ranges, bounds)
    order, table = np.empty(lists, np.int64), np.empty(RANGE_DOCS, np.uint16)
    found = np.empty((lists, RANGE_DOCS + 1), np.int32)
    size, matches = 0, 0
    walk = np.empty(ranges, dtype=np.int64)
    order_down(bounds, walk)
    for i in range(ranges):
        place = walk[i]
        is_full = not counts_all and size == scores.size
        if is_full and bounds[place] < scores[0]:
            break
        if order_lists(addresses, lists, ranges, place, order) == 0:
            continue
        lead = order[0]
        least = 0.0
        if is_full:
            others = bounds[place] - weights[lead] * np.float64(maxima_at(addresses, lead, ranges)[place])
            least = (scores[0] - others) / weights[lead] - 1e-9 * scores[0] / weights[lead]
        count = meet(addresses, lists, ranges, place, order, least, found, table)
        pointers = pointers_at(addresses, lead, ranges)
        docs = docs_at(addresses, lead, np.int64(pointers[place + 1]))
        for j in range(count):
            slot = (place << RANGE_BITS) + docs[found[lead, j]]
            if mask.size > 0 and mask[slot] == 0:
                continue
            matches += 1
            size = push(scores, slots, size, _score(addresses, weights, found, j), slot)
    sort_hits(scores, slots, size)
    return matches if counts_all else size


@kernel(I8(R_I8, R_F8, I8, R_U1, W_U2, W_F4, W_U4, W_F4))
def collect_intersection(addresses, weights, ranges, mask, docs_out, impacts_out, pointers_out, maxima_out):  # type: ignore[no-untyped-def]
    """The intersection as a posting list of its own; an impact is the weighted sum."""
    lists = weights.size
    order, table = np.empty(lists, np.int64), np.empty(RANGE_DOCS, np.uint16)
    found = np.empty((lists, RANGE_DOCS + 1), np.int32)
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
            if mask.size > 0 and mask[(place << RANGE_BITS) + doc] == 0:
                continue
            docs_out[total] = doc
            impacts_out[total] = _score(addresses, weights, found, j)
            maxima_out[place] = max(maxima_out[place], impacts_out[total])
            total += 1
    pointers_out[ranges] = total
    return total
