"""Words as arrays of 16-bit letters, the form in which the kernels see them.

A letter is a character's code point. The rare ones past U+FFFF (emoji, historic scripts) share the 6,400 private-use
code points; two of them may look equal to the kernels, nothing more.
"""

import re
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

Letters = NDArray[np.uint16]

_PRIVATE_USE: Final = 0xE000
_PRIVATE_USE_SIZE: Final = 6_400
_TROUBLE = re.compile("[\x00\ud800-\udfff\U00010000-\U0010ffff]")


def to_letters(word: str) -> Letters:
    """The letters of one word."""
    return np.frombuffer(_plain(word).encode("utf-16-le"), dtype=np.uint16)


def to_letter_pool(words: Sequence[str]) -> tuple[Letters, NDArray[np.int64]]:
    """The letters of many words one after another, and where each begins (with the end of the last as one more)."""
    joined = to_letters_keeping_ends(words)
    ends = np.flatnonzero(joined == 0)
    starts = np.zeros(len(words) + 1, dtype=np.int64)
    starts[1:] = ends - np.arange(len(words))
    return joined[joined != 0], starts


def to_letters_keeping_ends(words: Sequence[str]) -> Letters:
    """The letters of many words, each followed by a 0."""
    if not words:
        return np.empty(0, dtype=np.uint16)
    joined = "\x00".join(words)
    if joined.count("\x00") != len(words) - 1 or not joined.isascii():
        joined = "\x00".join(map(_plain, words))
    return np.frombuffer((joined + "\x00").encode("utf-16-le"), dtype=np.uint16)


def _plain(word: str) -> str:
    """The word with one 16-bit unit per character and no zero."""
    return _TROUBLE.sub(_private, word)


def _private(found: re.Match[str]) -> str:
    return chr(_PRIVATE_USE + ord(found[0]) % _PRIVATE_USE_SIZE)
