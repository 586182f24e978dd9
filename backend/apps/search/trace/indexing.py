"""Indexed and ranked: in which indexes a document is, with how many words, and at which rank for a query."""

from collections.abc import Sequence
from typing import Any, Final

from django.db.models import Q

from backend.apps.crawlers.models import Crawler
from backend.apps.documents.models import Document
from backend.apps.errors import GleanerError
from backend.apps.indexers import standard_fields as standard
from backend.apps.indexers.crawler_choice import refusal_sentence
from backend.apps.indexers.models import BuildState, IndexBuild, Indexer
from backend.apps.indexers.serving import document_key
from backend.apps.search.asked import Asked
from backend.apps.search.asking import engine_errors, fingerprints_of, hides_duplicates
from backend.apps.search.corrections import understand
from backend.apps.search.presenting import explain_json
from backend.apps.search.served import SERVED, Served
from backend.apps.search.trace.steps import StepName, Trace
from backend.apps.search.wishes import SearchWish
from backend.search_engine.duplicates import group_near_duplicates
from backend.search_engine.query import And, Node, Or, Query, TextLeaf
from backend.search_engine.search import Hit, Searcher
from wording import say_count

MAX_RANK: Final = 10_000
NO_INDEXER: Final = "No indexer of the project takes documents of this template. Make one, or add a column from it."


def tell_index(trace: Trace, crawler: Crawler, documents: Sequence[Document], query: str) -> None:
    """Every indexer of the project that takes documents of the crawler's template; one without columns takes all."""
    takes = Q(columns__sources__inspector__template=crawler.template_id) | Q(columns=None)
    indexers = list(Indexer.objects.filter(takes, project=crawler.project_id).distinct().prefetch_related("crawlers"))
    if not indexers:
        trace.stopped(StepName.INDEXED, NO_INDEXER)
        return
    for indexer in indexers:
        trace.indexes += [_in_index(indexer, document, query) for document in documents]
    _tell(trace, StepName.INDEXED, "is_indexed", "index_sentence")
    if query and not trace.is_stopped:
        _tell(trace, StepName.RANKED, "rank", "rank_sentence")


def _tell(trace: Trace, name: StepName, member: str, sentence: str) -> None:
    """Passed when it is so in any index; the first index's sentence else."""
    good = [each for each in trace.indexes if each[member]]
    if good:
        trace.passed(name, " ".join(dict.fromkeys(each[sentence] for each in good)))
    else:
        trace.stopped(name, " ".join(dict.fromkeys(each[sentence] for each in trace.indexes if each[sentence])))


def _in_index(indexer: Indexer, document: Document, query: str) -> dict[str, Any]:
    told: dict[str, Any] = {
        "indexer": indexer.pk,
        "name": indexer.name,
        "document": document.pk,
        "is_indexed": False,
        "index_sentence": "",
        "generation": None,
        "words": {},
        "rank": None,
        "total": None,
        "rank_sentence": "",
        "explanation": None,
    }
    try:
        served = SERVED.get(indexer)
        searcher = served.index.searcher
    except GleanerError as error:
        return told | {"index_sentence": f"“{indexer.name}”: {error.message}"}
    slot = searcher.snapshot.slot_of(document_key(document))
    if slot is None:
        return told | {"index_sentence": _why_not_indexed(indexer, document)}
    told |= {"is_indexed": True, "generation": searcher.snapshot.generation, "words": _words(searcher, slot)}
    count = sum(told["words"].values())
    told["index_sentence"] = (
        f"“{indexer.name}” has it with {say_count(count, 'word')} (generation {told['generation']})."
    )
    return told | _ranked(served, searcher, document, slot, query) if query else told


def _words(searcher: Searcher, slot: int) -> dict[str, int]:
    """How many words of each searched field were indexed."""
    found: dict[str, int] = {}
    for group in searcher.snapshot.schema.groups:
        names = [each.name for each in group.fields]
        found |= dict(zip(names, searcher.snapshot.lengths(group.number, slot), strict=True))
    return found


def _why_not_indexed(indexer: Indexer, document: Document) -> str:
    if sentence := refusal_sentence(indexer, document.crawler_id):
        return sentence
    build = IndexBuild.objects.filter(indexer=indexer, state=BuildState.SERVED).first()
    held = IndexBuild.objects.filter(indexer=indexer, state=BuildState.HELD).first()
    if held is not None:
        return f"“{indexer.name}” has a newer build that is held back: {held.reason}"
    if build is not None and document.sequence > build.sequence:
        live = "It will be within seconds." if indexer.live else "Start the indexer to bring the index up to date."
        return f"“{indexer.name}” has not read it yet. {live}"
    return f"“{indexer.name}” does not have it. Rebuild the index."


def _ranked(served: Served, searcher: Searcher, document: Document, slot: int, text: str) -> dict[str, Any]:
    """The rank for a query, or what of the query the document does not have."""
    with engine_errors():
        wish = SearchWish(q=text)
        query = understand(wish, served, searcher, served.index.aids.aid).query
        explanation = searcher.explain(query, document_key(document), served.ranking)
        if explanation is None:
            return {"rank_sentence": _why_no_match(served, searcher, query, document)}
        request = Asked(served, searcher.snapshot.schema).request(wish, offset=0, limit=MAX_RANK)
        hits = searcher.search(query, served.ranking, request)
    rank = next((rank for rank, hit in enumerate(hits, start=1) if hit.slot == slot), None)
    if rank is None:
        return {"total": hits.total, "rank_sentence": _why_hidden(served, hits.total or 0)}
    leaders = _leaders(served, searcher, hits.hits[:rank])
    if leaders[-1] != rank - 1:
        return {"total": hits.total, "rank_sentence": _why_not_shown(served, hits.hits[leaders[-1]])}
    rank = sum(leader == place for place, leader in enumerate(leaders))
    sentence = f"It is number {rank:,} of {hits.total:,} for “{text}” in “{served.indexer.name}”."
    return {"rank": rank, "total": hits.total, "rank_sentence": sentence, "explanation": explain_json(explanation)}


def _leaders(served: Served, searcher: Searcher, hits: Sequence[Hit]) -> list[int]:
    """Of each hit the place of the one that stands for it: itself, unless near-duplicates are hidden."""
    snapshot = searcher.snapshot
    if not hides_duplicates(served, snapshot, SearchWish()):
        return list(range(len(hits)))
    found: list[int] = group_near_duplicates(fingerprints_of(snapshot, [hit.slot for hit in hits])).tolist()
    return found


def _why_not_shown(served: Served, better: Hit) -> str:
    [url] = better.fields.get(standard.URL) or ["another document"]
    return f"It fits the query, but is nearly equal to {url}, which “{served.indexer.name}” shows in its place."


def _why_hidden(served: Served, total: int) -> str:
    if total > MAX_RANK:
        return f"It fits the query, but {MAX_RANK:,} others come before it."
    return f"It fits the query, but safe search of “{served.indexer.name}” hides it."


def _why_no_match(served: Served, searcher: Searcher, query: Query, document: Document) -> str:
    key = document_key(document)
    missing = [
        part.text
        for part in _required(query.root)
        if searcher.explain(Query(part, (), part.text), key, served.ranking) is None
    ]
    if missing:
        return f"It does not have {', '.join(f'“{word}”' for word in missing)}."
    return f"It does not fit the query “{query.source}”."


def _required(node: Node) -> list[TextLeaf]:
    """The texts that a document must have."""
    parts = node.parts if isinstance(node, And | Or) else (node,)
    return [part for part in parts if isinstance(part, TextLeaf)]
