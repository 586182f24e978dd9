"""What of a query can be seen in a text: terms, phrases and beginnings of words, through the field's own analysis."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from backend.search_engine.query.ast import Fuzzy, Node, Phrase, Prefix, Query, TextLeaf, Word, text_leaves
from backend.search_engine.text import Analyzer
from backend.search_engine.text.folding import fold_accents, fold_case

Terms = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to look for. `phrases` are terms in order with the number of words that may stand between them."""

    terms: frozenset[str] = frozenset()
    phrases: tuple[tuple[Terms, int], ...] = ()
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
    phrases: dict[tuple[Terms, int], None] = {}
    for leaf in leaves:
        for found, slop in _sequences(leaf, analyzer, expansions or {}):
            if len(found) == 1:
                terms.update(found)
            elif found:
                phrases[found, slop] = None
    prefixes = tuple(_fold(leaf.text, analyzer) for leaf in leaves if isinstance(leaf, Prefix))
    return Wanted(frozenset(terms), tuple(phrases), tuple(filter(None, prefixes)), weights or {})


def _sequences(
    leaf: TextLeaf, analyzer: Analyzer, expansions: Mapping[str, Iterable[str]]
) -> Iterable[tuple[Terms, int]]:
    """The terms that a leaf stands for, each sequence as a whole, with its slop."""
    if isinstance(leaf, Prefix):
        return
    own = tuple(analyzer.terms(leaf.text))
    yield own, leaf.slop if isinstance(leaf, Phrase) else 0
    for other in analyzer.synonyms.of(own):
        yield other, 0
    if isinstance(leaf, Fuzzy | Word):
        for term in expansions.get(leaf.text, ()):
            yield (term,), 0


def _fold(text: str, analyzer: Analyzer) -> str:
    folded = fold_case(text)
    return folded if analyzer.analysis.keep_accents else fold_accents(folded)
