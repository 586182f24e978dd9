"""BM25 as in the thesis (3.6): tf* · log2(N / df), tf* = tf · (k + 1) / (k · α + tf), α = 1 - b + b · DL / AVDL.

Several fields count as in BM25F (Robertson, Zaragoza & Taylor 2004): w = Σ boost · tf / α over the fields that share an
analysis, tf* = w · (k + 1) / (k + w). With one field and boost 1 that is the thesis' formula. Fields with different
analyses are scored apart and added. N and df count live documents, AVDL is over the live documents that have the field.
"""

import math
from dataclasses import dataclass
from enum import StrEnum

from backend.search_engine.errors import RankingError


class Idf(StrEnum):
    """How much a rare word counts more than a frequent one."""

    THESIS = "thesis"
    """log2(N / df): 0 for a word that every document has."""
    LUCENE = "lucene"
    """ln(1 + (N - df + 0.5) / (df + 0.5)): always more than 0."""


@dataclass(frozen=True, slots=True)
class Bm25:
    """The parameters of the text score. Changing them needs no rebuild."""

    k: float = 1.75
    b: float = 0.75
    idf: Idf = Idf.THESIS

    def __post_init__(self) -> None:
        if not 0 < self.k <= 1000:
            raise RankingError(f"k must be more than 0 and at most 1000; it is {self.k}.")
        if not 0 <= self.b <= 1:
            raise RankingError(f"b must lie between 0 and 1; it is {self.b}.")

    def idf_of(self, documents: int, df: int) -> float:
        """The idf of a word that `df` of `documents` have; a word that more have than there are counts as in all."""
        if documents == 0 or df == 0:
            return 0.0
        if self.idf is Idf.LUCENE:
            return (
                math.log(1 + (documents - df + 0.5) / (df + 0.5)) if df < documents else math.log(1 + 0.5 / (df + 0.5))
            )
        return math.log2(documents / min(df, documents))

    def alpha(self, length: float, average: float) -> float:
        """How much longer than average a field is, as far as b lets it count."""
        return 1 - self.b + self.b * max(length, 1) / max(average, 1e-9)

    def saturate(self, weighted: float) -> float:
        """tf* of a weighted term frequency."""
        return weighted * (self.k + 1) / (self.k + weighted)
