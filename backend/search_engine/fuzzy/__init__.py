"""Words that are nearly right: corrections, "did you mean", suggestions as you type."""

from backend.search_engine.fuzzy.dictionary import Entry, LineFault, read_dictionary
from backend.search_engine.fuzzy.index import FuzzyIndex, Match
from backend.search_engine.fuzzy.suggester import Suggester, Suggestion
from backend.search_engine.fuzzy.tolerance import tolerance

__all__ = ["Entry", "FuzzyIndex", "LineFault", "Match", "Suggester", "Suggestion", "read_dictionary", "tolerance"]
