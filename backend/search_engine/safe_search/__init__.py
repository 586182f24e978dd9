"""Whether a document is fit for everybody, decided when it is indexed."""

from backend.search_engine.safe_search.verdict import SafeSearch, Verdict, default_words, read_words

__all__ = ["SafeSearch", "Verdict", "default_words", "read_words"]
