"""Searching what is served, as the search service does it."""

from backend.apps.indexers.models import Indexer
from backend.apps.indexers.serving import joining_of, ranking_of, served_folder
from backend.search_engine.index import Snapshot, open_snapshot
from backend.search_engine.query import parse_query
from backend.search_engine.search import Hits, Searcher, SearchRequest


def served_snapshot(indexer: Indexer) -> Snapshot:
    """The index that answers now."""
    indexer.refresh_from_db()
    folder = served_folder(indexer)
    assert folder is not None, "nothing is served"
    return open_snapshot(folder)


def ask(indexer: Indexer, query: str, *, limit: int = 10) -> Hits:
    """The results of a query under the indexer's own ranking."""
    snapshot = served_snapshot(indexer)
    parsed = parse_query(query, joining=joining_of(indexer), fields={field.name for field in snapshot.schema.fields})
    return Searcher(snapshot).search(parsed, ranking_of(indexer), SearchRequest(limit=limit, count=True))


def names(indexer: Indexer, query: str = "", *, limit: int = 100) -> list[str]:
    """The names of the results, best first."""
    return [hit.fields["name"] for hit in ask(indexer, query, limit=limit)]
