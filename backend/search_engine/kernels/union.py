"""OR: documents of at least one list, best first, in ranges (range-TAAT, with MaxScore's essential lists in a range).

A range's bound is the sum of its lists' greatest impacts. Ranges are walked from the greatest bound down, and the walk
ends where no bound can reach the k-th best score. Within a range, lists whose bounds together cannot reach it are not
read; the few documents that may still enter look their impacts up. Scores are summed in double precision in the order
of the lists, so they do not depend on the way. (Turtle & Flood 1995, Query evaluation: strategies and optimizations.)
"""

import numpy as np

from backend.search_engine.compilation import inlined, kernel
from backend.search_engine.index.decode import RANGE_BITS, RANGE_DOCS
from backend.search_engine.kernels.heap import order_down, push, sort_hits
from backend.search_engine.kernels.pointers import docs_at, impacts_at, maxima_at, pointers_at
from backend.search_engine.signatures import F8, I8, R_F8, R_I8, R_U1, W_F4, W_F8, W_I8, W_U2, W_U4


@inlined
def find_doc(docs, low, high, wanted):  # type: ignore[no-untyped-def]
    """The index of a document in the sorted `docs[low:high]`; -1 when it is not there."""
    end = high
    while low < high:
        middle = (low + high) >> 1
        if docs[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low if low < end and docs[low] == wanted else -1


@kernel(F8(R_I8, R_F8, I8, I8, I8))
def score_of(addresses, weights, ranges, place, doc):  # type: ignore[no-untyped-def]
    """The score of one document over all lists."""
    score = 0.0
    for term in range(weights.size):
        pointers = pointers_at(addresses, term, ranges)
        low, high = np.int64(pointers[place]), np.int64(pointers[place + 1])
        found = find_doc(docs_at(addresses, term, high), low, high, doc)
        if found >= 0:
            score += weights[term] * np.float64(impacts_at(addresses, term, high)[found])
    return score


@kernel((R_I8, R_F8, I8, W_F8))
def bound_ranges(addresses, weights, ranges, bounds):  # type: ignore[no-untyped-def]
    """For each range what a document of it can score at most."""
    bounds[:] = 0.0
    for term in range(weights.size):
        maxima = maxima_at(addresses, term, ranges)
        for place in range(ranges):
            bounds[place] += weights[term] * np.float64(maxima[place])


@kernel(I8(R_I8, I8, I8, F8, I8, R_U1, W_F8, W_I8, I8))
def _one_list(addresses, ranges, place, weight, base, mask, scores, slots, size):  # type: ignore[no-untyped-def]
    """One range of one list: its impacts alone decide."""
    pointers = pointers_at(addresses, 0, ranges)
    low, high = np.int64(pointers[place]), np.int64(pointers[place + 1])
    docs, impacts = docs_at(addresses, 0, high), impacts_at(addresses, 0, high)
    least = np.float32(0.0)
    if size == scores.size:
        least = np.float32(scores[0] / weight * (1.0 - 1e-6))
    for i in range(low, high):
        if impacts[i] < least:
            continue
        slot = base + docs[i]
        if mask.size > 0 and mask[slot] == 0:
            continue
        score = weight * np.float64(impacts[i])
        if size == scores.size and score == scores[0] and slot > slots[0]:
            continue
        size = push(scores, slots, size, score, slot)
        if size == scores.size:
            least = np.float32(scores[0] / weight * (1.0 - 1e-6))
    return size


@kernel(I8(R_I8, R_F8, R_I8, I8, I8, F8, W_F8))
def _idle_lists(addresses, weights, order, ranges, place, threshold, sums):  # type: ignore[no-untyped-def]
    """How many lists, least first, need not be read in a range; `sums[i]` is what the first i can add."""
    idle = 0
    busy_postings, idle_postings = np.int64(0), np.int64(0)
    total = 0.0
    for i in range(order.size):
        term = order[i]
        total += weights[term] * np.float64(maxima_at(addresses, term, ranges)[place]) * (1.0 + 1e-9)
        sums[i + 1] = total
        pointers = pointers_at(addresses, term, ranges)
        postings = np.int64(pointers[place + 1]) - np.int64(pointers[place])
        if total < threshold:
            idle = i + 1
            idle_postings += postings
        else:
            busy_postings += postings
    return idle if 4 * busy_postings < idle_postings else 0


@kernel(F8(R_I8, R_F8, R_I8, I8, I8, I8, F8, F8, W_F8))
def _may_reach(addresses, weights, order, idle, ranges, key, score, threshold, sums):  # type: ignore[no-untyped-def]
    """What a document can score at most once the idle lists have been asked about it; stops when it cannot enter."""
    place, doc = key >> RANGE_BITS, key & (RANGE_DOCS - 1)
    for i in range(idle - 1, -1, -1):
        if score + sums[i + 1] < threshold:
            return score + sums[i + 1]
        term = order[i]
        pointers = pointers_at(addresses, term, ranges)
        low, high = np.int64(pointers[place]), np.int64(pointers[place + 1])
        found = find_doc(docs_at(addresses, term, high), low, high, doc)
        if found >= 0:
            score += weights[term] * np.float64(impacts_at(addresses, term, high)[found])
    return score


@kernel(I8(R_I8, R_F8, R_I8, I8, I8, I8, R_U1, W_F4, W_F8, W_F8, W_I8, I8))
def _many_lists(addresses, weights, order, ranges, place, base, mask, sums_by_doc, sums, scores, slots, size):  # type: ignore[no-untyped-def]
    """One range of several lists. `sums_by_doc` comes and leaves as zeros."""
    threshold = scores[0] * (1.0 - 1e-6) if size == scores.size else 0.0
    idle = _idle_lists(addresses, weights, order, ranges, place, threshold, sums)
    for i in range(idle, order.size):
        term = order[i]
        pointers = pointers_at(addresses, term, ranges)
        low, high = np.int64(pointers[place]), np.int64(pointers[place + 1])
        docs, impacts = docs_at(addresses, term, high), impacts_at(addresses, term, high)
        weight = np.float32(weights[term])
        for j in range(low, high):
            sums_by_doc[docs[j]] += weight * impacts[j]
    rest = sums[idle]
    for i in range(idle, order.size):
        term = order[i]
        pointers = pointers_at(addresses, term, ranges)
        low, high = np.int64(pointers[place]), np.int64(pointers[place + 1])
        docs = docs_at(addresses, term, high)
        for j in range(low, high):
            doc = np.int64(docs[j])
            found = np.float64(sums_by_doc[doc])
            if found == 0.0:
                continue
            sums_by_doc[doc] = 0.0
            if found + rest < threshold:
                continue
            slot = base + doc
            if mask.size > 0 and mask[slot] == 0:
                continue
            key = place << RANGE_BITS | doc
            if idle > 0 and (
                _may_reach(addresses, weights, order, idle, ranges, key, found, threshold, sums) < threshold
            ):
                continue
            size = push(scores, slots, size, score_of(addresses, weights, ranges, place, doc), slot)
            if size == scores.size:
                threshold = scores[0] * (1.0 - 1e-6)
    return size


@kernel(I8(R_I8, R_F8, R_I8, I8, R_U1, W_F8, W_I8))
def top_union(addresses, weights, order, ranges, mask, scores, slots):  # type: ignore[no-untyped-def]
    """The best hits of any list into `scores` and `slots`, best first; returns how many.

    `order` names the lists from the least to the greatest they can add; `mask[slot]` is 0 where a filter forbids a
    document, empty for no filter.
    """
    bounds = np.empty(ranges, dtype=np.float64)
    bound_ranges(addresses, weights, ranges, bounds)
    sums_by_doc = np.zeros(RANGE_DOCS if weights.size > 1 else 1, dtype=np.float32)
    sums = np.zeros(weights.size + 1, dtype=np.float64)
    size = 0
    walk = np.empty(ranges, dtype=np.int64)
    order_down(bounds, walk)
    for i in range(ranges):
        place = walk[i]
        bound = bounds[place]
        if bound == 0.0:
            break
        base = place << RANGE_BITS
        if size == scores.size:
            if bound < scores[0]:
                break
            if bound == scores[0] and base > slots[0]:
                continue
        if weights.size == 1:
            size = _one_list(addresses, ranges, place, weights[0], base, mask, scores, slots, size)
        else:
            size = _many_lists(
                addresses, weights, order, ranges, place, base, mask, sums_by_doc, sums, scores, slots, size
            )
    sort_hits(scores, slots, size)
    return size


@kernel(I8(R_I8, I8, I8, R_U1))
def count_union(addresses, lists, ranges, mask):  # type: ignore[no-untyped-def]
    """How many documents are in at least one list and pass the filter."""
    seen = np.zeros(RANGE_DOCS, dtype=np.uint8)
    total = np.int64(0)
    for place in range(ranges):
        for term in range(lists):
            pointers = pointers_at(addresses, term, ranges)
            low, high = np.int64(pointers[place]), np.int64(pointers[place + 1])
            docs = docs_at(addresses, term, high)
            for j in range(low, high):
                seen[docs[j]] = 1
        base = place << RANGE_BITS
        if mask.size > 0:
            for doc in range(RANGE_DOCS):
                total += np.int64(seen[doc] & mask[base + doc])
        else:
            for doc in range(RANGE_DOCS):
                total += np.int64(seen[doc])
        seen[:] = 0
    return total


@kernel(I8(R_I8, R_F8, I8, I8, R_U1, W_U2, W_F4, W_U4, W_F4))
def collect_union(addresses, weights, ranges, takes_best, mask, docs_out, impacts_out, pointers_out, maxima_out):  # type: ignore[no-untyped-def]
    """The union as a posting list of its own; an impact is the weighted sum, or the best when `takes_best`."""
    sums = np.zeros(RANGE_DOCS, dtype=np.float64)
    count = 0
    for place in range(ranges):
        pointers_out[place] = count
        busy = np.int64(0)
        for term in range(weights.size):
            pointers = pointers_at(addresses, term, ranges)
            low, high = np.int64(pointers[place]), np.int64(pointers[place + 1])
            busy += high - low
            docs, impacts = docs_at(addresses, term, high), impacts_at(addresses, term, high)
            weight = weights[term]
            for j in range(low, high):
                value = weight * np.float64(impacts[j])
                if takes_best:
                    sums[docs[j]] = max(sums[docs[j]], value)
                else:
                    sums[docs[j]] += value
        if busy == 0:
            continue
        base = place << RANGE_BITS
        best = np.float32(0.0)
        for doc in range(RANGE_DOCS):
            if sums[doc] > 0.0:
                if mask.size == 0 or mask[base + doc]:
                    docs_out[count] = doc
                    impacts_out[count] = sums[doc]
                    best = max(best, impacts_out[count])
                    count += 1
                sums[doc] = 0.0
        maxima_out[place] = best
    pointers_out[ranges] = count
    return count
