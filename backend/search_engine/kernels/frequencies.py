"""How often terms are in a few documents, read from the segments' own bytes by way of the lists' marks; BM25 of it."""

import numpy as np

from backend.search_engine.compilation import kernel
from backend.search_engine.index.decode import MARK_BITS, RANGE_BITS, RANGE_DOCS, get_varint
from backend.search_engine.kernels.heap import push, sort_hits
from backend.search_engine.kernels.pointers import bytes_at, docs_at, numbers_at, pointers_at
from backend.search_engine.kernels.union import find_doc
from backend.search_engine.signatures import F8, I8, R_F8, R_I8, R_U4_2D, W_F8, W_F8_2D, W_I4_2D, W_I8

_MANY = 1 << 40


@kernel(I8(R_I8, I8, I8))
def _last_mark(marks, low, slot):  # type: ignore[no-untyped-def]
    """The last mark that is not after a slot, given one that is not; it is most often near."""
    count, step = marks.size // 4, 1
    while low + step < count and marks[4 * (low + step)] <= slot:
        low += step
        step *= 2
    high = min(low + step, count)
    while low + 1 < high:
        middle = (low + high) // 2
        if marks[4 * middle] <= slot:
            low = middle
        else:
            high = middle
    return low


@kernel((R_I8, I8, I8, I8, W_I4_2D, I8))
def _read_stretch(marks, mark, slot, mask, frequencies, row):  # type: ignore[no-untyped-def]
    """The frequencies of one document that is in the stretch of postings that begins at a mark."""
    here, common, postings = marks[4 * mark], marks[4 * mark + 2], marks[4 * mark + 3]
    data = bytes_at(marks[4 * mark + 1], _MANY)
    at = np.int64(0)
    for i in range(postings):
        gap = np.int64(data[at])
        at += 1
        if gap >= 0x80:
            gap, at = get_varint(data, at - 1)
        here += gap >> 1 if i else 0
        fields, field, tf = 1, common, np.int64(1)
        is_listed = False
        if gap & 1:
            code = np.int64(data[at])
            at += 1
            field, tf = code >> 4, code & 15
            is_listed = bool(code >= 0x80)
            fields = int(code & 0x7F) if is_listed else 1
        for _ in range(fields):
            if is_listed:
                field, at = get_varint(data, at)
                tf, at = get_varint(data, at)
            if here == slot and mask >> field & 1:
                frequencies[row, field] = tf
        if here >= slot:
            return


@kernel((R_I8, R_I8, I8, R_I8, W_I4_2D))
def read_frequencies(addresses, sources, ranges, slots, frequencies):  # type: ignore[no-untyped-def]
    """`frequencies[term * slots.size + i, field]`, zeros before, becomes how often a term is in the i-th document.

    A term's three `sources` are the address of its marks, how many they are, and the bits of the fields that count.
    """
    for term in range(sources.size // 3):
        pointers = pointers_at(addresses, term, ranges)
        marks = numbers_at(sources[3 * term], 4 * sources[3 * term + 1])
        for i in range(slots.size):
            slot = slots[i]
            place = slot >> RANGE_BITS
            low, high = np.int64(pointers[place]), np.int64(pointers[place + 1])
            found = find_doc(docs_at(addresses, term, high), low, high, slot & (RANGE_DOCS - 1))
            if found >= 0:  # of the postings in the file at least so many come before it
                mark = _last_mark(marks, found >> MARK_BITS, slot)
                _read_stretch(marks, mark, slot, sources[3 * term + 2], frequencies, term * slots.size + i)


@kernel((W_I4_2D, R_I8, R_U4_2D, R_F8, R_F8, F8, F8, R_F8, W_F8_2D))
def weigh(frequencies, slots, lengths, averages, boosts, b, k, weights, values):  # type: ignore[no-untyped-def]
    """`values[term, i]` becomes a term's weight times tf* in the i-th document, all in double precision (see `bm25`).

    `frequencies` are those of `read_frequencies`, `lengths[field, slot]` how many words a field has.
    """
    for i in range(slots.size):
        for term in range(weights.size):
            row = term * slots.size + i
            weighted = 0.0
            for field in range(boosts.size):
                if frequencies[row, field] > 0:
                    length = max(np.float64(lengths[field, slots[i]]), 1.0)
                    alpha = 1.0 - b + b * length / max(averages[field], 1e-9)
                    weighted += boosts[field] * np.float64(frequencies[row, field]) / alpha
            values[term, i] = weights[term] * (weighted * (k + 1.0) / (k + weighted))


@kernel((R_I8, R_I8, I8, R_U4_2D, R_F8, R_F8, F8, F8, R_F8, W_F8, W_I8))
def rescore(addresses, sources, ranges, lengths, averages, boosts, b, k, weights, scores, slots):  # type: ignore[no-untyped-def]
    """Put the sums of the terms' values (see `weigh`) in the place of scores, and order scores and slots by them."""
    frequencies = np.zeros((weights.size * slots.size, boosts.size), np.int32)
    values = np.empty((weights.size, slots.size), np.float64)
    read_frequencies(addresses, sources, ranges, slots, frequencies)
    weigh(frequencies, slots, lengths, averages, boosts, b, k, weights, values)
    for i in range(slots.size):
        score = 0.0
        for term in range(weights.size):
            score += values[term, i]
        push(scores, slots, i, score, slots[i])
    sort_hits(scores, slots, slots.size)
