"""What titles and headings that look like the query add to a document's text score (seed 002)."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.search_engine.index.postings import PostingList
from backend.search_engine.index.schema import FieldGroup
from backend.search_engine.index.snapshot import Snapshot
from backend.search_engine.query import Node, Phrase, Word, text_leaves
from backend.search_engine.ranking.ranking import Ranking
from backend.search_engine.search.lists import PhrasePlan, holds, phrase
from backend.search_engine.search.matcher import Matcher
from backend.search_engine.text.folding import fold_accents, fold_case

_SUBSEQUENCE_SHARE: Final = 0.9

Values = NDArray[np.float64]


class BonusParts(NamedTuple):
    """What each bonus gives to each of some documents."""

    overlap: Values
    whole: Values
    subsequence: Values

    @property
    def total(self) -> Values:
        """All bonuses together."""
        return self.overlap + self.whole + self.subsequence


class BonusScorer:
    """The bonuses of one query."""

    def __init__(self, snapshot: Snapshot, matcher: Matcher, ranking: Ranking, root: Node) -> None:
        self._snapshot = snapshot
        self._ranking = ranking
        leaves = [leaf for leaf in text_leaves(root) if isinstance(leaf, Word | Phrase)]
        self._query = _folded(" ".join(leaf.text for leaf in leaves))
        self._words: list[tuple[PostingList, float]] = []
        self._wholes: list[PostingList] = []
        for group, _, analyzer in matcher.groups_of(None):
            mask = group.mask(ranking.bonuses.fields)
            terms = analyzer.terms(self._query)
            if mask and terms:
                self._words += [self._word(matcher, group, term, mask) for term in dict.fromkeys(terms)]
                self._wholes.append(self._whole(matcher, group, terms, mask))
        self._word_count = len(self._query.split())

    @property
    def most(self) -> float:
        """No document gets more."""
        bonuses = self._ranking.bonuses
        overlap = bonuses.overlap * sum(idf for _, idf in self._words)
        return overlap + bonuses.whole * self._word_count + bonuses.subsequence

    def parts(self, slots: NDArray[np.int64]) -> BonusParts:
        """The bonuses of the documents at these slots."""
        bonuses = self._ranking.bonuses
        overlap, whole = np.zeros(len(slots)), np.zeros(len(slots))
        for postings, idf in self._words:
            overlap += bonuses.overlap * idf * holds(postings, slots)
        for postings in self._wholes:
            whole = np.maximum(whole, bonuses.whole * self._word_count * holds(postings, slots))
        return BonusParts(overlap, whole, self._subsequences(slots))

    def _subsequences(self, slots: NDArray[np.int64]) -> Values:
        """The subsequence bonus, for documents whose title shares a word with the query."""
        given = np.zeros(len(slots))
        if not self._ranking.bonuses.subsequence or not self._query:
            return given
        shares_a_word = np.zeros(len(slots), dtype=bool)
        for postings, _ in self._words:
            shares_a_word |= holds(postings, slots)
        for i in np.flatnonzero(shares_a_word).tolist():
            if self._is_near(int(slots[i])):
                given[i] = self._ranking.bonuses.subsequence
        return given

    def _is_near(self, slot: int) -> bool:
        from rapidfuzz.distance import LCSseq  # noqa: PLC0415  a start without bonuses need not wait for it

        stored = self._snapshot.stored(slot)
        least = int(np.ceil(_SUBSEQUENCE_SHARE * len(self._query)))
        titles = (_folded(str(stored.get(name) or "")) for name in self._ranking.bonuses.fields)
        return any(LCSseq.similarity(self._query, title, score_cutoff=least) >= least for title in titles)

    def _word(self, matcher: Matcher, group: FieldGroup, term: str, mask: int) -> tuple[PostingList, float]:
        everywhere = self._snapshot.postings(matcher.term_key(group, term))
        idf = self._ranking.bm25.idf_of(self._snapshot.live_documents, len(everywhere))
        return self._snapshot.postings(matcher.term_key(group, term, mask)), idf

    def _whole(self, matcher: Matcher, group: FieldGroup, terms: Sequence[str], mask: int) -> PostingList:
        keys = tuple(matcher.term_key(group, term, mask) for term in terms)
        if len(keys) == 1:
            return self._snapshot.postings(keys[0])
        return phrase(self._snapshot, PhrasePlan(keys, tuple(range(len(keys))), 0))


def _folded(text: str) -> str:
    return " ".join(fold_accents(fold_case(text)).split())
