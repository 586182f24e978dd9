"""What titles and headings that look like the query add to a document's text score (seed 002)."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.search_engine.index.postings import PostingList
from backend.search_engine.index.schema import FieldGroup
from backend.search_engine.index.snapshot import Snapshot
from backend.search_engine.query import Node, Phrase, Word, text_leaves
from backend.search_engine.ranking.formula import Interval
from backend.search_engine.ranking.ranking import Ranking
from backend.search_engine.search.deadline import Deadline
from backend.search_engine.search.lists import holds
from backend.search_engine.search.matcher import Matcher
from backend.search_engine.text import Token
from backend.search_engine.text.folding import fold_accents, fold_case

_SUBSEQUENCE_SHARE: Final = 0.9
_READ_AT_ONCE: Final = 256

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


class _SharedWord(NamedTuple):
    """A word of the query: the documents whose titles or headings have it, and what that gives them."""

    anywhere: PostingList
    ways: Sequence[tuple[PostingList, float]]
    """Documents with the word in fields that count so much or more → what they get, the least first."""

    @property
    def most(self) -> float:
        """No document gets more for it."""
        return self.ways[-1][1] if self.ways else 0.0

    def given(self, slots: NDArray[np.int64]) -> Values:
        """What the documents at these slots get."""
        given = np.zeros(len(slots))
        for postings, gain in self.ways:
            given[holds(postings, slots)] = gain
        return given


class BonusScorer:
    """The bonuses of one query. Raises DeadlineExceededError when the time is up."""

    def __init__(
        self, snapshot: Snapshot, matcher: Matcher, ranking: Ranking, root: Node, deadline: Deadline | None = None
    ) -> None:
        self._snapshot = snapshot
        self._ranking = ranking
        self._deadline = deadline or Deadline(None)
        self._near: dict[int, bool] = {}
        """Of the slots whose titles were read: whether they look like the query."""
        leaves = [leaf for leaf in text_leaves(root) if isinstance(leaf, Word | Phrase)]
        typed = " ".join(leaf.text for leaf in leaves)
        self._query = _folded(typed)
        self._words: list[_SharedWord] = []
        self._wholes: list[tuple[PostingList, int]] = []
        """The documents with the whole query, and how many of its words are kept."""
        for group, _, analyzer in matcher.groups_of(None):
            mask = group.mask(ranking.bonuses.fields)
            tokens = analyzer.asked(typed)
            if mask and tokens:
                terms = dict.fromkeys(token.term for token in tokens)
                self._words += [self._word(matcher, group, term, mask) for term in terms]
                kept = sum(1 for word in typed.split() if analyzer.terms(word))
                self._wholes.append((self._whole(matcher, group, tokens, mask), kept))

    @property
    def most(self) -> float:
        """No document gets more."""
        bonuses = self._ranking.bonuses
        overlap = sum(word.most for word in self._words)
        kept = max((kept for _, kept in self._wholes), default=0)
        return overlap + bonuses.whole * kept + bonuses.subsequence

    @property
    def must_read(self) -> bool:
        """Whether documents must be read to tell their bonuses."""
        return self._ranking.bonuses.subsequence > 0 and bool(self._query)

    def parts(self, slots: NDArray[np.int64]) -> BonusParts:
        """The bonuses of the documents at these slots."""
        overlap, whole = self._of_lists(slots)
        return BonusParts(overlap, whole, self._subsequences(slots))

    def bounds(self, slots: NDArray[np.int64]) -> Interval:
        """Between what the total of the bonuses lies, as far as can be told without reading the documents."""
        known = np.add(*self._of_lists(slots))
        if not self.must_read:
            return Interval.point(known)
        most = np.where(self._shares_a_word(slots), self._ranking.bonuses.subsequence, 0.0)
        return Interval(known, known + most)

    def _of_lists(self, slots: NDArray[np.int64]) -> tuple[Values, Values]:
        """What shared words give, and what the whole query gives."""
        bonuses = self._ranking.bonuses
        overlap, whole = np.zeros(len(slots)), np.zeros(len(slots))
        for word in self._words:
            overlap += word.given(slots)
        for postings, kept in self._wholes:
            whole = np.maximum(whole, bonuses.whole * kept * holds(postings, slots))
        self._deadline.check()
        return overlap, whole

    def _shares_a_word(self, slots: NDArray[np.int64]) -> NDArray[np.bool_]:
        shares = np.zeros(len(slots), dtype=bool)
        for word in self._words:
            shares |= holds(word.anywhere, slots)
        return shares

    def _subsequences(self, slots: NDArray[np.int64]) -> Values:
        """The subsequence bonus, for documents whose title shares a word with the query."""
        given = np.zeros(len(slots))
        if not self.must_read:
            return given
        sharing = np.flatnonzero(self._shares_a_word(slots))
        wanted = slots[sharing].tolist()
        unread = np.array(sorted(set(wanted).difference(self._near)), dtype=np.int64)
        for start in range(0, len(unread), _READ_AT_ONCE):
            self._read(unread[start : start + _READ_AT_ONCE])
            self._deadline.check()
        given[sharing] = np.where([self._near[slot] for slot in wanted], self._ranking.bonuses.subsequence, 0.0)
        return given

    def _read(self, slots: NDArray[np.int64]) -> None:
        """Find out which titles at ascending slots look like the query."""
        from rapidfuzz.distance import LCSseq  # noqa: PLC0415  a start without bonuses need not wait for it
        from rapidfuzz.process import cdist  # noqa: PLC0415

        fields = self._ranking.bonuses.fields
        titles = [_folded(str(stored.get(name) or "")) for stored in self._snapshot.stored_of(slots) for name in fields]
        least = int(np.ceil(_SUBSEQUENCE_SHARE * len(self._query)))
        shared = cdist([self._query], titles, scorer=LCSseq.similarity, score_cutoff=least, dtype=np.int64)
        is_near: NDArray[np.bool_] = np.any(shared.reshape(len(slots), len(fields)) >= least, axis=1)
        self._near.update(zip(slots.tolist(), is_near.tolist(), strict=True))

    def _word(self, matcher: Matcher, group: FieldGroup, term: str, mask: int) -> _SharedWord:
        def within(bits: int) -> PostingList:
            return self._snapshot.postings(matcher.term_key(group, term, bits))

        gains = self._ranking.bonuses.fields
        everywhere = self._snapshot.postings(matcher.term_key(group, term))
        idf = self._ranking.bm25.idf_of(self._snapshot.live_documents, len(everywhere))
        own = sorted({gains[each.name] for each in group.fields if gains.get(each.name)})
        at_least = ((gain, group.mask(name for name in gains if gains[name] >= gain)) for gain in own)
        return _SharedWord(within(mask), [(within(bits), gain * idf) for gain, bits in at_least])

    def _whole(self, matcher: Matcher, group: FieldGroup, tokens: Sequence[Token], mask: int) -> PostingList:
        """The documents with all tokens in a row, with the gaps that words which are left out leave."""
        return matcher.row_list(tokens, group, mask, self._deadline)


def _folded(text: str) -> str:
    return " ".join(fold_accents(fold_case(text)).split())
