"""What of a query can be seen in a text: terms, phrases and beginnings of words, through the field's own analysis."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from backend.search_engine.query.ast import Fuzzy, Node, Phrase, Prefix, Query, TextLeaf, Word, text_leaves
from backend.search_engine.search.synonym_runs import others_of, runs_of, with_synonyms
from backend.search_engine.text import Analyzer, Token
from backend.search_engine.text.analysis import placed_terms, ways_to_write

Terms = tuple[str, ...]


class WantedPhrase(NamedTuple):
    """Terms in order, how far each is behind the first, and how many other words may stand between them in all."""

    terms: Terms
    shifts: tuple[int, ...]
    slop: int

    @classmethod
    def of(cls, tokens: Sequence[Token], slop: int = 0) -> "WantedPhrase":
        """The phrase of tokens in a row; words that were dropped between them keep their places."""
        shifts = tuple(token.position - tokens[0].position for token in tokens)
        return cls(tuple(token.term for token in tokens), shifts, slop)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to look for."""

    terms: frozenset[str] = frozenset()
    phrases: tuple[WantedPhrase, ...] = ()
    prefixes: Terms = ()
    weights: Mapping[str, float] = field(default_factory=dict)

    def weight(self, term: str) -> float:
        """How much a term tells about the query: its idf where known, else 1."""
        return self.weights.get(term, 1.0)


def wanted_in(
    query: Query | Node,
    analyzer: Analyzer,
    *,
    field: str | None = None,
    expansions: Mapping[str, Iterable[str]] | None = None,
    weights: Mapping[str, float] | None = None,
) -> Wanted:
    """What a query asks of one field.

    `expansions` are the terms that a search found for a fuzzy text (as typed); `weights` are the idf of terms.
    """
    root = query.root if isinstance(query, Query) else query
    leaves = [leaf for leaf in text_leaves(root) if leaf.field is None or leaf.field == field]
    terms: set[str] = set()
    phrases: dict[WantedPhrase, None] = {}
    runs = runs_of(with_synonyms(root, [analyzer]), with_excluded=False)
    others = [other for run in runs if run.field is None or run.field == field for other in others_of(run, analyzer)]
    for found in chain(map(_row, others), *(_sequences(leaf, analyzer, expansions or {}) for leaf in leaves)):
        if len(found.terms) == 1:
            terms.update(found.terms)
        else:
            phrases[found] = None
    prefixes = tuple(analyzer.beginning(leaf.text) for leaf in leaves if isinstance(leaf, Prefix))
    return Wanted(frozenset(terms), tuple(phrases), tuple(filter(None, prefixes)), weights or {})


def _sequences(leaf: TextLeaf, analyzer: Analyzer, expansions: Mapping[str, Iterable[str]]) -> Iterator[WantedPhrase]:
    """The terms that a leaf stands for, each sequence as a whole, with its slop."""
    if isinstance(leaf, Prefix):
        return
    rows = ways_to_write(leaf.text, analyzer.tokens(leaf.text))
    for row in filter(None, rows):
        yield WantedPhrase.of(row, leaf.slop if isinstance(leaf, Phrase) else 0)
    for other in analyzer.synonyms.of([token.term for token in rows[0]]):
        yield _row(other)
    if isinstance(leaf, Fuzzy | Word):
        for term in expansions.get(leaf.text, ()):
            yield _row((term,))


def _row(terms: Terms) -> WantedPhrase:
    return WantedPhrase.of(placed_terms(terms))
