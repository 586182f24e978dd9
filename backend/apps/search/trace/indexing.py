"""Indexed and ranked: in which indexes a document is, with how many words, and at which rank for a query."""

from collections.abc import Sequence, Set
from functools import cached_property
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
from backend.search_engine.search import Hit, Hits, Searcher
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
        trace.indexes += _in_index(indexer, documents, query)
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


def _in_index(indexer: Indexer, documents: Sequence[Document], query: str) -> list[dict[str, Any]]:
    """What one index knows of each of the documents; it is asked once for all of them."""
    try:
        served = SERVED.get(indexer)
        searcher = served.index.searcher
    except GleanerError as error:
        sentence = f"“{indexer.name}”: {error.message}"
        return [{**_nothing_told(indexer, document), "index_sentence": sentence} for document in documents]
    slots = [searcher.snapshot.slot_of(document_key(document)) for document in documents]
    ranks = _Ranks(served, searcher, query, {slot for slot in slots if slot is not None}) if query else None
    return [
        {**_nothing_told(indexer, document), **_of_document(indexer, searcher, document, slot, ranks)}
        for document, slot in zip(documents, slots, strict=True)
    ]


def _nothing_told(indexer: Indexer, document: Document) -> dict[str, Any]:
    return {
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


def _of_document(
    indexer: Indexer, searcher: Searcher, document: Document, slot: int | None, ranks: "_Ranks | None"
) -> dict[str, Any]:
    if slot is None:
        return {"index_sentence": _why_not_indexed(indexer, document)}
    generation, words = searcher.snapshot.generation, _words(searcher, slot)
    count = say_count(sum(words.values()), "word")
    sentence = f"“{indexer.name}” has it with {count} (generation {generation})."
    told = {"is_indexed": True, "generation": generation, "words": words, "index_sentence": sentence}
    return told | (ranks.tell(document, slot) if ranks is not None else {})


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


class _Ranks:
    """The ranks of some documents for a query: the index is searched once, and only where one of them fits."""

    def __init__(self, served: Served, searcher: Searcher, text: str, slots: Set[int]) -> None:
        self._served = served
        self._searcher = searcher
        self._text = text
        self._slots = slots
        self._wish = SearchWish(q=text)
        with engine_errors():
            self._query = understand(self._wish, served, searcher, served.index.aids.aid).query

    def tell(self, document: Document, slot: int) -> dict[str, Any]:
        """The rank, or what of the query the document does not have."""
        with engine_errors():
            explanation = self._searcher.explain(self._query, document_key(document), self._served.ranking)
            if explanation is None:
                return {"rank_sentence": _why_no_match(self._served, self._searcher, self._query, document)}
            place, total = self._places.get(slot), self._hits.total
        if place is None:
            return {"total": total, "rank_sentence": _why_hidden(self._served, total or 0)}
        leader = self._leaders[place]
        if leader != place:
            return {"total": total, "rank_sentence": _why_not_shown(self._served, self._hits.hits[leader])}
        rank = sum(other == at for at, other in enumerate(self._leaders[: place + 1]))
        sentence = f"It is number {rank:,} of {total:,} for “{self._text}” in “{self._served.indexer.name}”."
        return {"rank": rank, "total": total, "rank_sentence": sentence, "explanation": explain_json(explanation)}

    @cached_property
    def _hits(self) -> Hits:
        request = Asked(self._served, self._searcher.snapshot.schema).request(self._wish, offset=0, limit=MAX_RANK)
        return self._searcher.search(self._query, self._served.ranking, request)

    @cached_property
    def _places(self) -> dict[int, int]:
        """Where in the hits the documents are, by slot."""
        return {hit.slot: place for place, hit in enumerate(self._hits.hits) if hit.slot in self._slots}

    @cached_property
    def _leaders(self) -> list[int]:
        """Of each hit the place of the one that stands for it: itself, unless near-duplicates are hidden."""
        snapshot, hits = self._searcher.snapshot, self._hits.hits[: max(self._places.values()) + 1]
        if not hides_duplicates(self._served, snapshot, self._wish):
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
