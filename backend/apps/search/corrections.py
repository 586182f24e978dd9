"""What a query means, and what to do about its typing errors."""

from collections.abc import Collection
from dataclasses import dataclass

from backend.apps.search.served import Served
from backend.apps.search.wishes import SearchWish
from backend.search_engine.fuzzy import Change, TypingAid, apply_changes
from backend.search_engine.query import Query, parse_query
from backend.search_engine.search import Searcher
from backend.search_engine.search.known_words import KnownWords


@dataclass(frozen=True, slots=True)
class Understood:
    """The query that is run; `corrected` when it is not the typed one, `did_you_mean` when another may be meant."""

    query: Query
    corrected: str | None = None
    did_you_mean: str | None = None


def understand(wish: SearchWish, served: Served, searcher: Searcher, aid: TypingAid | None) -> Understood:
    """The typed query, or where it has words that no document has, the query with those mended."""
    fields = [each.name for each in searcher.snapshot.schema.fields]
    query = read_query(wish.q, served, fields, aid)
    is_safe = served.indexer.safe_search if wish.safe is None else wish.safe
    changes = _needed(aid.changes(query, is_safe=is_safe), query, searcher) if aid is not None else []
    if not changes:
        return Understood(query)
    offered = apply_changes(query.source, changes)
    unknown = [change for change in changes if change.is_unknown]
    if not unknown or not wish.correct:
        return Understood(query, did_you_mean=offered)
    mended = apply_changes(query.source, unknown)
    again = read_query(mended, served, fields, aid)
    return Understood(again, corrected=mended, did_you_mean=offered if offered != mended else None)


def _needed(changes: list[Change], query: Query, searcher: Searcher) -> list[Change]:
    """The changes without those of words that only look unknown: another form or a synonym of them is there."""
    if not any(change.is_unknown for change in changes):
        return changes
    known = KnownWords(query, searcher.snapshot, searcher.analyzers)
    return [change for change in changes if not (change.is_unknown and known.has(change.written, change.start))]


def read_query(text: str, served: Served, fields: Collection[str], aid: TypingAid | None) -> Query:
    """What was typed; where written words are known, those with `~` and `*` mean them."""
    query = parse_query(text, joining=served.joining, fields=fields)
    return query if aid is None else aid.widen(query)
