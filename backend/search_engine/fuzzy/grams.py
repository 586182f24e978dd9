"""Grams of words and the lists of words that have them.

A word is padded with q − 1 zeros on both sides, so that its ends weigh as much as its middle. Grams are hashed into
buckets: any script fits, and a collision only makes the filter let more words through. A list names a word once.
"""

import numpy as np
from numpy.typing import NDArray

from backend.search_engine.compilation import kernel
from backend.search_engine.signatures import I8, R_I8, R_U2, U8, W_I8, W_U4, W_U8

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


@kernel(I8(R_U2, I8, I8, I8, I8, I8))
def gram_bucket(pool, start, end, place, q, bits):  # type: ignore[no-untyped-def]
    """The bucket of the gram that ends at letter `place` of the padded word `pool[start:end]`."""
    mixed = np.uint64(0)
    for at in range(place - q + 1, place + 1):
        letter = np.uint64(pool[start + at]) if 0 <= at < end - start else np.uint64(0)
        mixed = (mixed ^ letter) * _MULTIPLIER
        mixed ^= mixed >> np.uint64(29)
    return np.int64((mixed * _MULTIPLIER) >> np.uint64(64 - bits))


@kernel((R_U2, R_I8, I8, I8, W_I8))
def count_grams(pool, starts, q, bits, offsets):  # type: ignore[no-untyped-def]
    """How long each bucket's list will be, as offsets into all lists. A gram twice in a word counts once."""
    last = np.full(1 << bits, -1, dtype=np.int64)
    for word in range(len(starts) - 1):
        start, end = starts[word], starts[word + 1]
        for place in range(end - start + q - 1):
            bucket = gram_bucket(pool, start, end, place, q, bits)
            if last[bucket] != word:
                last[bucket] = word
                offsets[bucket + 1] += 1
    for bucket in range(1 << bits):
        offsets[bucket + 1] += offsets[bucket]


@kernel((R_U2, R_I8, I8, I8, R_I8, W_U4))
def fill_lists(pool, starts, q, bits, offsets, lists):  # type: ignore[no-untyped-def]
    """Write the lists; words come in order, so every list is ascending."""
    last = np.full(1 << bits, -1, dtype=np.int64)
    ends = offsets[:-1].copy()
    for word in range(len(starts) - 1):
        start, end = starts[word], starts[word + 1]
        for place in range(end - start + q - 1):
            bucket = gram_bucket(pool, start, end, place, q, bits)
            if last[bucket] != word:
                last[bucket] = word
                lists[ends[bucket]] = word
                ends[bucket] += 1


@kernel(U8(R_U2, I8, I8))
def bag_of(pool, start, end):  # type: ignore[no-untyped-def]
    """The bag of one word. Letters of one alphabet are neighbours, so most have a bucket of their own."""
    once = twice = np.uint64(0)
    for at in range(start, end):
        bit = np.uint64(1) << np.uint64(pool[at] & 31)
        twice |= once & bit
        once |= bit
    return once | twice << np.uint64(32)


@kernel((R_U2, R_I8, W_U8))
def fill_bags(pool, starts, bags):  # type: ignore[no-untyped-def]
    """A 64-bit bag of letters per word: 32 buckets, with one bit for "occurs" and one for "occurs twice or more".

    One error adds at most one bit and removes at most one; a swap of neighbours changes none.
    """
    for word in range(len(starts) - 1):
        bags[word] = bag_of(pool, starts[word], starts[word + 1])


def gram_lists(
    pool: NDArray[np.uint16], starts: NDArray[np.int64], *, q: int, bits: int
) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
    """(offsets, lists): the words of bucket b are `lists[offsets[b]:offsets[b + 1]]`, ascending."""
    offsets = np.zeros((1 << bits) + 1, dtype=np.int64)
    count_grams(pool, starts, q, bits, offsets)
    lists = np.empty(offsets[-1], dtype=np.uint32)
    fill_lists(pool, starts, q, bits, offsets, lists)
    return offsets, lists
