"""How good the ranking is on a test collection: nDCG, MAP, recall and precision."""

from backend.search_engine.evaluation.errors import CollectionError
from backend.search_engine.evaluation.measures import average_precision, ndcg_at, precision_at, recall_at
from backend.search_engine.evaluation.run import Report, Setup, evaluate

__all__ = [
    "CollectionError",
    "Report",
    "Setup",
    "average_precision",
    "evaluate",
    "ndcg_at",
    "precision_at",
    "recall_at",
]
