"""From what a query means to posting lists and masks of one snapshot."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Final, NamedTuple
from weakref import WeakValueDictionary

import numpy as np

from backend.search_engine.index.decode import RANGE_BITS
from backend.search_engine.index.postings import PostingList
from backend.search_engine.index.schema import FieldGroup, FieldKind
from backend.search_engine.index.snapshot import Snapshot, TermKey
from backend.search_engine.query import And, Exists, Fuzzy, MatchAll, Node, Not, Or, Phrase, Prefix, Range, Word
from backend.search_engine.query.ast import TextLeaf
from backend.search_engine.ranking.ranking import Ranking
from backend.search_engine.search.columns import present_mask, range_mask, value_mask
from backend.search_engine.search.deadline import Deadline
from backend.search_engine.search.lists import (
    NO_MASK,
    Clause,
    Mask,
    PhrasePlan,
    intersection,
    joined,
    of_mask,
    phrase,
    to_mask,
    union,
)
from backend.search_engine.search.prefixes import Beginning, beginnings, terms_of
from backend.search_engine.search.synonym_runs import SynonymsOf, others_of, with_synonyms
from backend.search_engine.text import Analyzer, Reduction, Token
from backend.search_engine.text.scan import COMPOUND, NUMBER, PAIR, WORD

_MAX_KEYS: Final = 100_000
MAX_NEAR: Final = 50
"""So many terms does a word with `~` stand for at most."""
MAX_SCORED: Final = 500
"""So many terms of a prefix are scored, the most frequent: documents with others of them match, and score nothing."""


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
        self._keys: dict[tuple[int, str, int], TermKey] = {}
        self._words: WeakValueDictionary[tuple[str, str | None], PostingList] = WeakValueDictionary()
        self._boosts = [
            tuple(ranking.boosts.get(each.name, each.boost) for each in group.fields)
            for group in snapshot.schema.groups
        ]
        self._word_weights = [self._weights_in(analyzer) for analyzer in analyzers] if ranking.word_weights else None

    def plan(self, root: Node, deadline: Deadline) -> Plan:
        """The plan of a whole query; top-level phrases, ands and ors run as such, everything below becomes lists."""
        root = self.with_synonyms(root)
        if isinstance(root, And):
            return self._plan_and(root, deadline)
        if isinstance(root, Or):
            return Plan(Mode.ANY, joined(self._clauses(self.alternatives(root), deadline)))
        if isinstance(root, Phrase) and not self._is_column(root.field):
            plan = self._single_phrase(root)
            if plan is not None:
                return Plan(Mode.PHRASE, [Clause(_NOTHING, root.boost)], NO_MASK, plan)
        return Plan(Mode.ANY, self._clauses([root], deadline))

    def with_synonyms(self, root: Node) -> Node:
        """The query with the synonyms of words in a row beside them."""
        return with_synonyms(root, self._analyzers)

    def alternatives(self, node: Or) -> list[Node]:
        """The parts of an `Or`, with words of several parts (high-speed) taken apart: each part may match alone."""
        parts: list[Node] = []
        for part in _flat(node):
            if isinstance(part, Word) and not part.text.isalnum() and not self._is_column(part.field):
                tokens = [each for each in self._analyzers[0].tokens(part.text) if each.kind in (WORD, NUMBER)]
                if len(tokens) > 1:
                    parts += [replace(part, text=part.text[each.start : each.end]) for each in tokens]
                    continue
            parts.append(part)
        return parts

    def term_key(self, group: FieldGroup, term: str, mask: int | None = None) -> TermKey:
        """The key of a term's list in some fields of a group, all when `mask` is None."""
        bits = (1 << len(group.fields)) - 1 if mask is None else mask
        known = self._keys.get((group.number, term, bits))
        if known is None:
            if len(self._keys) >= _MAX_KEYS:
                self._keys.clear()
            known = TermKey(group.number, term, bits, self._ranking.bm25, self._boosts[group.number])
            self._keys[group.number, term, bits] = known
        return known

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
        if isinstance(node, Word | Phrase) and self._is_column(node.field):
            return value_mask(self._snapshot, str(node.field), node.text)
        if isinstance(node, Prefix):
            return self._prefix_mask(node, deadline)
        found = self.list_of(node, deadline)
        return self._snapshot.alive * np.uint8(0) if found is None else to_mask(self._snapshot, found)

    def _plan_and(self, node: And, deadline: Deadline) -> Plan:
        clauses = self._clauses((part for part in _flat(node) if not self.is_filter(part)), deadline)
        mask = NO_MASK
        for part in _flat(node):
            if self.is_filter(part):
                own = (
                    self.mask_of(part.part, deadline) ^ np.uint8(1)
                    if isinstance(part, Not)
                    else self.mask_of(part, deadline)
                )
                mask = own if mask is NO_MASK else mask & own
        if not clauses:  # only filters, or nothing at all: stop words side by side find no more than one alone
            found = [] if mask is NO_MASK else [Clause(of_mask(self._snapshot, mask & self._snapshot.alive), 1.0)]
            return Plan(Mode.ANY, found)
        return Plan(Mode.EVERY, joined(clauses), mask)

    def is_filter(self, node: Node) -> bool:
        """Whether a node only says which documents, and nothing about their scores."""
        if isinstance(node, Not | Range | Exists | MatchAll):
            return True
        return isinstance(node, Word | Phrase) and self._is_column(node.field)

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
            return self._synonyms(node)
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
        found = self._summed([each for each in lists if each is not None])
        if found is not None:
            self._words[node.text, node.field] = found
        return found

    def _in_group(
        self, text: str, group: FieldGroup, mask: int, analyzer: Analyzer, deadline: Deadline
    ) -> PostingList | None:
        """The documents of one typed word in one group: its term, or its parts as a phrase, or a synonym of it."""
        tokens = analyzer.tokens(text)
        plain = [token for token in tokens if token.kind != COMPOUND]
        if not plain:
            return None
        ways = [self._tokens_list(plain, 0, group, mask, deadline)]
        ways += [self._term(group, token.term, mask) for token in tokens if token.kind == COMPOUND]
        for other in analyzer.synonyms.of([token.term for token in plain]):
            ways.append(self._tokens_list([Token(term, 0, 0, at) for at, term in enumerate(other)], 0, group, mask))
        return ways[0] if len(ways) == 1 else self._best(ways)

    def _synonyms(self, node: SynonymsOf) -> PostingList | None:
        lists = []
        for group, mask, analyzer in self.groups_of(node.field):
            for other in others_of(node, analyzer):
                tokens = [Token(term, 0, 0, at) for at, term in enumerate(other)]
                lists.append(self._tokens_list(tokens, 0, group, mask))
        return self._best(lists) if lists else None

    def _phrase(self, node: Phrase, deadline: Deadline) -> PostingList | None:
        found = []
        for group, mask, analyzer in self.groups_of(node.field):
            plain = [token for token in analyzer.tokens(node.text) if token.kind != COMPOUND]
            if plain:
                found.append(self._tokens_list(plain, node.slop, group, mask, deadline))
        return self._summed(found)

    def _single_phrase(self, node: Phrase) -> PhrasePlan | None:
        """The plan of a phrase that one group alone can answer; None when lists must be put together for it."""
        groups = self.groups_of(node.field)
        if len(groups) != 1:
            return None
        group, mask, analyzer = groups[0]
        plain = [token for token in analyzer.tokens(node.text) if token.kind != COMPOUND]
        return self.phrase_plan(plain, node.slop, group, mask) if len(plain) > 1 else None

    def phrase_plan(self, tokens: Sequence[Token], slop: int, group: FieldGroup, mask: int) -> PhrasePlan:
        """The plan of tokens in a row in some fields of a group."""
        terms = tuple(self.term_key(group, token.term, mask) for token in tokens)
        return PhrasePlan(terms, tuple(token.position - tokens[0].position for token in tokens), slop)

    def _tokens_list(
        self, tokens: Sequence[Token], slop: int, group: FieldGroup, mask: int, deadline: Deadline | None = None
    ) -> PostingList:
        if len(tokens) > 1:
            plan = self.phrase_plan(tokens, slop, group, mask)
            key = self._snapshot.generation, plan
            return self._snapshot.cache.get(key, lambda: phrase(self._snapshot, plan, deadline=deadline))
        token = tokens[0]
        if token.kind == PAIR and len(token.term) == 1:  # one character of a script that is indexed in pairs
            return self._beginning(Beginning(token.term, [], group, mask), deadline)
        return self._term(group, token.term, mask)

    def _prefix(self, node: Prefix, deadline: Deadline) -> PostingList | None:
        return self._summed([self._beginning(each, deadline) for each in beginnings(node, self.groups_of(node.field))])

    def _prefix_mask(self, node: Prefix, deadline: Deadline) -> Mask:
        found = self._snapshot.alive * np.uint8(0)
        for each in beginnings(node, self.groups_of(node.field)):
            found |= self._beginning_mask(each, each.others, deadline)
        return found

    def _beginning(self, wanted: Beginning, deadline: Deadline | None) -> PostingList:
        """The documents of all of its terms: with the best of their impacts, or the smallest impact past MAX_SCORED."""
        _, others, group, mask = wanted
        dfs = self._snapshot.terms_with(group.number, wanted.start, deadline.check if deadline else None)
        if len(dfs) + len(others) <= MAX_SCORED:
            return self._expanded([*dfs, *others] or [wanted.start], group, mask, deadline)
        lists = self._term_lists(others, group, mask, deadline)
        dfs |= {term: len(postings) for term, postings in zip(others, lists, strict=True)}
        scored = sorted(dfs, key=lambda term: (-dfs[term], term))[:MAX_SCORED]
        rest = self._beginning_mask(wanted, set(others).difference(scored), deadline)
        return self._best([self._expanded(scored, group, mask, deadline), of_mask(self._snapshot, rest)])

    def _beginning_mask(self, wanted: Beginning, others: Iterable[str], deadline: Deadline | None) -> Mask:
        """The documents of every term that begins so, and of these others."""
        _, _, group, mask = wanted
        found = self._snapshot.documents_with(group.number, wanted.start, mask, deadline.check if deadline else None)
        for postings in self._term_lists(others, group, mask, deadline):
            found[postings.slots(RANGE_BITS)] = 1
        return found

    def _fuzzy(self, node: Fuzzy, deadline: Deadline) -> PostingList | None:
        found = []
        for group, mask, analyzer in self.groups_of(node.field):
            terms = near_terms_of(node, self._snapshot, group.number, analyzer, deadline.check)
            if terms:
                found.append(self._expanded(terms, group, mask, deadline))
        return self._summed(found)

    def _expanded(
        self, terms: Sequence[str], group: FieldGroup, mask: int, deadline: Deadline | None = None
    ) -> PostingList:
        """The documents of any of the terms, with the best of their impacts."""
        lists = list(self._term_lists(dict.fromkeys(terms), group, mask, deadline))
        return self._best([each for each in lists if len(each)] or lists[:1])

    def _term_lists(
        self, terms: Iterable[str], group: FieldGroup, mask: int, deadline: Deadline | None
    ) -> Iterator[PostingList]:
        for term in terms:
            if deadline is not None:
                deadline.check()
            yield self._term(group, term, mask)

    def _term(self, group: FieldGroup, term: str, mask: int) -> PostingList:
        return self._snapshot.postings(self.term_key(group, term, mask))

    def _best(self, lists: Sequence[PostingList]) -> PostingList:
        if len(lists) == 1:
            return lists[0]
        return union(self._snapshot, [Clause(each, 1.0) for each in lists], takes_best=True)

    def _summed(self, lists: Sequence[PostingList]) -> PostingList | None:
        if len(lists) <= 1:
            return lists[0] if lists else None
        return union(self._snapshot, [Clause(each, 1.0) for each in lists])

    def _weights_in(self, analyzer: Analyzer) -> dict[tuple[str, ...], float]:
        """Weights by all terms of a word: one of several terms (e-mail) says nothing about its first term alone."""
        pairs = ((tuple(analyzer.terms(word)), weight) for word, weight in self._ranking.word_weights.items())
        return {terms: weight for terms, weight in pairs if terms}


def near_terms_of(
    leaf: Fuzzy, snapshot: Snapshot, group: int, analyzer: Analyzer, checkpoint: Callable[[], None] | None = None
) -> list[str]:
    """The terms of a group that a word with `~` stands for, its own first; none for a word that is dropped.

    Errors are counted in written words where those are known: stems of near words may be far apart, and the other way.
    """
    own = analyzer.terms(leaf.text)[:1]
    if not own:
        return []
    if leaf.forms is not None and analyzer.analysis.reduction is not Reduction.NONE:
        return [*own, *terms_of(leaf.forms, analyzer)]
    # The first question of a process need not wait for the fuzzy kernels.
    from backend.search_engine.search.near_words import NearWords  # noqa: PLC0415

    near = NearWords(snapshot, group, checkpoint).find(own[0], distance=leaf.distance, limit=MAX_NEAR)
    return [*own, *(match.word for match in near)]


_NOTHING: Final = PostingList(
    np.empty(0, dtype=np.uint16),
    np.empty(0, dtype=np.float32),
    np.zeros(1, dtype=np.uint32),
    np.empty(0, dtype=np.float32),
)


def _flat(node: And | Or) -> list[Node]:
    """The parts with parts of the same kind unpacked."""
    parts: list[Node] = []
    for part in node.parts:
        parts.extend(_flat(part) if isinstance(part, type(node)) else [part])
    return parts
