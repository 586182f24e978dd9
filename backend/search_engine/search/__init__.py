"""From a query's meaning to ranked answers: `Searcher(snapshot).search(query, ranking, request)`."""

from backend.search_engine.search.columns import KeywordFilter, RangeFilter, RangesFilter
from backend.search_engine.search.explain import Explanation
from backend.search_engine.search.facets import FacetCount, RangesFacet, TermsFacet
from backend.search_engine.search.hits import Hit, Hits
from backend.search_engine.search.searcher import Searcher, SearchRequest, Sort

__all__ = [
    "Explanation",
    "FacetCount",
    "Hit",
    "Hits",
    "KeywordFilter",
    "RangeFilter",
    "RangesFacet",
    "RangesFilter",
    "SearchRequest",
    "Searcher",
    "Sort",
    "TermsFacet",
]
