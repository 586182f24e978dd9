"""How good a ranking is, by what people judged. Each measure is between 0 and 1; definitions as in trec_eval."""

from collections.abc import Collection, Mapping, Sequence
from math import log2

Grades = Mapping[str, int]
"""Document → how relevant people found it; 0 or less (or absent) is not relevant."""


def ndcg_at(ranked: Sequence[str], grades: Grades, depth: int) -> float:
    """Discounted cumulative gain of the first `depth` results over the best possible (Järvelin & Kekäläinen 2002)."""
    best = sorted((grade for grade in grades.values() if grade > 0), reverse=True)
    ideal = _discounted(best[:depth])
    return _discounted([max(0, grades.get(document, 0)) for document in ranked[:depth]]) / ideal if ideal else 0.0


def _discounted(gains: Sequence[int]) -> float:
    return sum(gain / log2(rank + 1) for rank, gain in enumerate(gains, start=1))


def average_precision(ranked: Sequence[str], relevant: Collection[str]) -> float:
    """The mean, over all relevant documents, of the precision where each is found; one not found counts as 0."""
    hits, total = 0, 0.0
    for rank, document in enumerate(ranked, start=1):
        if document in relevant:
            hits += 1
            total += hits / rank
    return total / len(relevant) if relevant else 0.0


def recall_at(ranked: Sequence[str], relevant: Collection[str], depth: int) -> float:
    """The share of the relevant documents that are among the first `depth`."""
    return len(set(ranked[:depth]) & set(relevant)) / len(relevant) if relevant else 0.0


def precision_at(ranked: Sequence[str], relevant: Collection[str], depth: int) -> float:
    """The share of relevant ones among the first `depth`; fewer results than that count as not relevant."""
    return len(set(ranked[:depth]) & set(relevant)) / depth
