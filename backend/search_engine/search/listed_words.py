"""Words with a comma or a slash and no space between them: a list of words, not one word."""

import re
from dataclasses import replace
from typing import Final

from backend.search_engine.query import And, Word

_BETWEEN: Final = re.compile(r"(?:(?<!\d)[,;/|]|[,;/|](?!\d))[,;/|]*")
"""What parts words, but not the digits of a number or a date."""
_SHORT: Final = 3
"""Shorter words beside a slash are one with it: TCP/IP, n/a, c/o."""


def words_listed_in(word: Word) -> Word | And:
    """Each word of `tea,coffee` and `tea/coffee`, all of which must match; any other word as it is."""
    text = word.text
    if "://" in text or not _BETWEEN.search(text):
        return word
    pieces = [piece for piece in _BETWEEN.split(text) if any(map(str.isalnum, piece))]
    has_slash = "/" in text or "|" in text
    if len(pieces) < 2 or (has_slash and min(map(len, pieces)) < _SHORT):
        return word
    return And(tuple(replace(word, text=piece) for piece in pieces))
