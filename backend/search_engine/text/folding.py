"""Case, accents and spellings of numbers: what makes two written forms the same word."""

import re
import unicodedata
from typing import Final

_ACCENTS: Final = (
    (0x0300, 0x036F),
    (0x0483, 0x0487),
    (0x0591, 0x05C7),  # Hebrew points
    (0x0610, 0x061A),
    (0x064B, 0x065F),  # Arabic vowel marks
    (0x0670, 0x0670),
    (0x1AB0, 0x1AFF),
    (0x1DC0, 0x1DFF),
    (0x20D0, 0x20FF),
)
_IS_ACCENT: Final = re.compile("[" + "".join(f"{chr(low)}-{chr(high)}" for low, high in _ACCENTS) + "]")
_LETTERS: Final = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i", "þ": "th", "ð": "d", "ħ": "h", "ŧ": "t", "ŀ": "l"}
)
_INVISIBLE: Final = re.compile("[\u00ad\u200c\u200d]")
_APOSTROPHES: Final = re.compile("[\u2019\u02bc\uff07]")
_GROUPED: Final = re.compile(
    r"(?P<head>[1-9]\d{0,2}(?P<sign>[.,])\d{3}(?:(?P=sign)\d{3})*)(?:(?!(?P=sign))[.,](?P<decimals>\d+))?"
)
_ZERO_CENTS: Final = re.compile(r"[.,]00$")


def fold_case(word: str) -> str:
    """One form for all cases, widths and ligatures, accents kept (stemmers need them); apostrophes become `'`."""
    if word.isascii():
        return word.lower()
    plain = _INVISIBLE.sub("", _APOSTROPHES.sub("'", unicodedata.normalize("NFKC", word)))
    return unicodedata.normalize("NFKC", plain.casefold())


def fold_accents(word: str) -> str:
    """The word without accents: é → e, ø → o, й → и; marks that are letters of their script stay."""
    if word.isascii():
        return word
    bare = _IS_ACCENT.sub("", unicodedata.normalize("NFD", word))
    return unicodedata.normalize("NFC", bare).translate(_LETTERS)


def fold_number(number: str, *, points_part_thousands: bool = False) -> str:
    """One form for a number's spellings: 1,299.00, 1.299,00 and 1299 are the same; versions (1.2.3, 3.10) stay.

    1.299 alone is one and a bit, except where `points_part_thousands`.
    """
    if number.isdecimal() and number.isascii():
        return number
    plain = "".join(str(unicodedata.digit(c)) if c.isdigit() else c for c in number)
    grouped = _GROUPED.fullmatch(plain)
    if grouped and (grouped["decimals"] or points_part_thousands or grouped["head"].count(".") != 1):
        head, decimals = grouped["head"].replace(grouped["sign"], ""), grouped["decimals"] or ""
        return f"{head}.{decimals}" if decimals.strip("0") else head
    whole = _ZERO_CENTS.sub("", plain)
    return whole.replace(",", ".") if whole.count(",") == 1 and "." not in whole else whole
