"""How good settings are on the judged queries of an indexer: nDCG@10, MAP, P@5, per query and overall."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import mean
from typing import Any, Final

from backend.apps.errors import Conflict
from backend.apps.indexers.models import Indexer
from backend.apps.search.asked import Asked
from backend.apps.search.asking import engine_errors, hides_duplicates, leaders_of
from backend.apps.search.corrections import understand
from backend.apps.search.models import JudgedQuery
from backend.apps.search.served import Served
from backend.apps.search.wishes import SearchWish, TryOut
from backend.search_engine.evaluation import average_precision, ndcg_at, precision_at
from backend.search_engine.query import Query
from backend.search_engine.ranking import Ranking
from backend.search_engine.search import Searcher

DEPTH: Final = 1_000
"""Results that count for a query, as in TREC."""
QUERY_SECONDS: Final = 5.0
SAME: Final = 1e-9
NOTHING_JUDGED: Final = "No query has a wanted document yet. Search, and mark results as good; then evaluate."


@dataclass(frozen=True, slots=True)
class Judged:
    """A judged query ready to be asked; grades by slot, and those of documents that the index does not have."""

    id: int
    text: str
    query: Query
    grades: Mapping[Any, int]

    @property
    def relevant(self) -> set[Any]:
        return {document for document, grade in self.grades.items() if grade > 0}


@dataclass(frozen=True, slots=True)
class QueryMeasures:
    id: int
    query: str
    ndcg_at_10: float
    map: float
    precision_at_5: float
    relevant: int
    found: int
    """How many of the relevant documents are among the results."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The measures of each query, and their means."""

    queries: Sequence[QueryMeasures]

    def to_json(self) -> dict[str, Any]:
        overall = {name: mean(getattr(each, name) for each in self.queries) for name in MEASURES}
        return {"overall": overall, "queries": [asdict(each) for each in self.queries]}


MEASURES: Final = ("ndcg_at_10", "map", "precision_at_5")


def judged_queries(indexer: Indexer, served: Served, searcher: Searcher) -> list[Judged]:
    """The queries with at least one wanted document; Conflict when there are none."""
    aid, found = served.index.aids.first(), []
    for each in JudgedQuery.objects.filter(indexer=indexer).prefetch_related("judgements"):
        grades = {_slot(searcher, row.document_key): row.grade for row in each.judgements.all()}
        if any(grade > 0 for grade in grades.values()):
            query = understand(SearchWish(q=each.text), served, searcher, aid).query
            found.append(Judged(each.pk, each.text, query, grades))
    if not found:
        raise Conflict(NOTHING_JUDGED)
    return found


def _slot(searcher: Searcher, key: str) -> int | str:
    slot = searcher.snapshot.slot_of(key)
    return key if slot is None else slot


def evaluate(served: Served, tried: TryOut) -> Evaluation:
    """The stored settings with what is tried in them, on all judged queries."""
    ranking = served.ranking_for(tried)
    searcher = served.index.searcher
    judged = judged_queries(served.indexer, served, searcher)
    with engine_errors():
        return Evaluation([measure(served, searcher, each, ranking) for each in judged])


def measure(served: Served, searcher: Searcher, judged: Judged, ranking: Ranking) -> QueryMeasures:
    """Ask one query and compare."""
    ranked = _ranked(served, searcher, judged.query, ranking)
    relevant = judged.relevant
    return QueryMeasures(
        id=judged.id,
        query=judged.text,
        ndcg_at_10=ndcg_at(ranked, judged.grades, 10),
        map=average_precision(ranked, relevant),
        precision_at_5=precision_at(ranked, relevant, 5),
        relevant=len(relevant),
        found=len(relevant & set(ranked)),
    )


def _ranked(served: Served, searcher: Searcher, query: Query, ranking: Ranking) -> list[Any]:
    """The slots that a search shows, best first: without unsafe documents and near-duplicates where it hides them."""
    snapshot, wish = searcher.snapshot, SearchWish()
    request = Asked(served, snapshot.schema).request(wish, offset=0, limit=DEPTH)
    hits = searcher.search(query, ranking, replace(request, count=False, deadline_seconds=QUERY_SECONDS)).hits
    if hides_duplicates(served, snapshot, wish):
        hits = [each.hit for each in leaders_of(snapshot, hits)]
    return [hit.slot for hit in hits]


def compare(one: Evaluation, other: Evaluation) -> dict[str, Any]:
    """Both side by side, and for which queries the second is better, worse, or the same (by nDCG)."""
    pairs = list(zip(one.queries, other.queries, strict=True))
    differences = [
        {"id": a.id, "query": a.query, "difference": b.ndcg_at_10 - a.ndcg_at_10, "first": a.ndcg_at_10}
        | {"second": b.ndcg_at_10}
        for a, b in pairs
    ]
    return {
        "first": one.to_json(),
        "second": other.to_json(),
        "differences": differences,
        "better": sum(each["difference"] > SAME for each in differences),
        "worse": sum(each["difference"] < -SAME for each in differences),
        "same": sum(abs(each["difference"]) <= SAME for each in differences),
    }
