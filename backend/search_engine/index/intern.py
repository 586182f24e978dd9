"""From the bytes of texts to numbers of written forms, compiled: cut into tokens, look each up, number the new ones.

A form of up to 16 bytes *is* its two 64-bit words, so knowing it again costs one entry of the table and one key, and no
byte is compared. Forms met first have low numbers, so the keys of frequent forms lie together in the cache.
"""

from typing import Final

import numpy as np

from backend.search_engine.compilation import kernel
from backend.search_engine.signatures import B1, I8, R_I4, R_I8, R_U1, U8, W_I4, W_I8, W_U1, W_U8
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


@kernel(U8(U8, U8))
def _hash(low, high):  # type: ignore[no-untyped-def]
    code = (low ^ high * _MIX_AGAIN) * _MIX
    code = (code ^ code >> np.uint64(29)) * _MIX_AGAIN
    return code ^ code >> _HALF


@kernel(B1(R_U1, I8, I8, R_U1, I8))
def _is_same(data, start, end, arena, at):  # type: ignore[no-untyped-def]
    for i in range(start, end):
        byte = data[i]
        if 65 <= byte <= 90:
            byte += 32
        if byte != arena[at + i - start]:
            return False
    return True


@kernel((R_U1, I8, I8, W_U1, W_I8, W_I8))
def _remember(data, start, end, arena, arena_ends, counts):  # type: ignore[no-untyped-def]
    """Append the bytes of a new form, ASCII letters lower-cased, and count it."""
    place = arena_ends[counts[0]]
    for i in range(start, end):
        byte = data[i]
        arena[place] = byte + 32 if 65 <= byte <= 90 else byte
        place += 1
    counts[0] += 1
    arena_ends[counts[0]] = place


@kernel((R_U1, R_I4, R_I4, R_U1, I8, W_U8, W_U8, W_U1, W_I8, W_U1, W_I8, W_I4, I8))
def _intern(data, starts, ends, kinds, count, table, keys, arena, arena_ends, form_kinds, counts, forms, filled):  # type: ignore[no-untyped-def]
    """Write the numbers of so many tokens' forms, given now when they are new; ASCII letters are lower-cased.

    An entry of the table is `half a hash << 32 | number + 1`; the key of a long form is its hash and its length. All in
    one function: a call for each token would count references to nine arrays each time, which costs more than the rest.
    """
    mask = np.int64(table.size - 1)
    for i in range(count):
        start, end = np.int64(starts[i]), np.int64(ends[i])
        low, high = np.uint64(0), np.uint64(0)
        is_long = end - start > KEY_BYTES
        if is_long:
            low, high = _FNV_OFFSET, _LONG | np.uint64(end - start)
        middle = end if is_long else min(end, start + _WORD_BYTES)
        for j in range(start, middle):
            byte = np.uint64(data[j])
            if 65 <= byte <= 90:
                byte += np.uint64(32)
            low = (low ^ byte) * _FNV_PRIME if is_long else low << np.uint64(8) | byte
        for j in range(middle, end):
            byte = np.uint64(data[j])
            if 65 <= byte <= 90:
                byte += np.uint64(32)
            high = high << np.uint64(8) | byte
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
        if number < 0:
            number = counts[0]
            table[at] = tag | np.uint64(number + 1)
            keys[2 * number], keys[2 * number + 1] = low, high
            form_kinds[number] = kinds[i]
            _remember(data, start, end, arena, arena_ends, counts)
        forms[filled + i] = number


@kernel(I8(R_U1, R_I8, R_U1, W_I4, W_I4, W_I4, W_U1, W_U8, W_U8, W_U1, W_I8, W_U1, W_I8, W_I4, W_I4, W_I8, I8))
def intern_texts(  # type: ignore[no-untyped-def]
    data,
    bounds,
    classes,
    starts,
    ends,
    places,
    kinds,
    table,
    keys,
    arena,
    arena_ends,
    form_kinds,
    counts,
    forms,
    positions,
    text_ends,
    filled,
):
    """Number the tokens of texts from number counts[1] on until the table or the output could run full.

    Returns the tokens so far; `text_ends[text]` is where those of a text end. counts[0] is the number of forms,
    counts[1] becomes the text to go on with. A compound's position is `-position - 1`.
    """
    for text in range(counts[1], bounds.size - 1):
        size = bounds[text + 1] - bounds[text]
        room = 2 * size + 2
        counts[1] = text
        is_table_full = counts[0] + room > form_kinds.size or arena_ends[counts[0]] + 4 * size + 8 > arena.size
        if is_table_full or filled + room > forms.size:
            return filled
        found = scan(data, bounds[text], bounds[text + 1], classes, starts, ends, places, kinds, 0)
        _intern(data, starts, ends, kinds, found, table, keys, arena, arena_ends, form_kinds, counts, forms, filled)
        for i in range(found):
            positions[filled + i] = places[i] if kinds[i] != COMPOUND else -places[i] - 1
        filled += found
        text_ends[text] = filled
    counts[1] = bounds.size - 1
    return filled


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
