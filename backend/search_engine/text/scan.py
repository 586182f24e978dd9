"""Where the tokens of a text are: one pass over its UTF-8 bytes, compiled.

Words may hold apostrophes (don't), numbers may hold points and commas (1,299.00). Hyphenated words give their parts
*and* the whole at the first part's position (wi-fi: wi, fi, wi-fi). Scripts without spaces give overlapping pairs, and
the last character of a run alone (緑茶: 緑茶, 茶): every character begins a token, so each can be found by itself.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from backend.search_engine.compilation import kernel
from backend.search_engine.signatures import I8, I8_B1, R_U1, TWO_I8, W_I4, W_U1
from backend.search_engine.text.characters import (
    APOSTROPHE,
    BIGRAM,
    DIGIT,
    HYPHEN,
    LETTER,
    MARK,
    POINT,
    SEPARATOR,
    SUFFIX,
    TABLE_SIZE,
    character_classes,
)

WORD: Final = 0
NUMBER: Final = 1
PAIR: Final = 2
COMPOUND: Final = 3
"""A hyphenated word as a whole; shares its position with its first part and does not count in a field's length."""

MAX_TOKEN_BYTES: Final = 240
"""Longer runs are cut here: they are data, not words."""
MAX_COMPOUND_PARTS: Final = 3
PLUS: Final = ord("+")
HASH: Final = ord("#")
SPACE: Final = ord(" ")
_NO_CHARACTER: Final = 255


@kernel(TWO_I8(R_U1, I8, I8))
def _decode(data, at, end):  # type: ignore[no-untyped-def]
    """The code point at a byte and the bytes it takes; broken UTF-8 reads as a one-byte separator."""
    first = np.int64(data[at])
    if first < 0x80:
        return first, 1
    if 0xC2 <= first < 0xE0 and at + 1 < end:
        return (first & 0x1F) << 6 | (data[at + 1] & 0x3F), 2
    if 0xE0 <= first < 0xF0 and at + 2 < end:
        return (first & 0x0F) << 12 | (np.int64(data[at + 1]) & 0x3F) << 6 | (data[at + 2] & 0x3F), 3
    if 0xF0 <= first < 0xF5 and at + 3 < end:
        high = (first & 0x07) << 18 | (np.int64(data[at + 1]) & 0x3F) << 12
        return high | (np.int64(data[at + 2]) & 0x3F) << 6 | (data[at + 3] & 0x3F), 4
    return 0, 1


@kernel(TWO_I8(R_U1, I8, I8, R_U1))
def _class_at(data, at, end, classes):  # type: ignore[no-untyped-def]
    """The class of the character at a byte and the bytes it takes; 255 past the end."""
    if at >= end:
        return _NO_CHARACTER, 0
    first = data[at]
    if first < 0x80:
        return np.int64(classes[first]), 1
    code, width = _decode(data, at, end)
    if code < TABLE_SIZE:
        return np.int64(classes[code]), width
    if code < 0x40000:
        return BIGRAM, width
    return SEPARATOR, width


@kernel(I8_B1(R_U1, I8, I8, R_U1))
def _word_end(data, at, end, classes):  # type: ignore[no-untyped-def]
    """The end of the word or number that starts at a byte, and whether it is a number."""
    kind, width = _class_at(data, at, end, classes)
    is_number = kind == DIGIT
    last = kind
    limit = min(end, at + MAX_TOKEN_BYTES)
    stop = at + width
    while stop < limit:
        byte = data[stop]
        if byte < 0x80:  # nearly all characters of nearly all texts
            kind, width = np.int64(classes[byte]), 1
            if kind == LETTER:
                is_number = False
                last = LETTER
                stop += 1
                continue
        else:
            kind, width = _class_at(data, stop, end, classes)
        if kind in (LETTER, DIGIT):
            is_number = is_number and kind == DIGIT
            last = kind
        elif kind in (APOSTROPHE, POINT):
            wanted = LETTER if kind == APOSTROPHE else DIGIT
            if last != wanted or (kind == POINT and not is_number):
                break
            following, _ = _class_at(data, stop + width, end, classes)
            if following != wanted:
                break
        elif kind != MARK:
            break
        stop += width
    return stop, is_number


@kernel(I8(R_U1, I8, I8, R_U1))
def _with_suffix(data, stop, end, classes):  # type: ignore[no-untyped-def]
    """The end of a one-letter word with its `++` or `#`, when that is what follows."""
    if stop >= end or data[stop] not in (PLUS, HASH):
        return stop
    past = stop + (2 if data[stop] == PLUS else 1)
    if past > end or (data[stop] == PLUS and data[stop + 1] != PLUS):
        return stop
    following, _ = _class_at(data, past, end, classes)
    if following in (LETTER, DIGIT, SUFFIX):
        return stop
    return past


@kernel(TWO_I8(R_U1, I8, I8, R_U1, W_I4, W_I4, W_I4, W_U1, I8, I8))
def _scan_pairs(data, at, end, classes, starts, ends, positions, kinds, count, position):  # type: ignore[no-untyped-def]
    """Append the pairs of a run of characters without spaces, and its last character; returns its end and the count."""
    previous, last = at, BIGRAM
    _, width = _class_at(data, at, end, classes)
    at += width
    kind, width = _class_at(data, at, end, classes)
    while kind in (BIGRAM, MARK):
        starts[count], ends[count], positions[count], kinds[count] = previous, at + width, position, PAIR
        count += 1
        position += 1
        previous, last = at, kind
        at += width
        kind, width = _class_at(data, at, end, classes)
    if last == BIGRAM:  # a mark belongs to the character before it
        starts[count], ends[count], positions[count], kinds[count] = previous, at, position, PAIR
        count += 1
    return at, count


@kernel(I8(R_U1, I8, I8, R_U1), is_inlined=True)
def _plain_end(data, at, end, classes):  # type: ignore[no-untyped-def]
    """The end of a word of two or more ASCII letters with nothing to join it to what follows; `at` for any other.

    Most words of most texts are such; without it, cutting takes two and a half times as long.
    """
    stop = at
    while stop < end and data[stop] < 0x80 and classes[data[stop]] == LETTER:
        stop += 1
    is_apart = stop == end or (data[stop] < 0x80 and classes[data[stop]] in (SEPARATOR, POINT, SUFFIX))
    return stop if is_apart and at + 1 < stop <= at + MAX_TOKEN_BYTES else at


@kernel(I8(R_U1, I8, I8, R_U1, W_I4, W_I4, W_I4, W_U1, I8))
def scan(data, start, end, classes, starts, ends, positions, kinds, count):  # type: ignore[no-untyped-def]
    """Append the tokens of `data[start:end]` to the four arrays from index `count`; returns the new count.

    The arrays must have room for `2 * (end - start) + 2` more tokens. Positions start at 0.
    """
    at = start
    position = 0
    parts = 0
    compound_start = start
    compound_position = 0
    while at < end:
        byte = data[at]
        if byte < 0x80 and classes[byte] != LETTER and classes[byte] != DIGIT:
            at += 1
            continue
        stop = _plain_end(data, at, end, classes) if parts == 0 else at
        if stop > at:
            starts[count], ends[count], positions[count], kinds[count] = at, stop, position, WORD
            count += 1
            position += 1
            at = stop
            continue
        kind, width = _class_at(data, at, end, classes)
        if kind in (LETTER, DIGIT):
            stop, is_number = _word_end(data, at, end, classes)
            if stop == at + 1 and kind == LETTER:
                stop = _with_suffix(data, stop, end, classes)
            starts[count], ends[count], positions[count] = at, stop, position
            kinds[count] = NUMBER if is_number else WORD
            count += 1
            if parts == 0:
                compound_start, compound_position = at, position
            position += 1
            if stop < end and data[stop] == SPACE:
                following, gap = SEPARATOR, 1
            else:
                following, gap = _class_at(data, stop, end, classes)
            if following == HYPHEN and not is_number and parts + 1 < MAX_COMPOUND_PARTS:
                after, _ = _class_at(data, stop + gap, end, classes)
                if after in (LETTER, DIGIT):
                    parts += 1
                    at = stop + gap
                    continue
            if parts > 0 and stop - compound_start <= MAX_TOKEN_BYTES:
                starts[count], ends[count], positions[count] = compound_start, stop, compound_position
                kinds[count] = COMPOUND
                count += 1
            parts = 0
            at = stop
        elif kind == BIGRAM:
            before = count
            at, count = _scan_pairs(data, at, end, classes, starts, ends, positions, kinds, count, position)
            position += count - before
        else:
            at += width
    return count


Spans = tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], NDArray[np.uint8]]


def scan_bytes(text: bytes) -> Spans:
    """Byte starts, byte ends, positions and kinds of the tokens of one UTF-8 text, in the order they were found."""
    data = np.frombuffer(text, dtype=np.uint8)
    room = 2 * len(text) + 2
    starts, ends, positions = (np.empty(room, dtype=np.int32) for _ in range(3))
    kinds = np.empty(room, dtype=np.uint8)
    if not len(text):
        return starts[:0], ends[:0], positions[:0], kinds[:0]
    count = scan(data, 0, len(text), character_classes(), starts, ends, positions, kinds, 0)
    return starts[:count], ends[:count], positions[:count], kinds[:count]
