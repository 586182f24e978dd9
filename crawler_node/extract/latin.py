"""Which of the charsets for Latin letters a page was written in: the one in which its letters make up an alphabet.

These charsets share most of their letters and put others in the same places, so a detector by letter frequency mistakes
Swedish for Maltese. No language has both ø and š: what only looks right letter by letter gives itself away as a whole.
"""

import re
from collections import Counter
from typing import Final

_WESTERN: Final = (
    "äöüß",  # German
    "àâæçéèêëîïôœùûü",  # French
    "áéíñóúü",  # Spanish
    "àáâãçéêíóôõú",  # Portuguese
    "àèéìíòóùú",  # Italian
    "åäöé",  # Swedish, Finnish
    "æøåéò",  # Danish, Norwegian
    "ëéïèöü",  # Dutch
    "áðéíóúýþæö",  # Icelandic
    "àçéèíïóòúü",  # Catalan
)
_CENTRAL: Final = (
    "ąćęłńóśźż",  # Polish
    "áčďéěíňóřšťúůýž",  # Czech
    "áäčďéíĺľňóôŕšťúýž",  # Slovak
    "áéíóöőúüű",  # Hungarian
    "čćđšž",  # Croatian, Slovene
    "ăâîşţ",  # Romanian
)
# The first wins where several are as good.
_ALPHABETS: Final = {"cp1252": _WESTERN, "cp1254": ("çğıöşüâî",), "cp1250": _CENTRAL, "iso8859-2": _CENTRAL}
_MARGIN: Final = 0.05
_LETTER: Final = re.compile(r"[^\W\d_\x00-\x7f]")
_ODD: Final = re.compile(r"(?<=[A-Za-z])[^\w\s\x00-\x7f’‘´–—\xad•·…](?=[A-Za-z])")


def latin_charset(body: bytes) -> str:
    """The charset whose letters the page uses; windows-1252, what browsers fall back to, when none is better."""
    chosen, best = "cp1252", 0.0
    for charset, alphabets in _ALPHABETS.items():
        share = _share(body.decode(charset, "replace"), alphabets)
        if share > best + (_MARGIN if charset != "cp1252" else 0.0):
            chosen, best = charset, share
    return chosen


def _share(text: str, alphabets: tuple[str, ...]) -> float:
    """How much of the text's letters beyond ASCII the best of the alphabets has; signs inside words are foreign."""
    letters = Counter(_LETTER.findall(text.lower()))
    all_of_them = letters.total() + len(_ODD.findall(text)) + text.count("\ufffd")
    if not all_of_them:
        return 0.0
    return max(sum(letters[letter] for letter in alphabet) for alphabet in alphabets) / all_of_them
