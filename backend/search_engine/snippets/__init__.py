"""What a result shows of its text: `make_passages(text, wanted_in(query, analyzer), analyzer)`."""

from backend.search_engine.snippets.passages import Highlighter, Passage, highlight, make_passages
from backend.search_engine.snippets.wanted import Wanted, wanted_in

__all__ = ["Highlighter", "Passage", "Wanted", "highlight", "make_passages", "wanted_in"]
