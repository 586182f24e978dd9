"""From what a query means to posting lists and masks of one snapshot."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import reduce
from operator import is_
from typing import Final, NamedTuple
from weakref import WeakValueDictionary

import numpy as np

from backend.search_engine.index.postings import PostingList
from backend.search_engine.index.schema import FieldGroup, FieldKind, Schema
from backend.search_engine.index.snapshot import Snapshot, TermKey
from backend.search_engine.query import And, Exists, Fuzzy, MatchAll, Node, Not, Or, Phrase, Prefix, Range, Word
from backend.search_engine.query.ast import TextLeaf
from backend.search_engine.ranking.ranking import Ranking
from backend.search_engine.search.columns import leaf_mask, present_mask, range_mask
from backend.search_engine.search.deadline import Deadline
from backend.search_engine.search.listed_words import words_listed_in
from backend.search_engine.search.lists import (
    NO_MASK,
    Clause,
    Mask,
    PhrasePlan,
    intersection,
    joined,
    of_mask,
    to_mask,
    union,
)
from backend.search_engine.search.near_terms import near_last_of, near_terms_of
from backend.search_engine.search.prefixes import beginnings
from backend.search_engine.search.synonym_runs import SynonymsOf, others_of, with_synonyms
from backend.search_engine.search.term_lists import TermLists
from backend.search_engine.text import Analyzer, Token
from backend.search_engine.text.analysis import asked_of, placed_terms, ways_to_write
from backend.search_engine.text.scan import COMPOUND, PAIR


class Mode(StrEnum):
    """How the clauses of a plan go together."""

    ANY = "any"
    EVERY = "every"
    PHRASE = "phrase"


class Plan(NamedTuple):
    """What to run: clauses, how they go together, and which documents a filter leaves."""

    mode: Mode
    clauses: list[Clause]
    mask: Mask = NO_MASK
    phrase: PhrasePlan | None = None


class Matcher:
    """Resolves the parts of queries against one snapshot under one ranking. Safe to share between threads."""

    def __init__(self, snapshot: Snapshot, analyzers: Sequence[Analyzer], ranking: Ranking) -> None:
        self._snapshot = snapshot
        self._analyzers = analyzers
        self._ranking = ranking
        self._lists = TermLists(snapshot, ranking)
        self._words: WeakValueDictionary[tuple[str, str | None], PostingList] = WeakValueDictionary()
        self._word_weights = [self._weights_in(analyzer) for analyzer in analyzers] if ranking.word_weights else None

    @property
    def schema(self) -> Schema:
        """The fields of the index."""
        return self._snapshot.schema

    def plan(self, root: Node, deadline: Deadline) -> Plan:
        """The plan of a whole query; top-level phrases, ands and ors run as such, everything below becomes lists."""
        root = self.resolved(root)
        if isinstance(root, And):
            has_alternatives = any(isinstance(part, Or) for part in root.parts)
            return self._plan_narrowed(root, deadline) if has_alternatives else self._plan_and(root, deadline)
        if isinstance(root, Or):
            return Plan(Mode.ANY, joined(self._clauses(self.alternatives(root), deadline)))
        if isinstance(root, Phrase) and not self._is_column(root.field):
            plan = self._single_phrase(root, deadline)
            if plan is not None:
                return Plan(Mode.PHRASE, [Clause(_NOTHING, root.boost)], NO_MASK, plan)
        return Plan(Mode.ANY, self._clauses([root], deadline))

    def resolved(self, root: Node) -> Node:
        """The query as it is run: words of which any part is enough taken apart, conditions on columns apart from what
        they narrow, synonyms beside words in a row."""
        return with_synonyms(self._prepared(root), self._analyzers)

    def _prepared(self, node: Node) -> Node:
        if isinstance(node, Word):
            if node.any_part and not self._is_column(node.field):
                return _any_of(self._taken_apart(node))
            return node if node.text.isalnum() or node.field is not None else words_listed_in(node)
        if isinstance(node, And):
            parts = tuple(map(self._prepared, node.parts))
            return node if all(map(is_, parts, node.parts)) else And(parts)
        return self._narrowed(node) if isinstance(node, Or) and node.narrows else node

    def _narrowed(self, node: Or) -> Node:
        """The same, with texts in columns as conditions on what the other parts find: one of each column must hold."""
        columns: dict[str, list[Node]] = {}
        others: list[Node] = []
        for part in node.parts:
            field = None if isinstance(part, And | Or | Not | MatchAll) else part.field
            if field is not None and (isinstance(part, Range | Exists) or self._is_column(field)):
                columns.setdefault(field, []).append(part)
            else:
                others.append(part)
        parts = [_any_of(each) for each in ([others] if others else []) + [*columns.values()]]
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def alternatives(self, node: Or) -> list[Node]:
        """The parts of an `Or`, with words of several parts (high-speed, 東京都) taken apart: each may match alone."""
        parts: list[Node] = []
        for part in _flat(node):
            if isinstance(part, Word) and not self._is_column(part.field):
                parts += self._taken_apart(part)
            else:
                parts.append(part)
        return parts

    def _taken_apart(self, word: Word) -> list[Word]:
        if word.text.isascii() and word.text.isalnum():
            return [word]
        tokens = self._analyzers[0].asked(word.text)
        if len(tokens) < 2:
            return [word]
        return [replace(word, text=word.text[each.start : each.end]) for each in tokens]

    def term_key(self, group: FieldGroup, term: str, mask: int | None = None) -> TermKey:
        """The key of a term's list in some fields of a group, all when `mask` is None."""
        return self._lists.key(group, term, mask)

    def groups_of(self, field: str | None) -> list[tuple[FieldGroup, int, Analyzer]]:
        """The groups that a text leaf searches, with the bits of its fields."""
        groups = self._snapshot.schema.groups
        masks = [(1 << len(group.fields)) - 1 if field is None else group.mask([field]) for group in groups]
        found = zip(groups, masks, self._analyzers, strict=True)
        return [(group, mask, analyzer) for group, mask, analyzer in found if mask]

    def weight_of(self, leaf: Word | Phrase | Prefix | Fuzzy | SynonymsOf) -> float:
        """How much a leaf counts: its boost times its word's weight."""
        if isinstance(leaf, SynonymsOf):
            return 1.0
        if self._word_weights is None:
            return leaf.boost
        weights = [
            table.get(terms, 1.0)
            for analyzer, table in zip(self._analyzers, self._word_weights, strict=True)
            if isinstance(leaf, Word) and (terms := tuple(analyzer.terms(leaf.text)))
        ]
        return leaf.boost * (weights[0] if weights else 1.0)

    def is_left_out(self, leaf: TextLeaf) -> bool:
        """Whether a text asks for nothing: no field that it looks in keeps any of its words."""
        if self.is_filter(leaf) or (isinstance(leaf, Word) and (leaf.text, leaf.field) in self._words):
            return False
        if isinstance(leaf, Prefix):  # also of stop words: others may begin like them
            return not leaf.text.strip()
        return not any(analyzer.tokens(leaf.text) for _, _, analyzer in self.groups_of(leaf.field))

    def asks_for_nothing(self, node: Node | SynonymsOf) -> bool:
        """Whether all that a node consists of is left out."""
        if isinstance(node, And | Or):
            return all(self.asks_for_nothing(part) for part in node.parts)
        return isinstance(node, Word | Phrase | Prefix | Fuzzy) and self.is_left_out(node)

    def mask_of(self, node: Node, deadline: Deadline) -> Mask:
        """The documents of a node, scores apart."""
        deadline.check()
        if isinstance(node, MatchAll):
            return self._snapshot.alive
        if isinstance(node, Range):
            return (
                range_mask(self._snapshot, node) if self._is_column(node.field) else self._snapshot.alive * np.uint8(0)
            )
        if isinstance(node, Exists):
            return present_mask(self._snapshot, node.field)
        if isinstance(node, Word | Phrase | Prefix | Fuzzy) and self._is_column(node.field):
            return leaf_mask(self._snapshot, node)
        if isinstance(node, Or) and self.is_filter(node):
            return reduce(np.bitwise_or, (self.mask_of(part, deadline) for part in node.parts))
        if isinstance(node, Prefix):
            return self._prefix_mask(node, deadline)
        found = self.list_of(node, deadline)
        return self._snapshot.alive * np.uint8(0) if found is None else to_mask(self._snapshot, found)

    def _plan_and(self, node: And, deadline: Deadline) -> Plan:
        wanted, filters = self._sorted_out(node)
        clauses = self._clauses(wanted, deadline)
        mask = self._mask_of_all(filters, deadline)
        if not clauses:  # only filters, or nothing at all: stop words side by side find no more than one alone
            found = [] if mask is NO_MASK else [Clause(of_mask(self._snapshot, mask & self._snapshot.alive), 1.0)]
            return Plan(Mode.ANY, found)
        return Plan(Mode.EVERY, joined(clauses), mask)

    def _plan_narrowed(self, node: And, deadline: Deadline) -> Plan:
        """The same plan at the top of a query, where alternatives beside nothing but filters need not become a list."""
        wanted, filters = self._sorted_out(node)
        if len(wanted) == 1 and isinstance(wanted[0], Or):
            clauses = joined(self._clauses(self.alternatives(wanted[0]), deadline))
            if clauses:
                return Plan(Mode.ANY, clauses, self._mask_of_all(filters, deadline))
        return self._plan_and(node, deadline)

    def _sorted_out(self, node: And) -> tuple[list[Node], list[Node]]:
        """The parts that are scored, and those that only say which documents."""
        wanted: list[Node] = []
        filters: list[Node] = []
        for part in _flat(node):
            (filters if self.is_filter(part) else wanted).append(part)
        return wanted, filters

    def _mask_of_all(self, filters: Iterable[Node], deadline: Deadline) -> Mask:
        mask = NO_MASK
        for part in filters:
            own = self.mask_of(part.part if isinstance(part, Not) else part, deadline)
            own = own ^ np.uint8(1) if isinstance(part, Not) else own
            mask = own if mask is NO_MASK else mask & own
        return mask

    def is_filter(self, node: Node) -> bool:
        """Whether a node only says which documents, and nothing about their scores."""
        if isinstance(node, Word):  # nearly all are
            return node.field is not None and self._is_column(node.field)
        if isinstance(node, Not | Range | Exists | MatchAll):
            return True
        if isinstance(node, Or):
            return all(map(self.is_filter, node.parts))
        return isinstance(node, Phrase | Prefix | Fuzzy) and self._is_column(node.field)

    def _is_column(self, field: str | None) -> bool:
        return field is not None and self._snapshot.schema[field].kind is not FieldKind.TEXT

    def _clauses(self, parts: Iterable[Node], deadline: Deadline) -> list[Clause]:
        clauses = []
        for part in parts:
            found = self.list_of(part, deadline)
            if found is not None:
                is_text = isinstance(part, Word | Phrase | Prefix | Fuzzy)
                clauses.append(Clause(found, self.weight_of(part) if is_text else 1.0))  # type: ignore[arg-type]
        return clauses

    def list_of(self, node: Node | SynonymsOf, deadline: Deadline) -> PostingList | None:
        """The documents of a node with their scores; None when it asks for nothing (a stop word)."""
        if isinstance(node, Word):
            known = self._words.get((node.text, node.field))
            if known is not None:
                return known
        deadline.check()
        if isinstance(node, SynonymsOf):
            return self._synonyms(node, deadline)
        if self.is_filter(node):
            return of_mask(self._snapshot, self.mask_of(node, deadline))
        if isinstance(node, And):
            plan = self._plan_and(node, deadline)
            if not plan.clauses:
                return None
            return plan.clauses[0].postings if plan.mode is Mode.ANY else intersection(self._snapshot, *plan[1:3])
        if isinstance(node, Or):
            clauses = joined(self._clauses(self.alternatives(node), deadline))
            return union(self._snapshot, clauses) if clauses else None
        if isinstance(node, Prefix):
            return self._prefix(node, deadline)
        if isinstance(node, Fuzzy):
            return self._fuzzy(node, deadline)
        if isinstance(node, Word):
            return self._word(node, deadline)
        return self._phrase(node, deadline) if isinstance(node, Phrase) else None

    def _word(self, node: Word, deadline: Deadline) -> PostingList | None:
        lists = [self._in_group(node.text, *where, deadline) for where in self.groups_of(node.field)]
        found = self._lists.summed([each for each in lists if each is not None])
        if found is not None:
            self._words[node.text, node.field] = found
        return found

    def _in_group(
        self, text: str, group: FieldGroup, mask: int, analyzer: Analyzer, deadline: Deadline
    ) -> PostingList | None:
        """The documents of one typed word in one group: its term, or its parts as a phrase, or a synonym of it."""
        tokens = analyzer.tokens(text)
        asked = asked_of(tokens)
        if not asked:
            return None
        ways = [self._lists.row(asked, 0, group, mask, deadline)]
        ways += [self._lists.term(group, token.term, mask) for token in tokens if token.kind == COMPOUND]
        for other in analyzer.synonyms.of([token.term for token in asked]):
            ways.append(self._synonym(other, group, mask, deadline))
        return ways[0] if len(ways) == 1 else self._lists.best(ways)

    def _synonym(self, terms: Sequence[str], group: FieldGroup, mask: int, deadline: Deadline) -> PostingList:
        return self._lists.row(placed_terms(terms), 0, group, mask, deadline)

    def _synonyms(self, node: SynonymsOf, deadline: Deadline) -> PostingList | None:
        lists = []
        for group, mask, analyzer in self.groups_of(node.field):
            lists += [self._synonym(other, group, mask, deadline) for other in others_of(node, analyzer)]
        return self._lists.best(lists) if lists else None

    def _phrase(self, node: Phrase, deadline: Deadline) -> PostingList | None:
        found = []
        for group, mask, analyzer in self.groups_of(node.field):
            rows = [row for row in ways_to_write(node.text, analyzer.tokens(node.text)) if row]
            if rows:
                ways = [self._lists.row(row, node.slop, group, mask, deadline) for row in rows]
                found.append(self._lists.best(ways))
        return self._lists.summed(found)

    def _single_phrase(self, node: Phrase, deadline: Deadline) -> PhrasePlan | None:
        """The plan of a phrase that one group alone can answer; None when lists must be put together for it."""
        groups = self.groups_of(node.field)
        if len(groups) != 1:
            return None
        group, mask, analyzer = groups[0]
        rows = ways_to_write(node.text, analyzer.tokens(node.text))
        if len(rows) > 1 or len(rows[0]) < 2:
            return None
        return self._lists.phrase_plan(rows[0], node.slop, group, mask, deadline)

    def row_list(self, tokens: Sequence[Token], group: FieldGroup, mask: int, deadline: Deadline) -> PostingList:
        """The documents of tokens in a row in some fields of a group."""
        return self._lists.row(tokens, 0, group, mask, deadline)

    def _prefix(self, node: Prefix, deadline: Deadline) -> PostingList | None:
        found: dict[int, list[PostingList]] = {}
        for each in beginnings(node, self.groups_of(node.field)):
            found.setdefault(each.group.number, []).append(self._lists.beginning(each, deadline))
        return self._lists.summed([self._lists.best(ways) for ways in found.values()])

    def _prefix_mask(self, node: Prefix, deadline: Deadline) -> Mask:
        found = self._snapshot.alive * np.uint8(0)
        for each in beginnings(node, self.groups_of(node.field)):
            found |= self._lists.beginning_mask(each, deadline)
        return found

    def _fuzzy(self, node: Fuzzy, deadline: Deadline) -> PostingList | None:
        found = []
        for group, mask, analyzer in self.groups_of(node.field):
            terms = near_terms_of(node, self._snapshot, group.number, analyzer, deadline.check)
            ways = [self._lists.expanded(terms, group, mask, deadline)] if terms else []
            asked = analyzer.asked(node.text)
            if asked and asked[-1].kind == PAIR:  # there are no words in it whose letters could be wrong
                ways.append(self._lists.row(asked, 0, group, mask, deadline))
            elif len(asked) > 1:
                near = near_last_of(node, asked, self._snapshot, group.number, deadline.check)
                ways.append(self._lists.row_of_any(asked, near, group, mask, deadline))
            if ways:
                found.append(self._lists.best(ways))
        return self._lists.summed(found)

    def _weights_in(self, analyzer: Analyzer) -> dict[tuple[str, ...], float]:
        """Weights by all terms of a word: one of several terms (e-mail) says nothing about its first term alone."""
        pairs = ((tuple(analyzer.terms(word)), weight) for word, weight in self._ranking.word_weights.items())
        return {terms: weight for terms, weight in pairs if terms}


_NOTHING: Final = PostingList(
    np.empty(0, dtype=np.uint16),
    np.empty(0, dtype=np.float32),
    np.zeros(1, dtype=np.uint32),
    np.empty(0, dtype=np.float32),
)


def _any_of(parts: Sequence[Node]) -> Node:
    return parts[0] if len(parts) == 1 else Or(tuple(parts))


def _flat(node: And | Or) -> list[Node]:
    """The parts with parts of the same kind unpacked."""
    parts: list[Node] = []
    for part in node.parts:
        parts.extend(_flat(part) if isinstance(part, type(node)) else [part])
    return parts
