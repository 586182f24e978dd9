"""Why a document has its score: every part of it, and the parts add up."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from backend.search_engine.index.decode import FIELD_SHIFT, RANGE_BITS, RANGE_DOCS
from backend.search_engine.index.postings import PostingList
from backend.search_engine.index.schema import FieldGroup
from backend.search_engine.index.snapshot import Snapshot, TermKey
from backend.search_engine.query import And, Exists, Fuzzy, MatchAll, Node, Not, Or, Phrase, Prefix, Range, Word
from backend.search_engine.ranking.formula import TEXT_VARIABLE
from backend.search_engine.ranking.formula.evaluation import evaluate_tree
from backend.search_engine.ranking.formula.nodes import Node as FormulaNode
from backend.search_engine.ranking.formula.nodes import Variable
from backend.search_engine.ranking.ranking import Ranking
from backend.search_engine.search.bonuses import BonusScorer
from backend.search_engine.search.deadline import Deadline
from backend.search_engine.search.exact import exact_impacts
from backend.search_engine.search.matcher import Matcher
from backend.search_engine.search.synonym_runs import SynonymsOf
from backend.search_engine.search.term_lists import stands_for_pairs
from backend.search_engine.text import Analyzer
from backend.search_engine.text.scan import COMPOUND

TextLeaf = Word | Phrase | Prefix | Fuzzy | SynonymsOf


@dataclass(frozen=True, slots=True)
class FieldPart:
    """How often a term is in one field, and what the field's length and boost make of it."""

    field: str
    tf: int
    length: int
    average_length: float
    alpha: float
    boost: float
    weighted: float


@dataclass(frozen=True, slots=True)
class Part:
    """One addend of the text score."""

    label: str
    score: float
    weight: float = 1.0
    """How much the query counts it: its boost, its word's weight."""
    df: int | None = None
    idf: float | None = None
    fields: tuple[FieldPart, ...] = ()


@dataclass(frozen=True, slots=True)
class Explanation:
    """A document's score: `text` is the sum of the parts; the score is the formula's value, or the text score."""

    key: str
    score: float
    text: float
    parts: tuple[Part, ...]
    documents: int
    """N: how many documents the index has."""
    formula: str | None = None
    variables: Mapping[str, float | None] = field(default_factory=dict)
    """What the formula read; None for a missing value."""


class Explainer:
    """Takes apart the scores of one query under one ranking."""

    def __init__(self, snapshot: Snapshot, matcher: Matcher, ranking: Ranking, deadline: Deadline) -> None:
        self._snapshot = snapshot
        self._matcher = matcher
        self._ranking = ranking
        self._deadline = deadline

    def explain(self, root: Node, key: str) -> Explanation | None:
        """The explanation of a document's score; None when it is not there or does not match."""
        slot = self._snapshot.slot_of(key)
        if slot is None or self._matcher.asks_for_nothing(root):
            return None
        found = self._parts(self._matcher.resolved(root), slot)
        if found is None:
            return None
        parts = (*found, *self._bonuses(root, slot), *self._columns(slot))
        text = float(sum(part.score for part in parts))
        score, variables = self._apply_formula(text, slot)
        formula = self._ranking.formula
        documents = self._snapshot.live_documents
        return Explanation(key, score, text, parts, documents, formula.source if formula else None, variables)

    def _parts(self, node: Node, slot: int) -> list[Part] | None:
        """The addends of a node for a document; None when the document does not match."""
        if isinstance(node, Not):
            is_without = self._matcher.asks_for_nothing(node.part) or self._parts(node.part, slot) is None
            return [] if is_without else None
        if self._matcher.asks_for_nothing(node):
            return []
        if isinstance(node, And):
            every = [self._parts(part, slot) for part in node.parts]
            return None if any(each is None for each in every) else [p for each in every if each for p in each]
        if isinstance(node, Or):
            parts = [part for part in self._matcher.alternatives(node) if not self._matcher.asks_for_nothing(part)]
            ways = (self._parts(part, slot) for part in parts)
            some = [each for each in ways if each is not None]
            return [p for each in some for p in each] if some else None
        if self._matcher.is_filter(node) or isinstance(node, Range | Exists | MatchAll):
            return [] if self._matcher.mask_of(node, self._deadline)[slot] else None
        return self._leaf(node, slot)

    def _leaf(self, node: TextLeaf, slot: int) -> list[Part] | None:
        postings = self._matcher.list_of(node, self._deadline)
        if postings is None:  # a stop word asks for nothing
            return []
        if _posting_at(postings, slot) is None:
            return None
        weight = self._matcher.weight_of(node)
        score = weight * float(exact_impacts(self._snapshot, postings, np.array([slot]))[0])
        return [self._described(node, slot, weight, 0.0 if score < 1e-15 else score)]

    def _described(self, node: TextLeaf, slot: int, weight: float, score: float) -> Part:
        """The part of a leaf; with all its numbers when it is one term of one group."""
        if isinstance(node, SynonymsOf):
            return Part(f"synonyms of {node.text}", score, weight)
        groups = self._matcher.groups_of(node.field)
        term = _single_term(node, groups[0][2]) if len(groups) == 1 else None
        if term is None:
            return Part(f"{type(node).__name__.lower()} {node.text}", score, weight)
        group, mask, _ = groups[0]
        key = self._matcher.term_key(group, term, mask)
        postings = self._snapshot.postings(key, positions=True)
        idf = self._ranking.bm25.idf_of(self._snapshot.live_documents, len(postings))
        return Part(f"word {term}", score, weight, len(postings), idf, self._fields(group, key, postings, slot))

    def _fields(self, group: FieldGroup, key: TermKey, postings: PostingList, slot: int) -> tuple[FieldPart, ...]:
        at = _posting_at(postings, slot)
        if at is None or postings.offsets is None or postings.positions is None:
            return ()
        places = postings.positions[postings.offsets[at] : postings.offsets[at + 1]]
        tfs = np.bincount(places >> FIELD_SHIFT, minlength=len(group.fields)).tolist()
        averages, lengths = self._snapshot.average_lengths(group), self._snapshot.lengths(group.number, slot)
        found = []
        for each, tf, length, average, boost in zip(group.fields, tfs, lengths, averages, key.boosts, strict=True):
            alpha = self._ranking.bm25.alpha(length, average)
            if tf:
                found.append(FieldPart(each.name, tf, length, average, alpha, boost, boost * tf / alpha))
        return tuple(found)

    def _bonuses(self, root: Node, slot: int) -> list[Part]:
        if not self._ranking.bonuses.is_on:
            return []
        scorer = BonusScorer(self._snapshot, self._matcher, self._ranking, root, self._deadline)
        parts = scorer.parts(np.array([slot]))
        given = zip(("overlap", "whole query", "subsequence"), parts, strict=True)
        return [Part(f"bonus {name}", float(values[0])) for name, values in given if values[0]]

    def _columns(self, slot: int) -> list[Part]:
        found = []
        for name, weight in self._ranking.columns.items():
            value = float(np.nan_to_num(self._snapshot.numbers(name)[slot], posinf=0, neginf=0))
            found.append(Part(f"column {name}", weight * value, weight))
        return found

    def _apply_formula(self, text: float, slot: int) -> tuple[float, dict[str, float | None]]:
        formula = self._ranking.formula
        if formula is None:
            return text, {}
        columns = {name: self._snapshot.numbers(name)[[slot]] for name in formula.variables - {TEXT_VARIABLE}}
        score = float(formula.score(np.array([text]), columns, checkpoint=self._deadline.check)[0])
        return score, {name: _value_of(node, columns) for name, node in formula.told_variables.items()}


def _value_of(node: FormulaNode, columns: Mapping[str, NDArray[np.float64]]) -> float | None:
    """The value of a variable, or of what is worked out in its place; None where there is none."""
    if isinstance(node, Variable) and np.isnan(columns[node.name][0]):
        return None
    return float(evaluate_tree(node, columns)[0])


def _posting_at(postings: PostingList, slot: int) -> int | None:
    """The index of a document in a list; None when it is not in it."""
    place, doc = slot >> RANGE_BITS, slot & (RANGE_DOCS - 1)
    low, high = int(postings.pointers[place]), int(postings.pointers[place + 1])
    at = low + int(np.searchsorted(postings.docs[low:high], doc))
    return at if at < high and postings.docs[at] == doc else None


def _single_term(node: TextLeaf, analyzer: Analyzer) -> str | None:
    if not isinstance(node, Word | Phrase):
        return None
    asked = analyzer.asked(node.text)
    if len(asked) != 1 or stands_for_pairs(asked[0]) or analyzer.synonyms.of([asked[0].term]):
        return None
    has_compound = any(token.kind == COMPOUND for token in analyzer.tokens(node.text))
    return None if has_compound else asked[0].term
