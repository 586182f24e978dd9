"""Whether the kernels' top ten are brute force's: all documents scored with numpy from term frequencies and lengths."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from backend.search_engine.index.decode import FIELD_SHIFT, RANGE_BITS
from backend.search_engine.index.snapshot import Snapshot, TermKey
from backend.search_engine.ranking import Bm25
from tests.benchmarks._search_engines import ANY, TITLE_BOOST, Gleaner

BOOSTS = (TITLE_BOOST, 1.0)


def count_exact(engine: Gleaner, queries: Sequence[str]) -> int:
    """How many of the queries have the ten scores that brute force gives, to nine digits."""
    truth = _Truth(engine.snapshot)
    exact = 0
    for query in queries:
        found = np.array(engine.search(ANY, query))
        wanted = truth.best(engine.searcher.analyzers[0].terms(query))
        exact += len(found) == len(wanted) and bool(np.allclose(found, wanted, rtol=1e-9, atol=1e-15))
    return exact


class _Truth:
    """Dense scoring in double precision; only term frequencies and lengths are taken from the index."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._bm25 = Bm25()
        lengths = np.zeros((2, snapshot.slots))
        for base, each in zip(snapshot.bases, snapshot.segments, strict=False):
            lengths[:, base : base + each.segment.documents] = each.segment.groups[0].lengths
        live = lengths * snapshot.alive
        averages = live.sum(axis=1) / np.maximum(1, np.count_nonzero(live, axis=1))
        self._alpha = 1 - self._bm25.b + self._bm25.b * np.maximum(lengths, 1) / averages[:, None]
        self._scores: dict[str, tuple[NDArray[np.int64], NDArray[np.float64]]] = {}

    def best(self, terms: Sequence[str]) -> NDArray[np.float64]:
        """The ten best scores of documents with any of the terms."""
        total = np.full(self._snapshot.slots, -1.0)
        for term in terms:
            slots, scores = self._term(term)
            total[slots] = np.maximum(total[slots], 0) + scores
        matching = total[total >= 0]
        best: NDArray[np.float64] = -np.sort(-matching)[:10]
        return best

    def _term(self, term: str) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        if term not in self._scores:
            self._scores[term] = self._score(term)
        return self._scores[term]

    def _score(self, term: str) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        found = self._snapshot.postings(TermKey(0, term, 3, self._bm25, BOOSTS), positions=True)
        if found.offsets is None or found.positions is None or not len(found):
            return np.empty(0, dtype=np.int64), np.empty(0)
        slots = found.slots(RANGE_BITS)
        owner = np.repeat(np.arange(len(found)), np.diff(found.offsets.astype(np.int64)))
        weighted = np.zeros(len(found))
        for field, boost in enumerate(BOOSTS):
            in_field = owner[found.positions >> FIELD_SHIFT == field]
            weighted += boost * np.bincount(in_field, minlength=len(found)) / self._alpha[field, slots]
        k = self._bm25.k
        return slots, weighted * (k + 1) / (k + weighted) * np.log2(self._snapshot.live_documents / len(found))
