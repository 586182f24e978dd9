"""How many typing errors a word may have."""

from typing import Final

MAX_DISTANCE: Final = 2
_LETTERS_FOR_ONE: Final = 3
_LETTERS_FOR_TWO: Final = 8


def tolerance(word: str) -> int:
    """0 for words of one or two letters and for whatever has a digit, 1 up to seven letters, 2 from eight on.

    Two errors in a short word leave too little of it: every other word would be near.
    """
    if len(word) < _LETTERS_FOR_ONE or any(character.isdigit() for character in word):
        return 0
    return 1 if len(word) < _LETTERS_FOR_TWO else MAX_DISTANCE
