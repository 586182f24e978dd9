"""From a word to its stem or lemma, by language."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Final

import Stemmer

from backend.search_engine.errors import AnalysisError


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SNOWBALL: Final = {
    "ar": "arabic",
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "ne": "nepali",
    "nl": "dutch",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
    "yi": "yiddish",
}
_LEMMA_NAMES: Final = {"no": "nb"}
LEMMA_LANGUAGES: Final = _words(
    """
    ast bg ca cs cy da de el en enm es et fa fi fr ga gd gl gv hbs hi hu hy id is it ka la lb lt lv
    mk ms nl nn no pl pt ro ru se sk sl sq sv sw tl tr uk
    """
)
STEM_LANGUAGES: Final = frozenset(_SNOWBALL)
ELISIONS: Final = {
    "fr": _words("l d j m t s n c qu jusqu quoiqu lorsqu puisqu"),
    "it": _words("l d un c n s t m v dell all dall nell sull quell bell gl"),
    "ca": _words("l d m n s t"),
}
"""What a language puts before an apostrophe that is no part of the word: l'homme."""
POINTS_PART_THOUSANDS: Final = _words("ca da de el es eu gl hbs id is it lb mk nl pt ro sl sq sr tr")
"""Languages in which 1.299 is more than a thousand."""
WITHOUT_ACCENTS: Final = frozenset({"en", "id"})
"""Whose stemmers know no accents: résumé is reduced like resume, for people write both."""


class Reduction(StrEnum):
    """How word forms are brought together."""

    NONE = "none"
    STEM = "stem"
    LEMMA = "lemma"


Reducer = Callable[[str], str]


def reducer_for(language: str, reduction: Reduction) -> Reducer:
    """The function from a case-folded word to its stem or lemma.

    Raises AnalysisError when the language has no stemmer or no lemmas.
    """
    if reduction is Reduction.NONE:
        return _unchanged
    if reduction is Reduction.STEM:
        return _stemmer(language)
    return _lemmatizer(language)


def batch_reducer(reduce: Reducer) -> Callable[[Sequence[str]], list[str]]:
    """The same reduction for many words at once; Snowball does it in one call."""
    stemmer = getattr(reduce, "__self__", None)
    if isinstance(stemmer, Stemmer.Stemmer):
        stem_all: Callable[[Sequence[str]], list[str]] = stemmer.stemWords
        return stem_all
    return lambda words: [reduce(word) for word in words]


def _unchanged(word: str) -> str:
    return word


def _stemmer(language: str) -> Reducer:
    if language not in _SNOWBALL:
        known = ", ".join(sorted(_SNOWBALL))
        raise AnalysisError(f"There is no stemmer for “{language}”. Choose one of {known}, or no stemming.")
    # maxCacheSize 0: the analyzer keeps every answer itself.
    stem: Reducer = Stemmer.Stemmer(_SNOWBALL[language], 0).stemWord
    return stem


def _lemmatizer(language: str) -> Reducer:
    if language not in LEMMA_LANGUAGES:
        known = ", ".join(sorted(LEMMA_LANGUAGES))
        raise AnalysisError(f"There are no lemmas for “{language}”. Choose one of {known}, or stemming.")
    import simplemma  # noqa: PLC0415  a start without lemmas need not wait for it

    name = _LEMMA_NAMES.get(language, language)

    def lemma(word: str) -> str:
        return str(simplemma.lemmatize(word, lang=name)).lower()

    return lemma
