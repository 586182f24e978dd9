"""The best k so far: a binary heap in two arrays with the worst on top. Of equal scores the earlier slot is better."""

from numba import njit

from backend.search_engine.signatures import B1, F8, I8, W_F8, W_I8


@njit(B1(F8, I8, F8, I8), cache=True, nogil=True, inline="always")
def is_better(score, slot, other_score, other_slot):  # type: ignore[no-untyped-def]
    """Whether a hit ranks before another."""
    return score > other_score or (score == other_score and slot < other_slot)


@njit((W_F8, W_I8, I8), cache=True, nogil=True)
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


@njit(I8(W_F8, W_I8, I8, F8, I8), cache=True, nogil=True)
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


@njit((W_F8, W_I8, I8), cache=True, nogil=True)
def sort_hits(scores, slots, size):  # type: ignore[no-untyped-def]
    """Turn the heap into a list, best first."""
    for end in range(size - 1, 0, -1):
        scores[0], scores[end] = scores[end], scores[0]
        slots[0], slots[end] = slots[end], slots[0]
        _sift_down(scores, slots, end)
