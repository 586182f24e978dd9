"""BM25 straight from the definitions: no index, no kernels, double precision. What the engine must agree with."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from backend.search_engine.ranking import Bm25, Idf
from backend.search_engine.text import Analyzer
from backend.search_engine.text.scan import COMPOUND

Document = Mapping[str, str]


class BruteForce:
    """Scores documents whose text fields all share one analysis."""

    def __init__(
        self,
        documents: Mapping[str, Document],
        analyzer: Analyzer,
        boosts: Mapping[str, float],
        bm25: Bm25 | None = None,
    ) -> None:
        self.analyzer = analyzer
        self.boosts = boosts
        self.bm25 = bm25 or Bm25()
        self.keys = list(documents)
        self.tokens = {
            key: {field: analyzer.tokens(document.get(field) or "") for field in boosts}
            for key, document in documents.items()
        }
        self.counts = {
            key: {field: Counter(token.term for token in tokens) for field, tokens in fields.items()}
            for key, fields in self.tokens.items()
        }
        self.lengths = {
            (key, field): sum(1 for token in tokens if token.kind != COMPOUND)
            for key, fields in self.tokens.items()
            for field, tokens in fields.items()
        }
        self.averages = {field: self._average(field) for field in boosts}

    def _length(self, key: str, field: str) -> int:
        return self.lengths[key, field]

    def _average(self, field: str) -> float:
        lengths = [self._length(key, field) for key in self.keys]
        return sum(lengths) / max(1, sum(1 for length in lengths if length))

    def _alpha(self, key: str, field: str) -> float:
        b = self.bm25.b
        return 1 - b + b * max(1, self._length(key, field)) / max(self.averages[field], 1e-9)

    def idf(self, df: int) -> float:
        n = len(self.keys)
        if self.bm25.idf is Idf.LUCENE:
            return math.log(1 + (n - df + 0.5) / (df + 0.5))
        return math.log2(n / df)

    def weigh(self, frequencies: Mapping[str, Mapping[str, int]], idf: float) -> dict[str, float]:
        """Scores from key → field → frequency."""
        k = self.bm25.k
        scores = {}
        for key, tfs in frequencies.items():
            w = sum(self.boosts[field] * tf / self._alpha(key, field) for field, tf in tfs.items())
            scores[key] = w * (k + 1) / (k + w) * idf
        return scores

    def frequencies(self, term: str, fields: Sequence[str] | None = None) -> dict[str, dict[str, int]]:
        found: dict[str, dict[str, int]] = {}
        for key in self.keys:
            tfs = {
                field: Counter(token.term for token in self.tokens[key][field])[term] for field in fields or self.boosts
            }
            tfs = {field: tf for field, tf in tfs.items() if tf}
            if tfs:
                found[key] = tfs
        return found

    def term(self, term: str, fields: Sequence[str] | None = None) -> dict[str, float]:
        found = self.frequencies(term, fields)
        return self.weigh(found, self.idf(len(found))) if found else {}

    def phrase(self, terms: Sequence[str], slop: int = 0) -> dict[str, float]:
        """Documents with the terms in order, with at most `slop` words between them in all."""
        found: dict[str, dict[str, int]] = {}
        for key in self.keys:
            tfs = {field: self._occurrences(key, field, terms, slop) for field in self.boosts}
            tfs = {field: tf for field, tf in tfs.items() if tf}
            if tfs:
                found[key] = tfs
        dfs = [len(self.frequencies(term)) for term in terms]
        return self.weigh(found, sum(self.idf(df) for df in dfs)) if found else {}

    def _occurrences(self, key: str, field: str, terms: Sequence[str], slop: int) -> int:
        at: dict[str, list[int]] = {}
        for token in self.tokens[key][field]:
            at.setdefault(token.term, []).append(token.position)
        count = 0
        used = dict.fromkeys(range(len(terms)), -1)  # a word's place counts for one occurrence of the phrase
        for start in at.get(terms[0], []):
            places = [start]
            for i, term in enumerate(terms[1:], start=1):
                free = [p for p in at.get(term, []) if p > places[-1] and p > used[i]]
                places += free[:1]
            if len(places) == len(terms) and places[-1] - start - (len(terms) - 1) <= slop:
                used = dict(enumerate(places))
                count += 1
        return count

    def any_of(self, terms: Sequence[str]) -> dict[str, float]:
        scores: Counter[str] = Counter()
        for term in terms:
            scores.update(self.term(term))
        return dict(scores)

    def every_of(self, terms: Sequence[str]) -> dict[str, float]:
        lists = [self.term(term) for term in terms]
        both = set.intersection(*(set(each) for each in lists))
        return {key: sum(each[key] for each in lists) for key in both}

    def best(self, scores: Mapping[str, float], limit: int) -> list[tuple[str, float]]:
        place = {key: i for i, key in enumerate(self.keys)}
        ranked = sorted(scores.items(), key=lambda item: (-round(item[1], 9), place[item[0]]))
        return ranked[:limit]
