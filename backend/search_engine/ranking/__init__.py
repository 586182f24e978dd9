"""What makes one document a better answer than another."""

from backend.search_engine.ranking.bm25 import Bm25, Idf
from backend.search_engine.ranking.ranking import Bonuses, Ranking

__all__ = ["Bm25", "Bonuses", "Idf", "Ranking"]
