"""The words of an index near a mistyped one, over all segments."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from backend.search_engine.fuzzy import Match, tolerance
from backend.search_engine.fuzzy.kernels import DOUBLING, FIRST_LETTER, PER_ERROR
from backend.search_engine.fuzzy.tolerance import MAX_DISTANCE
from backend.search_engine.index.near import near_terms
from backend.search_engine.index.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class NearWords:
    """The terms of one group of a snapshot, to be found with typing errors in them, ranked as `FuzzyIndex` does."""

    snapshot: Snapshot
    group: int
    checkpoint: Callable[[], None] | None = None
    """Called between segments; may raise to stop."""

    def find(self, word: str, *, distance: int | None = None, limit: int = 5) -> list[Match]:
        """The terms at most `distance` errors away (None: as the word's length allows), best first."""
        most = tolerance(word) if distance is None else min(distance, MAX_DISTANCE)
        frequencies: dict[str, int] = {}
        distances: dict[str, int] = {}
        for each in self.snapshot.segments:
            for term, errors, df in near_terms(each.segment.groups[self.group], word, most):
                frequencies[term] = frequencies.get(term, 0) + df
                distances[term] = errors
            if self.checkpoint is not None:
                self.checkpoint()
        matches = [Match(term, distances[term], df) for term, df in frequencies.items()]
        return sorted(matches, key=lambda match: _rank(match, word))[:limit]


def _rank(match: Match, word: str) -> tuple[bool, int, int, int, str]:
    """Sorts the best first: the word itself, then by frequency less what the errors cost."""
    weight = round(DOUBLING * math.log2(1 + match.frequency))
    cost = match.distance * PER_ERROR + (match.word[:1] != word[:1]) * FIRST_LETTER
    return match.distance > 0, cost - weight, len(match.word), -match.frequency, match.word
