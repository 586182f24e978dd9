"""What role each character plays in a token: a table over Unicode, made once per process in about 10 ms."""

import unicodedata
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

SEPARATOR: Final = 0
LETTER: Final = 1
DIGIT: Final = 2
BIGRAM: Final = 3
"""A character of a script written without spaces: tokens are overlapping pairs."""
MARK: Final = 4
"""Continues a token, never starts one: combining marks, joiners, the soft hyphen."""
APOSTROPHE: Final = 5
HYPHEN: Final = 6
POINT: Final = 7
"""`.` and `,`: inside a number they belong to it."""
SUFFIX: Final = 8
"""`+` and `#`: after a single letter they belong to it (C++, C#)."""

TABLE_SIZE: Final = 0x20000
"""Code points past the table: ideographs up to 0x3FFFF, separators beyond."""

_BIGRAM_RANGES = (
    (0x0E00, 0x0E4F),  # Thai
    (0x0E80, 0x0ECF),  # Lao
    (0x1000, 0x1050),  # Myanmar
    (0x1100, 0x1200),  # Hangul jamo
    (0x1780, 0x17D4),  # Khmer
    (0x3005, 0x3008),
    (0x3041, 0x3100),  # Hiragana, Katakana
    (0x3105, 0x3130),  # Bopomofo
    (0x31F0, 0x3200),
    (0x3400, 0x4DC0),
    (0x4E00, 0xA000),  # Han
    (0xAC00, 0xD7A4),  # Hangul
    (0xF900, 0xFB00),
    (0xFF66, 0xFFA0),  # half-width Katakana
    (0x1B000, 0x1B300),
)
_FIRST_PAIRED = _BIGRAM_RANGES[0][0]
_SAME_THROUGHOUT = ((0x3400, 0xA000), (0xAC00, 0xD7A4), (0xD800, 0xF900), (0x17000, 0x19000))
_BY_CATEGORY = {"L": LETTER, "M": MARK, "N": DIGIT}
_SPECIAL = {
    "'": APOSTROPHE,
    "\u2019": APOSTROPHE,
    "\u02bc": APOSTROPHE,
    "\uff07": APOSTROPHE,
    "-": HYPHEN,
    "\u2010": HYPHEN,
    "\u2011": HYPHEN,
    ".": POINT,
    ",": POINT,
    "+": SUFFIX,
    "#": SUFFIX,
    "\u00ad": MARK,
    "\u200c": MARK,
    "\u200d": MARK,
    "\u30fb": SEPARATOR,
}


@cache
def character_classes() -> NDArray[np.uint8]:
    """The class of every code point below `TABLE_SIZE`."""
    classes = np.zeros(TABLE_SIZE, dtype=np.uint8)
    start = 0
    for low, high in (*_SAME_THROUGHOUT, (TABLE_SIZE, TABLE_SIZE)):
        for code in range(start, low):
            classes[code] = _BY_CATEGORY.get(unicodedata.category(chr(code))[0], SEPARATOR)
        start = high
    classes[0x17000:0x19000] = LETTER  # Tangut
    for low, high in _BIGRAM_RANGES:
        classes[low:high] = BIGRAM
    for character, kind in _SPECIAL.items():
        classes[ord(character)] = kind
    return classes


def is_paired(character: str) -> bool:
    """Whether a character is of a script that is indexed in pairs."""
    code = ord(character)
    return code >= _FIRST_PAIRED and (character_classes()[code] == BIGRAM if code < TABLE_SIZE else code < 0x40000)
