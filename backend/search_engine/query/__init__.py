"""The query language: from what a person types to a meaning that any index can run."""

from backend.search_engine.query.ast import (
    And,
    Bound,
    Exists,
    Fuzzy,
    Leaf,
    MatchAll,
    Node,
    Not,
    Notice,
    Or,
    Phrase,
    Prefix,
    Query,
    Range,
    TextLeaf,
    Word,
    text_leaves,
)
from backend.search_engine.query.parser import Joining, parse_query
from backend.search_engine.query.values import parse_bound

__all__ = [
    "And",
    "Bound",
    "Exists",
    "Fuzzy",
    "Joining",
    "Leaf",
    "MatchAll",
    "Node",
    "Not",
    "Notice",
    "Or",
    "Phrase",
    "Prefix",
    "Query",
    "Range",
    "TextLeaf",
    "Word",
    "parse_bound",
    "parse_query",
    "text_leaves",
]
