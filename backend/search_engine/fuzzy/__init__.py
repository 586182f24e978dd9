"""Words that are nearly right: corrections, "did you mean", suggestions as you type."""

from backend.search_engine.fuzzy.index import FuzzyIndex, Match
from backend.search_engine.fuzzy.tolerance import tolerance

__all__ = ["FuzzyIndex", "Match", "tolerance"]
