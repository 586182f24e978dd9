"""How an indexer ranks: everything that a person can set, in one value."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from backend.search_engine.errors import RankingError
from backend.search_engine.ranking.bm25 import Bm25
from backend.search_engine.ranking.formula import Formula

MAX_WEIGHT: Final = 1_000_000.0
"""No boost of a field and no weight of a word is greater."""


@dataclass(frozen=True, slots=True)
class Bonuses:
    """What a title or heading that looks like the query adds to the text score (seed 002). 0 switches a bonus off."""

    fields: Mapping[str, float] = field(default_factory=dict)
    """The text fields that count as titles and headings (they must be stored) → what each word of the query that they
    have adds, times its idf. A word that several of them have counts once, by the greatest of these."""
    whole: float = 0.0
    """Times the number of the words kept of the query, when such a field has the whole query as a phrase."""
    subsequence: float = 0.0
    """Added when at least 90 % of the query is a common subsequence of the query and such a field."""

    def __post_init__(self) -> None:
        if min(*self.fields.values(), self.whole, self.subsequence) < 0:
            raise RankingError("A bonus cannot be less than 0; use 0 to switch it off.")

    @property
    def is_on(self) -> bool:
        """Whether any bonus can be given."""
        return bool(self.fields) and max(*self.fields.values(), self.whole, self.subsequence) > 0


@dataclass(frozen=True, slots=True)
class Ranking:
    """All that decides the order of results.

    `text` = BM25 with word weights, plus bonuses, plus `columns` (column → weight). The formula sees it as `text`.
    """

    bm25: Bm25 = field(default_factory=Bm25)
    boosts: Mapping[str, float] = field(default_factory=dict)
    """Text field → boost, where it differs from the schema's."""
    word_weights: Mapping[str, float] = field(default_factory=dict)
    """Word → how much it counts (“freiburg=5”); one of several words is never asked for and counts for nothing."""
    columns: Mapping[str, float] = field(default_factory=dict)
    """Static columns (PageRank, quality, freshness) → weight; a missing value counts as 0."""
    bonuses: Bonuses = field(default_factory=Bonuses)
    formula: Formula | None = None

    def __post_init__(self) -> None:
        for name, boost in self.boosts.items():
            if not 0 < boost <= MAX_WEIGHT:
                told = f"must be more than 0 and at most {MAX_WEIGHT:,.0f}; it is {boost}"
                raise RankingError(f"The boost of “{name}” {told}.")
        for word, weight in self.word_weights.items():
            if not 0 <= weight <= MAX_WEIGHT:
                raise RankingError(f"The weight of “{word}” must lie between 0 and {MAX_WEIGHT:,.0f}; it is {weight}.")
