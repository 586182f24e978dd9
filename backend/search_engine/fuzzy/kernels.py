"""The search: count shared grams in the window of possible lengths, filter by bags of letters, measure what is left.

Words are numbered by (length, −frequency): the words of a length are one run of numbers, a window of lengths too.
With k errors, t of them swaps, words of m and l letters share at least max(m, l) + q − 1 − kq − t grams: a replacement
spoils q grams, a swap of neighbours q + 1 (after Ukkonen, "Approximate string matching with q-grams", 1992). Their bags
differ by at most k − t letters on either side. So a word can be near only if
`shared + (k − bag difference) ≥ max(m, l) + q − 1 − kq`.
"""

from typing import Final

import numpy as np

from backend.search_engine.compilation import Late, kernel
from backend.search_engine.fuzzy.distance import WORD_BITS, clear_pattern, pattern_distance, plain_distance, set_pattern
from backend.search_engine.fuzzy.grams import bag_of, gram_bucket
from backend.search_engine.signatures import B1, I8, R_I4, R_I8, R_U2, R_U4, R_U8, U8, W_I8, W_U1, W_U8

MAX_LETTERS: Final = 200
"""Longer words are not words; they are near nothing."""
DOUBLING: Final = 256
"""A word's weight is this times log2(1 + frequency), rounded: whole numbers, so that ranking is the same everywhere."""
PER_ERROR: Final = 5 * DOUBLING
"""An error costs as much as being 32 times rarer."""
FIRST_LETTER: Final = 3 * DOUBLING
"""People seldom get the first letter wrong."""
EXACT: Final = 1 << 20
SURE_GRAMS: Final = 4
"""Shared grams still asked for after the longest lists are left out; fewer (down to 1) reads less but measures more."""
_LOW_BITS: Final = np.uint64(0x0101010101010101)
_HIGH_BITS: Final = np.uint64(0x8080808080808080)


popcount = Late("backend.search_engine.intrinsics.popcount")


@kernel(I8(U8, U8))
def bag_difference(left, right):  # type: ignore[no-untyped-def]
    """The fewest errors that turn one bag into the other, swaps being free."""
    return max(np.int64(popcount(left & ~right)), np.int64(popcount(right & ~left)))


@kernel(I8(R_U4, I8, I8, I8))
def first_at_least(lists, low, high, wanted):  # type: ignore[no-untyped-def]
    """The first place in `lists[low:high]` (ascending) whose number is at least `wanted`."""
    while low < high:
        middle = (low + high) >> 1
        if lists[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


@kernel((W_I8, W_I8))
def order_up(values, order):  # type: ignore[no-untyped-def]
    """Indices of a few values into `order`, least first."""
    for i in range(len(values)):
        at = i
        while at > 0 and values[order[at - 1]] > values[i]:
            order[at] = order[at - 1]
            at -= 1
        order[at] = i


@kernel((R_U2, I8, I8, R_I8, R_U4, I8, I8, I8, W_U1))
def count_shared(word, q, bits, offsets, lists, first, past, skip, counts):  # type: ignore[no-untyped-def]
    """Count for each word of the window the grams it shares with `word`, leaving out the `skip` longest lists."""
    grams = len(word) + q - 1
    lows = np.empty(grams, dtype=np.int64)
    sizes = np.empty(grams, dtype=np.int64)
    for place in range(grams):
        bucket = gram_bucket(word, 0, len(word), place, q, bits)
        lows[place] = first_at_least(lists, offsets[bucket], offsets[bucket + 1], first)
        sizes[place] = first_at_least(lists, lows[place], offsets[bucket + 1], past) - lows[place]
    order = np.empty(grams, dtype=np.int64)
    order_up(sizes, order)
    for rank in range(grams - skip):
        low = lows[order[rank]]
        for at in range(low, low + sizes[order[rank]]):
            counts[np.int64(lists[at]) - first] += np.uint8(1)


@kernel(I8(I8, I8, I8, W_I8, W_I8))
def keep_best(number, score, found, numbers, scores):  # type: ignore[no-untyped-def]
    """Insert into the `found` best so far, ordered by (−score, number); the last may fall out. Returns their number."""
    limit = len(numbers)
    if found == limit and (score < scores[limit - 1] or (score == scores[limit - 1] and number > numbers[limit - 1])):
        return found
    at = min(found, limit - 1)
    while at > 0 and (scores[at - 1] < score or (scores[at - 1] == score and numbers[at - 1] > number)):
        numbers[at], scores[at] = numbers[at - 1], scores[at - 1]
        at -= 1
    numbers[at], scores[at] = number, score
    return min(found + 1, limit)


@kernel(B1(U8, I8))
def all_below(eight, least):  # type: ignore[no-untyped-def]
    """Whether each of eight counts packed into one number is below `least` (1 … 127)."""
    return (eight | (eight + np.uint64(128 - least) * _LOW_BITS)) & _HIGH_BITS == 0


@kernel(I8(I8, B1))
def penalty(distance, first_differs):  # type: ignore[no-untyped-def]
    """What errors take from a word's weight. No error is worth more than any frequency."""
    if distance == 0:
        return -EXACT
    return distance * PER_ERROR + first_differs * FIRST_LETTER


@kernel(I8(R_U2, R_U2, I8, I8, W_U8))
def measure(word, pool, start, end, masks):  # type: ignore[no-untyped-def]
    """The distance between `word`, whose pattern is set in `masks`, and `pool[start:end]`."""
    if len(word) <= WORD_BITS:
        return pattern_distance(len(word), pool, start, end, masks)
    return plain_distance(word, pool, start, end)


@kernel(I8(R_U2, I8, I8, I8, R_U2, R_I8, R_U8, R_I4, R_I8, R_U4, R_I8, W_U8, W_U8, W_I8, W_I8))
def find_near(word, most, q, bits, pool, starts, bags, weights, offsets, lists, runs, masks, eights, numbers, scores):  # type: ignore[no-untyped-def]
    """The words at most `most` errors from `word`, best first, into `numbers` and `scores`; returns how many.

    `runs[l]` is the first number of the words with l letters. `masks` and `eights` (a byte
    per word of the window) are 0 before and after.
    """
    length = len(word)
    shortest, longest = max(1, length - most), min(length + most, len(runs) - 2)
    if shortest > longest or runs[shortest] == runs[longest + 1]:
        return 0
    first, past = runs[shortest], runs[longest + 1]
    counts = eights.view(np.uint8)
    bag = bag_of(word, 0, length)
    skip = max(0, length + q - 1 - most * q - most - SURE_GRAMS)
    if max(length, longest) + q - 1 - most * q > 0:
        count_shared(word, q, bits, offsets, lists, first, past, skip, counts)
    set_pattern(word, masks)
    found = 0
    for letters in range(shortest, longest + 1):
        needed = max(length, letters) + q - 1 - most * q - skip
        at = runs[letters]
        while at < runs[letters + 1]:
            place = at - first
            if needed > most and place & 7 == 0 and all_below(eights[place >> 3], min(needed - most, 127)):
                at += 8
                continue
            slack = most - bag_difference(bag, bags[at])
            if slack >= 0 and counts[place] + slack >= needed:
                distance = measure(word, pool, starts[at], starts[at + 1], masks)
                if distance <= most:
                    score = weights[at] - penalty(distance, word[0] != pool[starts[at]])
                    found = keep_best(at, score, found, numbers, scores)
            at += 1
    clear_pattern(word, masks)
    eights[: ((past - first) >> 3) + 1] = 0
    return found
