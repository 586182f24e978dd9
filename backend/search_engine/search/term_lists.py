"""The lists of terms, of terms in a row and of beginnings of terms, of one snapshot under one ranking."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from backend.search_engine.index.decode import RANGE_BITS
from backend.search_engine.index.postings import PostingList
from backend.search_engine.index.schema import FieldGroup
from backend.search_engine.index.snapshot import Snapshot, TermKey
from backend.search_engine.ranking.ranking import Ranking
from backend.search_engine.search.any_term import AnyTerm
from backend.search_engine.search.deadline import Deadline
from backend.search_engine.search.lists import Clause, Mask, PhrasePlan, of_mask, phrase, to_mask, union
from backend.search_engine.search.prefixes import Beginning
from backend.search_engine.text import Token
from backend.search_engine.text.scan import PAIR

_MAX_KEYS: Final = 100_000
MAX_SCORED: Final = 500
"""So many terms of a prefix are scored, the most frequent: documents with others of them match, and score nothing."""


class TermLists:
    """Resolves terms. Safe to share between threads."""

    def __init__(self, snapshot: Snapshot, ranking: Ranking) -> None:
        self._snapshot = snapshot
        self._ranking = ranking
        self._keys: dict[tuple[int, str, int], TermKey] = {}
        self._boosts = [
            tuple(ranking.boosts.get(each.name, each.boost) for each in group.fields)
            for group in snapshot.schema.groups
        ]

    def key(self, group: FieldGroup, term: str, mask: int | None = None) -> TermKey:
        """The key of a term's list in some fields of a group, all when `mask` is None."""
        bits = (1 << len(group.fields)) - 1 if mask is None else mask
        known = self._keys.get((group.number, term, bits))
        if known is None:
            if len(self._keys) >= _MAX_KEYS:
                self._keys.clear()
            known = TermKey(group.number, term, bits, self._ranking.bm25, self._boosts[group.number])
            self._keys[group.number, term, bits] = known
        return known

    def term(self, group: FieldGroup, term: str, mask: int) -> PostingList:
        """The documents of a term."""
        return self._snapshot.postings(self.key(group, term, mask))

    def row(
        self, tokens: Sequence[Token], slop: int, group: FieldGroup, mask: int, deadline: Deadline | None = None
    ) -> PostingList:
        """The documents of tokens in a row, or of one token."""
        if len(tokens) > 1:
            return self._phrase(self.phrase_plan(tokens, slop, group, mask, deadline), deadline)
        if stands_for_pairs(tokens[0]):
            return self.beginning(Beginning(tokens[0].term, [], group, mask), deadline)
        return self.term(group, tokens[0].term, mask)

    def phrase_plan(
        self, tokens: Sequence[Token], slop: int, group: FieldGroup, mask: int, deadline: Deadline | None = None
    ) -> PhrasePlan:
        """The plan of tokens in a row in some fields of a group."""
        terms = tuple(self._filling(token, group, mask, deadline) for token in tokens)
        return PhrasePlan(terms, _shifts(tokens), slop)

    def row_of_any(
        self, tokens: Sequence[Token], last: Sequence[str], group: FieldGroup, mask: int, deadline: Deadline | None
    ) -> PostingList:
        """The documents of tokens in a row, where whichever of some terms may stand in the place of the last."""
        filling = self._any_of(last, group, mask, deadline)
        before = (self._filling(token, group, mask, deadline) for token in tokens[:-1])
        return self._phrase(PhrasePlan((*before, filling), _shifts(tokens), 0), deadline)

    def beginning(self, wanted: Beginning, deadline: Deadline | None) -> PostingList:
        """The documents of all of its terms: with the best of their impacts, or the smallest impact past MAX_SCORED."""
        _, others, group, mask, row = wanted
        dfs = self._snapshot.terms_with(group.number, wanted.start, deadline.check if deadline else None)
        if row:
            return self.row_of_any(row, _commonest(dfs) or [wanted.start], group, mask, deadline)
        if len(dfs) + len(others) <= MAX_SCORED:
            return self.expanded([*dfs, *others] or [wanted.start], group, mask, deadline)
        lists = self._term_lists(others, group, mask, deadline)
        dfs |= {term: len(postings) for term, postings in zip(others, lists, strict=True)}
        scored = _commonest(dfs)
        rest = self.beginning_mask(wanted._replace(others=[*set(others).difference(scored)]), deadline)
        return self.best([self.expanded(scored, group, mask, deadline), of_mask(self._snapshot, rest)])

    def beginning_mask(self, wanted: Beginning, deadline: Deadline | None) -> Mask:
        """The documents of every term that begins so, and of the others."""
        _, others, group, mask, row = wanted
        if row:
            return to_mask(self._snapshot, self.beginning(wanted, deadline))
        found = self._snapshot.documents_with(group.number, wanted.start, mask, deadline.check if deadline else None)
        for postings in self._term_lists(others, group, mask, deadline):
            found[postings.slots(RANGE_BITS)] = 1
        return found

    def expanded(
        self, terms: Sequence[str], group: FieldGroup, mask: int, deadline: Deadline | None = None
    ) -> PostingList:
        """The documents of any of the terms, with the best of their impacts."""
        lists = list(self._term_lists(dict.fromkeys(terms), group, mask, deadline))
        return self.best([each for each in lists if len(each)] or lists[:1])

    def best(self, lists: Sequence[PostingList]) -> PostingList:
        """The documents of any list, with the best of their impacts."""
        if len(lists) == 1:
            return lists[0]
        return union(self._snapshot, [Clause(each, 1.0) for each in lists], takes_best=True)

    def summed(self, lists: Sequence[PostingList]) -> PostingList | None:
        """The documents of any list, with the sum of their impacts; None of no lists."""
        if len(lists) <= 1:
            return lists[0] if lists else None
        return union(self._snapshot, [Clause(each, 1.0) for each in lists])

    def _phrase(self, plan: PhrasePlan, deadline: Deadline | None) -> PostingList:
        key = self._snapshot.generation, plan
        return self._snapshot.cache.get(key, lambda: phrase(self._snapshot, plan, deadline=deadline))

    def _filling(self, token: Token, group: FieldGroup, mask: int, deadline: Deadline | None) -> TermKey | AnyTerm:
        """What may stand in the place of a token."""
        if not stands_for_pairs(token):
            return self.key(group, token.term, mask)
        pairs = self._snapshot.terms_with(group.number, token.term, deadline.check if deadline else None)
        return self._any_of([*pairs] or [token.term], group, mask, deadline)

    def _any_of(
        self, terms: Sequence[str], group: FieldGroup, mask: int, deadline: Deadline | None
    ) -> TermKey | AnyTerm:
        """Whichever of the terms. Their lists are read here, where somebody looks at the clock."""
        keys = tuple(self.key(group, term, mask) for term in dict.fromkeys(terms))
        for key in keys if len(keys) > 1 else ():
            if deadline is not None:
                deadline.check()
            self._snapshot.postings(key, positions=True)
        return AnyTerm(keys) if len(keys) > 1 else keys[0]

    def _term_lists(
        self, terms: Iterable[str], group: FieldGroup, mask: int, deadline: Deadline | None
    ) -> Iterator[PostingList]:
        for term in terms:
            if deadline is not None:
                deadline.check()
            yield self.term(group, term, mask)


def stands_for_pairs(token: Token) -> bool:
    """Whether a token is one character of a script that is indexed in pairs."""
    return token.kind == PAIR and len(token.term) == 1


def _shifts(tokens: Sequence[Token]) -> tuple[int, ...]:
    return tuple(token.position - tokens[0].position for token in tokens)


def _commonest(dfs: dict[str, int]) -> list[str]:
    """The terms of most documents, as many as are scored."""
    return sorted(dfs, key=lambda term: (-dfs[term], term))[:MAX_SCORED]
