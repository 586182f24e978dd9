"""Whether a page is Hebrew: a sentence of it, byte by byte, looks as good as Russian, or as nonsense with accents.

What tells them apart is the alphabet. Hebrew has no capitals, so its words are made of few bytes alone, and five of its
letters have a form of their own which stands at the end of a word and nowhere else.
"""

import re
from collections.abc import Sequence
from typing import Final

_WORD: Final = re.compile(rb"[A-Za-z\xc0-\xff]+")
_LETTERS: Final = re.compile(rb"[\xe0-\xfa]{2,}")
_FOREIGN: Final = re.compile(rb"[\xc0-\xdf\xfb-\xff]")
_HIGH: Final = re.compile(rb"[\x80-\xff]")
_FINAL_FORM_WITHIN: Final = re.compile(rb"[\xea\xed\xef\xf3\xf5](?=[\xe0-\xfa])")
# Letters that have a form for the end, and stand at it: in abbreviations only.
_OPEN_END: Final = re.compile(rb"[\xeb\xee\xf0\xf6]\Z")
_MOST_ABBREVIATIONS: Final = 0.1
# а, е, и, о, у in windows-1251: two letters of five in Russian; what has their places in Hebrew is one of five.
_RUSSIAN_VOWELS: Final = b"\xe0\xe5\xe8\xee\xf3"
_MOST_VOWELS: Final = 0.4
_MOST_MIXED: Final = 0.25


def is_hebrew(body: bytes) -> bool:
    """Whether the bytes beyond ASCII make up Hebrew words, as windows-1255 and iso-8859-8 write them alike."""
    if _FOREIGN.search(body):
        return False
    beyond = [word for word in _WORD.findall(body) if not word.isascii()]
    words = [word for word in beyond if _LETTERS.fullmatch(word)]
    mixed = sum(any(byte < 0x80 for byte in word) for word in beyond)
    if not words or mixed > _MOST_MIXED * len(words) or 2 * sum(map(len, words)) < len(_HIGH.findall(body)):
        return False
    return _keeps_spelling(words) and not _sounds_russian(b"".join(beyond))


def _keeps_spelling(words: Sequence[bytes]) -> bool:
    if any(_FINAL_FORM_WITHIN.search(word) for word in words):
        return False
    return sum(_OPEN_END.search(word) is not None for word in words) <= _MOST_ABBREVIATIONS * len(words)


def _sounds_russian(letters: bytes) -> bool:
    beyond = [letter for letter in letters if letter >= 0x80]
    return sum(letter in _RUSSIAN_VOWELS for letter in beyond) >= _MOST_VOWELS * len(beyond)
