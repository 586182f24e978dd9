"""From the bytes of texts to numbers of written forms, compiled: cut into tokens, look each up, number the new ones.

A form of up to 16 bytes *is* its two 64-bit words, so knowing it again costs one entry of the table and one key, and no
byte is compared. Forms met first have low numbers, so the keys of frequent forms lie together in the cache.
"""

from typing import Final

import numpy as np

from backend.search_engine.compilation import kernel
from backend.search_engine.signatures import B1, I8, R_I4, R_I8, R_U1, TWO_I8, TWO_U8, U1, U8, W_I4, W_I8, W_U1, W_U8
from backend.search_engine.text.scan import COMPOUND, scan

KEY_BYTES: Final = 16
_WORD_BYTES: Final = 8
_FNV_OFFSET: Final = np.uint64(14695981039346656037)
_FNV_PRIME: Final = np.uint64(1099511628211)
_MIX: Final = np.uint64(0x9E3779B97F4A7C15)
_MIX_AGAIN: Final = np.uint64(0xBF58476D1CE4E5B9)
_LONG: Final = np.uint64(0xFFFFFFFFFFFF0000)
"""Marks the key of a long form. No text has such bytes, so it is no short form's key."""
_HALF: Final = np.uint64(32)
_NUMBER_MASK: Final = np.uint64(0xFFFFFFFF)


@kernel(U1(U1))
def _lower(byte):  # type: ignore[no-untyped-def]
    return byte + np.uint8(32) if 65 <= byte <= 90 else byte


@kernel(U8(U8, U8))
def _hash(low, high):  # type: ignore[no-untyped-def]
    code = (low ^ high * _MIX_AGAIN) * _MIX
    code = (code ^ code >> np.uint64(29)) * _MIX_AGAIN
    return code ^ code >> _HALF


@kernel(TWO_U8(R_U1, I8, I8))
def _short_key(data, start, end):  # type: ignore[no-untyped-def]
    """The bytes of a form themselves."""
    low, high = np.uint64(0), np.uint64(0)
    middle = min(end, start + _WORD_BYTES)
    for i in range(start, middle):
        low = low << np.uint64(8) | np.uint64(_lower(data[i]))
    for i in range(middle, end):
        high = high << np.uint64(8) | np.uint64(_lower(data[i]))
    return low, high


@kernel(TWO_U8(R_U1, I8, I8))
def _long_key(data, start, end):  # type: ignore[no-untyped-def]
    """A form's hash and its length."""
    code = _FNV_OFFSET
    for i in range(start, end):
        code = (code ^ np.uint64(_lower(data[i]))) * _FNV_PRIME
    return code, _LONG | np.uint64(end - start)


@kernel(B1(R_U1, I8, I8, R_U1, I8))
def _is_same(data, start, end, arena, at):  # type: ignore[no-untyped-def]
    for i in range(start, end):
        if _lower(data[i]) != arena[at]:
            return False
        at += 1
    return True


@kernel((R_U1, I8, I8, W_U1, W_I8, W_I8))
def _remember(data, start, end, arena, arena_ends, counts):  # type: ignore[no-untyped-def]
    """Append the bytes of a new form, ASCII letters lower-cased, and count it."""
    place = arena_ends[counts[0]]
    for i in range(start, end):
        arena[place] = _lower(data[i])
        place += 1
    counts[0] += 1
    arena_ends[counts[0]] = place


@kernel(TWO_I8(R_U1, R_I8, R_U1, I8, W_I4, W_I4, W_I4, W_U1, W_I8))
def cut_texts(data, bounds, classes, text, starts, ends, positions, kinds, text_ends):  # type: ignore[no-untyped-def]
    """Cut texts from this one on into tokens, until the next might not fit: the text to go on with, and the tokens.

    `text_ends[text]` is where the tokens of a text end. A compound's position is `-position - 1`.
    """
    filled = np.int64(0)
    while text < bounds.size - 1 and filled + 2 * (bounds[text + 1] - bounds[text]) + 2 <= starts.size:
        found = scan(data, bounds[text], bounds[text + 1], classes, starts, ends, positions, kinds, filled)
        for i in range(filled, found):
            if kinds[i] == COMPOUND:
                positions[i] = -positions[i] - 1
        filled = found
        text_ends[text] = filled
        text += 1
    return text, filled


@kernel(TWO_I8(R_U1, R_I4, R_I4, R_U1, W_U8, W_U8, W_U1, W_I8, W_U1, W_I8, B1, W_I4))
def intern(data, starts, ends, kinds, table, keys, arena, arena_ends, form_kinds, counts, may_add, forms):  # type: ignore[no-untyped-def]
    """Write the numbers of those tokens' forms that are still below 0. ASCII letters are lower-cased.

    A new form is given the next number when that may be, which needs room for all of them; else it stays below 0.
    Returns how many stayed so, and their bytes. counts[0] is the number of forms.

    Looking up needs no lock while another thread adds: a form half entered looks like one that is not there.

    An entry of the table is `half a hash << 32 | number + 1`.
    """
    mask = np.int64(table.size - 1)
    missing, missing_bytes = np.int64(0), np.int64(0)
    for i in range(forms.size):
        if forms[i] >= 0:
            continue
        start, end = np.int64(starts[i]), np.int64(ends[i])
        is_long = end - start > KEY_BYTES
        low, high = _long_key(data, start, end) if is_long else _short_key(data, start, end)
        code = _hash(low, high)
        tag = code & ~_NUMBER_MASK
        at = np.int64(code & _NUMBER_MASK) & mask
        number = np.int64(-1)
        while table[at] != 0:
            entry = table[at]
            if entry & ~_NUMBER_MASK == tag:
                known = np.int64(entry & _NUMBER_MASK) - 1
                is_known = keys[2 * known] == low and keys[2 * known + 1] == high
                if is_known and is_long:
                    is_known = _is_same(data, start, end, arena, arena_ends[known])
                if is_known:
                    number = known
                    break
            at = (at + 1) & mask
        if number < 0 and may_add:
            number = counts[0]
            form_kinds[number] = kinds[i]
            keys[2 * number], keys[2 * number + 1] = low, high
            _remember(data, start, end, arena, arena_ends, counts)
            table[at] = tag | np.uint64(number + 1)
        elif number < 0:
            missing += 1
            missing_bytes += end - start
        forms[i] = number
    return missing, missing_bytes


@kernel((W_U8, I8, W_U8))
def fill_table(keys, count, table):  # type: ignore[no-untyped-def]
    """Enter the first `count` keys into an empty table."""
    mask = np.int64(table.size - 1)
    for number in range(count):
        code = _hash(keys[2 * number], keys[2 * number + 1])
        at = np.int64(code & _NUMBER_MASK) & mask
        while table[at] != 0:
            at = (at + 1) & mask
        table[at] = code & ~_NUMBER_MASK | np.uint64(number + 1)
