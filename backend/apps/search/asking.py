"""Ask an index: from a wish to the answer as JSON, the same for every way it is asked."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.apps.errors import Invalid
from backend.apps.indexers import standard_fields as standard
from backend.apps.indexers.column_plans import ColumnKind
from backend.apps.search.answer_bytes import to_json
from backend.apps.search.asked import NUMERIC, Asked
from backend.apps.search.corrections import Understood, understand
from backend.apps.search.errors import IndexBroken, TooSlow
from backend.apps.search.open_index import OpenIndex
from backend.apps.search.presenting import Presenter, Values, explain_json, moment_of
from backend.apps.search.served import Served
from backend.apps.search.wishes import MAX_DEPTH, SearchWish
from backend.apps.sentences import with_place
from backend.search_engine.duplicates import group_near_duplicates
from backend.search_engine.errors import DeadlineExceededError, IndexFaultError, SearchEngineError
from backend.search_engine.index import FieldKind, Snapshot
from backend.search_engine.query import Query
from backend.search_engine.ranking import Ranking
from backend.search_engine.ranking.formula import FormulaError
from backend.search_engine.search import FacetCount, Hit, Hits, Searcher

GROUP_WINDOW: Final = 100
MAX_GROUP_WINDOW: Final = 6_400
"""Near-duplicates are looked for among so many of the best results."""


class Shown(NamedTuple):
    """A hit of the page, and how many near-duplicates of it are hidden."""

    hit: Hit
    duplicates: int = 0


class Found(NamedTuple):
    """The hits of the page, and how many there are without the hidden ones; `reachable` of them surely have pages."""

    hits: Hits
    shown: Sequence[Shown]
    total: int
    hidden: int
    reachable: int


def answer_search(served: Served, wish: SearchWish) -> bytes:
    """The answer as JSON. Raises Invalid, TooSlow, NoIndexYet or IndexBroken."""
    return kept_or_computed(served, wish)[0]


def kept_or_computed(served: Served, wish: SearchWish) -> tuple[bytes, bool]:
    """The answer as JSON, and whether it was kept from the last time it was asked for."""
    began, was_kept = time.perf_counter(), True

    def compute() -> bytes:
        nonlocal was_kept
        was_kept = False
        return _computed(served, index, searcher, ranking, wish)

    with engine_errors():
        index = served.index
        ranking = served.ranking_for(wish.tried)
        searcher = index.searcher
        index.aids.first()
        body = index.answers.get(searcher.snapshot.generation, (wish, served.number, index.aids.number), compute)
    return with_milliseconds(body, began), was_kept


def with_milliseconds(body: bytes, began: float) -> bytes:
    """A JSON object with one more member: the time since it was asked for."""
    return b'%s,"ms":%.2f}' % (body[:-1], (time.perf_counter() - began) * 1000)


@contextmanager
def engine_errors() -> Iterator[None]:
    """The engine's errors as ours."""
    try:
        yield
    except DeadlineExceededError as error:
        raise TooSlow(str(error)) from error
    except FormulaError as error:
        raise Invalid({"formula": [with_place(error.message, error.position, error.hint)]}) from error
    except IndexFaultError as error:
        raise IndexBroken(str(error)) from error
    except SearchEngineError as error:
        raise Invalid({"q": [str(error)]}) from error


def _computed(served: Served, index: OpenIndex, searcher: Searcher, ranking: Ranking, wish: SearchWish) -> bytes:
    understood = understand(wish, served, searcher, index.aids.aid)
    found = find(served, searcher, understood.query, ranking, wish)
    answer = {
        "query": wish.q,
        **_described(understood, found.hits),
        "total": found.total,
        "hidden": found.hidden,
        "reachable": found.reachable,
        "page": wish.page,
        "page_size": wish.page_size,
        "is_safe": Asked(served, searcher.snapshot.schema).is_safe(wish),
        "index": describe_index(index, searcher.snapshot),
        "columns": [describe_column(each, searcher.snapshot) for each in served.columns],
        "results": _results(served, searcher, understood.query, ranking, wish, found.shown),
        "facets": [_facet(searcher.snapshot, each.field, found.hits.facets[each.field]) for each in wish.facets],
    }
    return to_json(answer)


def _described(understood: Understood, hits: Hits) -> Values:
    notices = [{"message": each.message, "position": each.position, "hint": each.hint} for each in hits.notices]
    return {"corrected": understood.corrected, "did_you_mean": understood.did_you_mean, "notices": notices}


def describe_index(index: OpenIndex, snapshot: Snapshot) -> Values:
    return {
        "documents": snapshot.live_documents,
        "bytes": sum(entry.file_bytes for entry in snapshot.manifest.segments),
        "generation": snapshot.generation,
        "suggests": index.aids.aid is not None,
    }


def describe_column(column: Any, snapshot: Snapshot) -> Values:
    """How a column is shown, and what can be done with it."""
    kind = snapshot.schema[column.name].kind if column.name in snapshot.schema else None
    has_values = bool(column.facet_field) or kind is FieldKind.KEYWORD
    return {
        "name": column.name,
        "kind": str(column.kind),
        "is_searched": column.is_searched,
        "can_sort": kind in NUMERIC or (has_values and column.kind is ColumnKind.TEXT),
        "can_count_values": has_values,
        "is_facet": bool(column.facet_field),
    }


def find(served: Served, searcher: Searcher, query: Query, ranking: Ranking, wish: SearchWish) -> Found:
    """The hits of the page; of near-duplicates only the best where that is wanted."""
    asked = Asked(served, searcher.snapshot.schema)
    if hides_duplicates(served, searcher.snapshot, wish):
        return _find_leaders(asked, searcher, query, ranking, wish)
    hits = searcher.search(query, ranking, asked.request(wish, offset=wish.offset, limit=wish.page_size))
    total = hits.total or 0
    return Found(hits, [Shown(hit) for hit in hits], total, 0, min(total, MAX_DEPTH))


def _find_leaders(asked: Asked, searcher: Searcher, query: Query, ranking: Ranking, wish: SearchWish) -> Found:
    """Looks through more and more of the best hits until it knows whether there is a page behind the wanted one."""
    end = wish.offset + wish.page_size
    window = max(GROUP_WINDOW, 2 * end)
    while True:
        hits = searcher.search(query, ranking, asked.request(wish, offset=0, limit=window))
        leaders = leaders_of(searcher.snapshot, hits.hits)
        if len(leaders) > end or len(hits) < window or window >= MAX_GROUP_WINDOW:
            hidden = len(hits) - len(leaders)
            total = (hits.total or 0) - hidden
            return Found(hits, leaders[wish.offset : end], total, hidden, min(len(leaders), MAX_DEPTH))
        window *= 4


def hides_duplicates(served: Served, snapshot: Snapshot, wish: SearchWish) -> bool:
    """Whether of near-duplicates only the best is shown: as wished, else as the indexer says."""
    wanted = served.indexer.hide_duplicates if wish.group is None else wish.group
    return wanted and standard.FINGERPRINT[0] in snapshot.schema


def leaders_of(snapshot: Snapshot, hits: Sequence[Hit]) -> list[Shown]:
    """The hits that stand for themselves, best first."""
    leaders = group_near_duplicates(fingerprints_of(snapshot, [hit.slot for hit in hits]))
    counts = np.bincount(leaders, minlength=len(hits)) if len(hits) else np.empty(0, dtype=np.int64)
    return [Shown(hit, int(counts[i]) - 1) for i, hit in enumerate(hits) if leaders[i] == i]


def fingerprints_of(snapshot: Snapshot, slots: Sequence[int]) -> NDArray[np.uint64]:
    """The fingerprints of some documents, put together from their halves."""
    high, low = (np.nan_to_num(snapshot.numbers(name)[list(slots)]) for name in standard.FINGERPRINT)
    return (high.astype(np.uint64) << np.uint64(32)) | low.astype(np.uint64)


def _results(
    served: Served, searcher: Searcher, query: Query, ranking: Ranking, wish: SearchWish, shown: Sequence[Shown]
) -> list[Values]:
    presenter = Presenter(served, searcher, query, served.index.documents)
    results = presenter.results([each.hit for each in shown], first_rank=wish.offset + 1)
    for result, each in zip(results, shown, strict=True):
        result["duplicates"] = each.duplicates
        if wish.explain:
            result["explanation"] = explain_json(searcher.explain(query, result["key"], ranking))
    return results


def _facet(snapshot: Snapshot, name: str, counts: Sequence[FacetCount]) -> Values:
    """Values with their counts, or ranges with theirs."""
    values = [{"value": each.value, "count": each.count} for each in counts if isinstance(each.value, str)]
    is_date = name in snapshot.schema and snapshot.schema[name].kind is FieldKind.DATE
    ranges = [
        {
            "low": moment_of(each.value[0]) if is_date else each.value[0],
            "high": moment_of(each.value[1]) if is_date else each.value[1],
            "count": each.count,
        }
        for each in counts
        if not isinstance(each.value, str)
    ]
    return {"field": name, "values": values, "ranges": ranges}
