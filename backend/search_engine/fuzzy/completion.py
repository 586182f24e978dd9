"""Kernels for suggestions: sorted keys are a trie without nodes, and a range of them is all that begins alike.

Prefix edit distance: how far the typed text is from the nearest beginning of a key. A walk over the trie carries one
row of the distance matrix per depth and leaves a branch as soon as no continuation can be near enough (Ji et al.,
"Efficient interactive fuzzy keyword search", WWW 2009). Once a beginning is near enough, its whole range is; a branch
of few keys has no node, its keys are measured one by one.
"""

from typing import Final

import numpy as np

from backend.search_engine.compilation import kernel
from backend.search_engine.fuzzy.kernels import EXACT, FIRST_LETTER, PER_ERROR
from backend.search_engine.signatures import I8, R_I4, R_I8, R_U2, R_U4, TWO_I8, W_I4, W_I8, W_U2, W_U4, W_U8

BLOCK: Final = 64
"""Keys per entry of the table of block maxima."""
MAX_VISITS: Final = 100_000
"""Branches and keys one walk may try: a bound on the cost of hostile texts that no real one comes near."""
FEW: Final = 24
"""A beginning that at most so many keys share has no node."""
_SMALL: Final = 8
_ONE: Final = np.uint64(1)


@kernel(I8(R_U2, R_U4, R_U2, I8, I8))
def letter_of(pool, starts, lengths, key, depth):  # type: ignore[no-untyped-def]
    """The letter of a key at a depth; −1 past its end, so that shorter keys come first."""
    if depth >= lengths[key]:
        return np.int64(-1)
    return np.int64(pool[np.int64(starts[key]) + depth])


@kernel(I8(R_U2, R_U4, R_U2, I8, I8, I8))
def compare(pool, starts, lengths, left, right, depth):  # type: ignore[no-untyped-def]
    """Below, at or above 0 as the left key comes before, with or after the right one; equal up to `depth`."""
    while True:
        difference = letter_of(pool, starts, lengths, left, depth) - letter_of(pool, starts, lengths, right, depth)
        if difference != 0 or depth >= lengths[left]:
            return difference
        depth += 1


@kernel((R_U2, R_U4, R_U2, W_U4, I8, I8, I8))
def _sort_few(pool, starts, lengths, order, low, high, depth):  # type: ignore[no-untyped-def]
    for place in range(low + 1, high):
        key, at = order[place], place
        while at > low and compare(pool, starts, lengths, order[at - 1], key, depth) > 0:
            order[at] = order[at - 1]
            at -= 1
        order[at] = key


@kernel((R_U2, R_U4, R_U2, W_U4))
def sort_keys(pool, starts, lengths, order):  # type: ignore[no-untyped-def]
    """Sort keys by their letters: three-way radix quicksort (Bentley & Sedgewick 1997)."""
    waiting = [(0, len(order), 0)]
    while len(waiting) > 0:
        low, high, depth = waiting.pop()
        if high - low <= _SMALL:
            _sort_few(pool, starts, lengths, order, low, high, depth)
            continue
        first = letter_of(pool, starts, lengths, order[low], depth)
        middle = letter_of(pool, starts, lengths, order[(low + high) >> 1], depth)
        last = letter_of(pool, starts, lengths, order[high - 1], depth)
        pivot = max(min(first, middle), min(max(first, middle), last))
        below, above, at = low, high, low
        while at < above:
            letter = letter_of(pool, starts, lengths, order[at], depth)
            if letter < pivot:
                order[at], order[below] = order[below], order[at]
                below += 1
                at += 1
            elif letter > pivot:
                above -= 1
                order[at], order[above] = order[above], order[at]
            else:
                at += 1
        waiting.append((low, below, depth))
        waiting.append((above, high, depth))
        if pivot >= 0:
            waiting.append((below, above, depth + 1))


@kernel(I8(R_U2, R_U4, R_U2, I8, I8, I8, I8))
def first_from(pool, starts, lengths, low, high, depth, letter):  # type: ignore[no-untyped-def]
    """The first key of `[low, high)`, all alike up to `depth`, whose letter there is at least `letter`."""
    step = 1
    while low + step < high and letter_of(pool, starts, lengths, low + step - 1, depth) < letter:
        low += step
        step += step
    high = min(high, low + step)
    while low < high:
        middle = (low + high) >> 1
        if letter_of(pool, starts, lengths, middle, depth) < letter:
            low = middle + 1
        else:
            high = middle
    return low


@kernel(TWO_I8(R_U2, R_U4, R_U2, W_I8, W_U2, W_U4, W_U4, W_I4))
def build_nodes(  # type: ignore[no-untyped-def]
    pool, starts, lengths, children, child_letters, child_lows, child_highs, child_nodes
):
    """A node for every beginning that more than FEW keys share, breadth first; how many nodes and children there are.

    The children of node n are numbered from `children[n]` to `children[n + 1]`; each has its letter, its range of keys,
    and its node (−1 when it has few keys). The arrays are long enough for the worst case.
    """
    ranges = [(0, len(starts), 0)]
    count = node = 0
    while node < len(ranges):
        low, high, depth = ranges[node]
        children[node] = count
        low = first_from(pool, starts, lengths, low, high, depth, 0)
        while low < high:
            letter = letter_of(pool, starts, lengths, low, depth)
            end = first_from(pool, starts, lengths, low, high, depth, letter + 1)
            child_letters[count], child_lows[count], child_highs[count] = letter, low, end
            child_nodes[count] = -1
            if end - low > FEW:
                child_nodes[count] = len(ranges)
                ranges.append((low, end, depth + 1))
            count += 1
            low = end
        node += 1
    children[node] = count
    return node, count


@kernel((R_I4, W_I4))
def fill_maxima(weights, maxima):  # type: ignore[no-untyped-def]
    """The largest weight of each block of keys."""
    for block in range(len(maxima)):
        maxima[block] = weights[block * BLOCK : (block + 1) * BLOCK].max()


@kernel(I8(I8, I8, I8, R_U4, W_I8, W_I8))
def keep_entry(key, score, found, entries, keys, scores):  # type: ignore[no-untyped-def]
    """Insert into the best so far, by (−score, key); an entry keeps the best of its keys. Returns their number."""
    limit = len(keys)
    if found == limit and score <= scores[limit - 1]:
        return found
    for place in range(found):
        if entries[keys[place]] == entries[key]:
            if score <= scores[place]:
                return found
            for at in range(place, found - 1):
                keys[at], scores[at] = keys[at + 1], scores[at + 1]
            found -= 1
            break
    at = min(found, limit - 1)
    while at > 0 and (scores[at - 1] < score or (scores[at - 1] == score and keys[at - 1] > key)):
        keys[at], scores[at] = keys[at - 1], scores[at - 1]
        at -= 1
    keys[at], scores[at] = key, score
    return min(found + 1, limit)


@kernel(I8(I8, I8, I8, I8, R_U4, R_I4, R_I4, W_I8, W_I8))
def keep_range(low, high, lost, found, entries, weights, maxima, keys, scores):  # type: ignore[no-untyped-def]
    """Offer every key of a range at `lost` below its weight; blocks that cannot reach the best so far are skipped."""
    limit = len(keys)
    at = low
    while at < high:
        if found == limit and at % BLOCK == 0 and maxima[at // BLOCK] - lost <= scores[limit - 1]:
            at += BLOCK
            continue
        if found < limit or weights[at] - lost > scores[limit - 1]:
            found = keep_entry(at, weights[at] - lost, found, entries, keys, scores)
        at += 1
    return found


@kernel(I8(R_U2, R_U2, R_U4, R_U2, R_U4, R_I4, R_I4, I8, W_I8, W_I8))
def complete(typed, pool, starts, lengths, entries, weights, maxima, found, keys, scores):  # type: ignore[no-untyped-def]
    """Offer every key that begins with `typed`; those that are equal to it come before all others."""
    low, high = 0, len(starts)
    for depth in range(len(typed)):
        low = first_from(pool, starts, lengths, low, high, depth, typed[depth])
        high = first_from(pool, starts, lengths, low, high, depth, np.int64(typed[depth]) + 1)
        if low >= high:
            return found
    while low < high and lengths[low] == len(typed):
        found = keep_entry(low, weights[low] + EXACT, found, entries, keys, scores)
        low += 1
    return keep_range(low, high, 0, found, entries, weights, maxima, keys, scores)


@kernel(I8(R_U2, R_U2, I8, I8, I8, W_U8))
def beginning_distance(typed, pool, start, length, most, masks):  # type: ignore[no-untyped-def]
    """The distance between `typed`, set in `masks`, and the nearest beginning of a key (Hyyrö, as in distance.py)."""
    last = _ONE << np.uint64(len(typed) - 1)
    rising, falling, diagonal, before = ~np.uint64(0), np.uint64(0), np.uint64(0), np.uint64(0)
    distance = nearest = len(typed)
    for at in range(start, start + min(length, len(typed) + most)):
        here = masks[pool[at]]
        swapped = ((~diagonal & here) << _ONE) & before
        diagonal = (((here & rising) + rising) ^ rising) | here | falling | swapped
        up = falling | ~(diagonal | rising)
        down = diagonal & rising
        if up & last:
            distance += 1
        if down & last:
            distance -= 1
            nearest = min(nearest, distance)
        up = (up << _ONE) | _ONE
        rising = (down << _ONE) | ~(diagonal | up)
        falling = up & diagonal
        before = here
    return nearest


@kernel(I8(R_U2, I8, R_U2, R_U4, R_U2, R_U4, R_I4, W_U8, I8, I8, I8, W_I8, W_I8))
def measure_keys(  # type: ignore[no-untyped-def]
    typed, most, pool, starts, lengths, entries, weights, masks, low, high, found, keys, scores
):
    """Offer those keys of a short range that have a beginning at most `most` errors from `typed`."""
    for key in range(low, high):
        start = np.int64(starts[key])
        errors = beginning_distance(typed, pool, start, lengths[key], most, masks)
        if errors <= most:
            lost = errors * PER_ERROR + (pool[start] != typed[0]) * FIRST_LETTER
            found = keep_entry(key, weights[key] - lost, found, entries, keys, scores)
    return found


@kernel(I8(R_U2, I8, I8, I8, I8, W_I8, W_I8, W_I8))
def fill_row(typed, most, letter, before, depth, older, row, new):  # type: ignore[no-untyped-def]
    """The row of the distance matrix for a beginning of `depth` letters, only where it can be near; its smallest entry.

    `row` and `older` are those of one and two letters less. Entries beside the band count as too far.
    """
    first, last = max(1, depth - most), min(len(typed), depth + most)
    new[first - 1] = depth if first == 1 else most + 1
    smallest = new[first - 1]
    for place in range(first, last + 1):
        above = row[place] if place < depth + most else most + 1
        best = min(row[place - 1] + (typed[place - 1] != letter), above + 1, new[place - 1] + 1)
        if depth > 1 and place > 1 and typed[place - 1] == before and typed[place - 2] == letter:
            best = min(best, older[place - 2] + 1)
        new[place] = best
        smallest = min(smallest, best)
    return smallest


@kernel(I8(R_U2, I8, R_U2, R_U4, R_U2, R_U4, R_I4, R_I4, R_I8, R_U2, R_U4, R_U4, R_I4, W_U8, I8, W_I8, W_I8))
def complete_nearly(  # type: ignore[no-untyped-def]
    typed,
    most,
    pool,
    starts,
    lengths,
    entries,
    weights,
    maxima,
    children,
    child_letters,
    child_lows,
    child_highs,
    child_nodes,
    masks,
    found,
    keys,
    scores,
):
    """Offer every key with a beginning at most `most` errors from `typed` (up to 64 letters, set in `masks`)."""
    deepest = len(typed) + most
    rows = np.full((deepest + 2, len(typed) + 1), most + 1, dtype=np.int64)
    rows[0] = np.arange(len(typed) + 1)
    cursor, past = np.zeros(deepest + 2, dtype=np.int64), np.zeros(deepest + 2, dtype=np.int64)
    letters = np.zeros(deepest + 2, dtype=np.int64)
    past[0] = children[1]
    depth, visits = 0, np.int64(0)
    while depth >= 0 and visits < MAX_VISITS:
        child = cursor[depth]
        if child == past[depth]:
            depth -= 1
            continue
        cursor[depth] += 1
        visits += 1
        letter = np.int64(child_letters[child])
        letters[depth + 1] = letter
        smallest = fill_row(
            typed, most, letter, letters[depth], depth + 1, rows[max(0, depth - 1)], rows[depth], rows[depth + 1]
        )
        low, high = np.int64(child_lows[child]), np.int64(child_highs[child])
        errors = rows[depth + 1, len(typed)] if depth + 1 >= len(typed) - most else most + 1
        if errors <= most:
            lost = errors * PER_ERROR + (letters[1] != typed[0]) * FIRST_LETTER
            found = keep_range(low, high, lost, found, entries, weights, maxima, keys, scores)
        elif smallest <= most and child_nodes[child] >= 0 and depth + 1 < deepest:
            node = child_nodes[child]
            cursor[depth + 1], past[depth + 1] = children[node], children[node + 1]
            depth += 1
        elif smallest <= most and child_nodes[child] < 0:
            visits += high - low
            found = measure_keys(
                typed, most, pool, starts, lengths, entries, weights, masks, low, high, found, keys, scores
            )
    return found
