"""How many typing errors a word may have."""

from typing import Final

from backend.search_engine.text.characters import is_paired

MAX_DISTANCE: Final = 2
_LETTERS_FOR_ONE: Final = 3
_LETTERS_FOR_TWO: Final = 8
_SYLLABLES_FOR_ONE: Final = 5
_HANGUL: Final = range(0xAC00, 0xD7A4)


def tolerance(word: str) -> int:
    """How many errors a word may have to be taken for another; as its length allows, in scripts of letters.

    Where a character is a syllable or a word (Chinese, Japanese, Thai, Korean), another one makes another word, not an
    error: 0, but 1 for Korean words of five syllables and more.
    """
    if word.isascii() or not any(map(is_paired, word)):
        return tolerance_of_length(word)
    return int(len(word) >= _SYLLABLES_FOR_ONE and all(ord(character) in _HANGUL for character in word))


def tolerance_of_length(text: str) -> int:
    """0 for texts of one or two letters and for whatever has a digit, 1 up to seven letters, 2 from eight on.

    Two errors in a short word leave too little of it: every other word would be near.
    """
    if len(text) < _LETTERS_FOR_ONE or any(character.isdigit() for character in text):
        return 0
    return 1 if len(text) < _LETTERS_FOR_TWO else MAX_DISTANCE
