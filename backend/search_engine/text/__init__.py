"""From text to terms: `Analyzer(Analysis(language="en")).tokens(text)`."""

from backend.search_engine.text.analysis import Analysis, Analyzer, Token
from backend.search_engine.text.languages import Reduction
from backend.search_engine.text.synonyms import Synonyms, parse_synonyms

__all__ = ["Analysis", "Analyzer", "Reduction", "Synonyms", "Token", "parse_synonyms"]
