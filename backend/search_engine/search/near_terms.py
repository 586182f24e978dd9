"""What `word~` stands for: the terms near it, by typing errors."""

from collections.abc import Callable, Sequence
from typing import Final

from backend.search_engine.index.snapshot import Snapshot
from backend.search_engine.query import Fuzzy
from backend.search_engine.search.prefixes import terms_of
from backend.search_engine.text import Analyzer, Reduction, Token
from backend.search_engine.text.scan import COMPOUND

MAX_NEAR: Final = 50
"""So many terms does a word with `~` stand for at most."""

Checkpoint = Callable[[], None]


def near_terms_of(
    leaf: Fuzzy, snapshot: Snapshot, group: int, analyzer: Analyzer, checkpoint: Checkpoint | None = None
) -> list[str]:
    """The terms of a group that a word with `~` stands for, its own first; none for a word that is dropped.

    Errors are counted in written words where those are known: stems of near words may be far apart, and the other way.
    Of a word of several parts (wi-fi) it is the whole that is near something, never one part alone.
    """
    own = analyzer.terms(leaf.text)
    if len(own) > 1:
        own = [token.term for token in analyzer.tokens(leaf.text) if token.kind == COMPOUND]
    if not own:
        return []
    if leaf.forms is not None and analyzer.analysis.reduction is not Reduction.NONE:
        return [*own, *terms_of(leaf.forms, analyzer)]
    return _with_near(own[0], leaf.distance, snapshot, group, checkpoint)


def near_last_of(
    leaf: Fuzzy, asked: Sequence[Token], snapshot: Snapshot, group: int, checkpoint: Checkpoint | None = None
) -> list[str]:
    """The terms that may stand in the place of the last part of a word of several, its own first."""
    return _with_near(asked[-1].term, leaf.distance, snapshot, group, checkpoint)


def _with_near(
    term: str, distance: int | None, snapshot: Snapshot, group: int, checkpoint: Checkpoint | None
) -> list[str]:
    # The first question of a process need not wait for the fuzzy kernels.
    from backend.search_engine.search.near_words import NearWords  # noqa: PLC0415

    near = NearWords(snapshot, group, checkpoint).find(term, distance=distance, limit=MAX_NEAR)
    return [term, *(match.word for match in near)]
