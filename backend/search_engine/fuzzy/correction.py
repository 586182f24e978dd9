""" "Did you mean": which words of a query are probably typing errors, and what they should be."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final, NamedTuple

from backend.search_engine.fuzzy.index import FuzzyIndex
from backend.search_engine.fuzzy.tolerance import tolerance
from backend.search_engine.query.ast import Phrase, Query, Word, text_leaves
from backend.search_engine.text.folding import fold_case

RARER: Final = 1_000
"""A known word is questioned only when a neighbour one error away is so many times as frequent."""
MAX_WORDS: Final = 12
"""Words of one query that are looked up; longer queries are pasted texts."""
_MIN_HALF: Final = 3
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")

Fold = Callable[[str], str]
Look = Callable[[str], "Looked"]


class Change(NamedTuple):
    """`source[start:end]` reads `written` and should be `corrected`; `is_unknown` when no document has `written`."""

    start: int
    end: int
    written: str
    corrected: str
    is_unknown: bool


class Looked(NamedTuple):
    """How often a word occurs, and the word that is probably meant instead."""

    frequency: int
    better: str | None


def look_up(folded: str, words: FuzzyIndex) -> Looked:
    """What the words of an index say of one; nothing of one that is too short to be corrected."""
    if not tolerance(folded):
        return Looked(0, None)
    frequency = words.frequency(folded)
    return Looked(frequency, _better(folded, frequency, words))


def find_changes(query: Query, words: FuzzyIndex, *, fold: Fold = fold_case, look: Look | None = None) -> list[Change]:
    """What to change in a query, in its order. `words` are written forms (not stems), folded like `fold` does.

    Words that are excluded, in a field of their own, or asked for as a prefix or with `~` are left alone. `look` may
    remember what `look_up` said of a word.
    """
    looked = look or partial(look_up, words=words)
    found = (_change(start, written, looked, fold) for start, written in _written_words(query))
    return [change for change in found if change is not None]


def apply_changes(source: str, changes: Sequence[Change]) -> str:
    """The query with its changes made; everything around them stays."""
    for change in sorted(changes, reverse=True):
        source = source[: change.start] + change.corrected + source[change.end :]
    return source


def did_you_mean(query: Query, words: FuzzyIndex, *, fold: Fold = fold_case) -> str | None:
    """The query to offer instead, or None when nothing looks wrong."""
    changes = find_changes(query, words, fold=fold)
    return apply_changes(query.source, changes) if changes else None


def correct_unknown(query: Query, words: FuzzyIndex, *, fold: Fold = fold_case) -> str | None:
    """The query to run instead because it has words that no document has; None when there are none to correct."""
    changes = [change for change in find_changes(query, words, fold=fold) if change.is_unknown]
    return apply_changes(query.source, changes) if changes else None


def _written_words(query: Query) -> Iterator[tuple[int, str]]:
    words = (
        (leaf.start + found.start(), found[0])
        for leaf in text_leaves(query.root)
        if isinstance(leaf, Word | Phrase) and leaf.field is None
        for found in _WORD.finditer(leaf.text)
    )
    for _, word in zip(range(MAX_WORDS), words, strict=False):
        yield word


def _change(start: int, written: str, look: Look, fold: Fold) -> Change | None:
    folded = fold(written)
    frequency, better = look(folded)
    if better is None:
        return None
    return Change(start, start + len(written), written, _in_case_of(written, better), frequency == 0)


def _better(folded: str, frequency: int, words: FuzzyIndex) -> str | None:
    if frequency == 0:
        nearest = words.find(folded, limit=1)
        return nearest[0].word if nearest else _split(folded, words)
    if RARER * frequency > words.most_frequent:
        return None
    neighbours = [match for match in words.find(folded, distance=1, limit=2) if match.word != folded]
    likely = [match.word for match in neighbours if match.frequency >= RARER * frequency]
    return likely[0] if likely else None


def _split(folded: str, words: FuzzyIndex) -> str | None:
    """Two known words that were written as one; the pair whose rarer half is most frequent."""
    halves = [(folded[:at], folded[at:]) for at in range(_MIN_HALF, len(folded) - _MIN_HALF + 1)]
    rated = [(min(words.frequency(left), words.frequency(right)), left, right) for left, right in halves]
    frequency, left, right = max(rated, default=(0, "", ""))
    return f"{left} {right}" if frequency else None


def _in_case_of(written: str, corrected: str) -> str:
    if written.isupper() and len(written) > 1:
        return corrected.upper()
    return corrected[:1].upper() + corrected[1:] if written[:1].isupper() else corrected
