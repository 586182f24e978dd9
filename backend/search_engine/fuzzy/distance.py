"""How many typing errors lie between two words: insertions, deletions, replacements, and swaps of neighbours (OSA).

Bit-parallel as in Hyyrö, "A bit-vector algorithm for computing Levenshtein and Damerau edit distances" (2003), after
Myers (1999): one column of the distance matrix per 64-bit word. Longer words take the plain recurrence.
"""

from typing import Final

import numpy as np

from backend.search_engine.compilation import kernel
from backend.search_engine.fuzzy.letters import Letters, to_letters
from backend.search_engine.signatures import I8, R_U2, W_U8

WORD_BITS: Final = 64
LETTERS: Final = 0x10000
_ONE: Final = np.uint64(1)


@kernel((R_U2, W_U8))
def set_pattern(word, masks):  # type: ignore[no-untyped-def]
    """Note for each letter of a word (up to 64) where it stands; `masks` has LETTERS entries, all 0 before."""
    for place in range(min(len(word), WORD_BITS)):
        masks[word[place]] |= _ONE << np.uint64(place)


@kernel((R_U2, W_U8))
def clear_pattern(word, masks):  # type: ignore[no-untyped-def]
    """Undo `set_pattern`."""
    for place in range(min(len(word), WORD_BITS)):
        masks[word[place]] = np.uint64(0)


@kernel(I8(I8, R_U2, I8, I8, W_U8))
def pattern_distance(length, pool, start, end, masks):  # type: ignore[no-untyped-def]
    """The distance between the pattern set in `masks` (`length` ≤ 64 letters) and `pool[start:end]`."""
    if length == 0:
        return end - start
    last = _ONE << np.uint64(length - 1)
    rising, falling = ~np.uint64(0), np.uint64(0)
    diagonal, before = np.uint64(0), np.uint64(0)
    distance = length
    for at in range(start, end):
        here = masks[pool[at]]
        swapped = ((~diagonal & here) << _ONE) & before
        diagonal = (((here & rising) + rising) ^ rising) | here | falling | swapped
        up = falling | ~(diagonal | rising)
        down = diagonal & rising
        if up & last:
            distance += 1
        if down & last:
            distance -= 1
        up = (up << _ONE) | _ONE
        rising = (down << _ONE) | ~(diagonal | up)
        falling = up & diagonal
        before = here
    return distance


@kernel(I8(R_U2, R_U2, I8, I8))
def plain_distance(word, pool, start, end):  # type: ignore[no-untyped-def]
    """The distance by its recurrence, for words of any length."""
    width = end - start
    older = np.zeros(width + 1, dtype=np.int64)
    old = np.arange(width + 1)
    new = np.zeros(width + 1, dtype=np.int64)
    for row in range(1, len(word) + 1):
        new[0] = row
        for column in range(1, width + 1):
            letter = pool[start + column - 1]
            best = old[column - 1] + (word[row - 1] != letter)
            best = min(best, old[column] + 1, new[column - 1] + 1)
            if row > 1 and column > 1 and word[row - 1] == pool[start + column - 2] and word[row - 2] == letter:
                best = min(best, older[column - 2] + 1)
            new[column] = best
        older, old, new = old, new, older
    return old[width]


def osa_distance(left: str, right: str) -> int:
    """The number of typing errors between two words; for single comparisons (indexes compare in bulk)."""
    return letters_distance(to_letters(left), to_letters(right))


def letters_distance(left: Letters, right: Letters) -> int:
    """As `osa_distance`, for words that are letters already."""
    if len(left) > WORD_BITS:
        return int(plain_distance(left, right, 0, len(right)))
    masks = np.zeros(LETTERS, dtype=np.uint64)
    set_pattern(left, masks)
    return int(pattern_distance(len(left), right, 0, len(right), masks))
