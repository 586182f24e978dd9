"""Words that are nearly right: corrections, "did you mean", suggestions as you type."""

from backend.search_engine.fuzzy.as_you_type import suggest_query
from backend.search_engine.fuzzy.correction import Change, apply_changes, correct_unknown, did_you_mean, find_changes
from backend.search_engine.fuzzy.dictionary import Entry, LineFault, read_dictionary
from backend.search_engine.fuzzy.index import FuzzyIndex, Match
from backend.search_engine.fuzzy.suggester import Suggester, Suggestion
from backend.search_engine.fuzzy.tolerance import tolerance
from backend.search_engine.fuzzy.typing_aid import Tally, TypingAid, WordCounter, tally_entries, title_entries, words_of

__all__ = [
    "Change",
    "Entry",
    "FuzzyIndex",
    "LineFault",
    "Match",
    "Suggester",
    "Suggestion",
    "Tally",
    "TypingAid",
    "WordCounter",
    "apply_changes",
    "correct_unknown",
    "did_you_mean",
    "find_changes",
    "read_dictionary",
    "suggest_query",
    "tally_entries",
    "title_entries",
    "tolerance",
    "words_of",
]
