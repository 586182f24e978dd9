"""The best k so far: a binary heap in two arrays with the worst on top. Of equal scores the earlier slot is better."""

import numpy as np

from backend.search_engine.compilation import kernel
from backend.search_engine.signatures import B1, F8, I8, W_F8, W_I8


@kernel(B1(F8, I8, F8, I8), is_inlined=True)
def is_better(score, slot, other_score, other_slot):  # type: ignore[no-untyped-def]
    """Whether a hit ranks before another."""
    return score > other_score or (score == other_score and slot < other_slot)


@kernel((W_F8, W_I8, I8))
def _sift_down(scores, slots, size):  # type: ignore[no-untyped-def]
    at = 0
    score, slot = scores[0], slots[0]
    while True:
        child = 2 * at + 1
        if child >= size:
            break
        if child + 1 < size and is_better(scores[child], slots[child], scores[child + 1], slots[child + 1]):
            child += 1
        if not is_better(score, slot, scores[child], slots[child]):
            break
        scores[at], slots[at] = scores[child], slots[child]
        at = child
    scores[at], slots[at] = score, slot


@kernel(I8(W_F8, W_I8, I8, F8, I8))
def push(scores, slots, size, score, slot):  # type: ignore[no-untyped-def]
    """Offer a hit to the heap; returns the heap's size."""
    if size < scores.size:
        at = size
        while at > 0:
            parent = (at - 1) // 2
            if not is_better(scores[parent], slots[parent], score, slot):
                break
            scores[at], slots[at] = scores[parent], slots[parent]
            at = parent
        scores[at], slots[at] = score, slot
        return size + 1
    if is_better(score, slot, scores[0], slots[0]):
        scores[0], slots[0] = score, slot
        _sift_down(scores, slots, size)
    return size


@kernel((W_F8, W_I8, I8))
def sort_hits(scores, slots, size):  # type: ignore[no-untyped-def]
    """Turn the heap into a list, best first."""
    for end in range(size - 1, 0, -1):
        scores[0], scores[end] = scores[end], scores[0]
        slots[0], slots[end] = slots[end], slots[0]
        _sift_down(scores, slots, end)


@kernel((W_F8, W_I8))
def order_down(values, order):  # type: ignore[no-untyped-def]
    """Indices of the values into `order`, greatest first, of equal ones the earlier. (Numba's argsort loads SciPy.)"""
    sorted_values = np.empty(values.size, dtype=np.float64)
    for i in range(values.size):
        push(sorted_values, order, i, values[i], i)
    sort_hits(sorted_values, order, values.size)
