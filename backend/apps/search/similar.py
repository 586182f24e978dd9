"""Documents like one: by the words that tell most about it."""

import math
import time
from collections import Counter
from typing import Any, Final

import numpy as np

from backend.apps.errors import Invalid
from backend.apps.search.answer_bytes import to_json
from backend.apps.search.asked import DEADLINE_SECONDS, Asked
from backend.apps.search.asking import describe_index, engine_errors, with_milliseconds
from backend.apps.search.errors import NoSuchDocument
from backend.apps.search.presenting import Presenter
from backend.apps.search.served import Served
from backend.apps.search.wishes import SearchWish
from backend.search_engine.index import Snapshot
from backend.search_engine.index.surfaces import cut_term
from backend.search_engine.query import MatchAll, Node, Or, Query, Word
from backend.search_engine.search import Searcher, SearchRequest
from backend.search_engine.text import Analyzer

MAX_WORDS: Final = 25
"""So many of a document's words are asked for."""
MAX_CANDIDATES: Final = 200
MAX_CHARACTERS: Final = 20_000
MAX_LIMIT: Final = 50
MIN_LETTERS: Final = 2


def answer_similar(served: Served, key: str, *, limit: int = 10) -> bytes:
    """The documents most like the one with this key, without it."""
    began = time.perf_counter()
    if not 1 <= limit <= MAX_LIMIT:
        raise Invalid({"limit": [f"Give a whole number from 1 to {MAX_LIMIT}."]})
    with engine_errors():
        index = served.index
        searcher = index.searcher
        slot = searcher.snapshot.slot_of(key)
        if slot is None:
            raise NoSuchDocument("The index has no document with this key. Take the key of a result.")
        query = telling_query(searcher, slot)
        safe = Asked(served, searcher.snapshot.schema).request(SearchWish(), offset=0, limit=limit + 1).filters
        request = SearchRequest(limit=limit + 1, filters=safe, deadline_seconds=DEADLINE_SECONDS)
        hits = [hit for hit in searcher.search(query, served.ranking, request) if hit.slot != slot][:limit]
        presenter = Presenter(served, searcher, query, index.documents)
        results = presenter.results(hits, first_rank=1)
    answer = {"key": key, "results": results, "index": describe_index(index, searcher.snapshot)}
    return with_milliseconds(to_json(answer), began)


def telling_query(searcher: Searcher, slot: int) -> Query:
    """A query for any of the words that a document has often and others seldom, each with its weight."""
    snapshot = searcher.snapshot
    stored = snapshot.stored(slot)
    weighed: dict[str, float] = {}
    for group, analyzer in zip(snapshot.schema.groups, searcher.analyzers, strict=True):
        texts = [str(stored[each.name])[:MAX_CHARACTERS] for each in group.fields if stored.get(each.name)]
        weighed |= _weighed(snapshot, group.number, analyzer, "\n".join(texts))
    best = sorted(weighed, key=lambda word: (-weighed[word], word))[:MAX_WORDS]
    most = weighed[best[0]] if best else 1.0
    words = tuple(Word(word, boost=max(0.01, weighed[word] / most)) for word in best)
    return Query(_any_of(words), (), " ".join(best))


def _any_of(words: tuple[Word, ...]) -> Node:
    return Or(words) if len(words) > 1 else words[0] if words else MatchAll()


def _weighed(snapshot: Snapshot, group: int, analyzer: Analyzer, text: str) -> dict[str, float]:
    """Written form → tf · idf, for the words that another document has too."""
    counts: Counter[str] = Counter()
    forms: dict[str, str] = {}
    for token in analyzer.tokens(text):
        if len(token.term) >= MIN_LETTERS:
            counts[token.term] += 1
            forms.setdefault(token.term, text[token.start : token.end])
    found = {}
    for term, count in counts.most_common(MAX_CANDIDATES):
        df = _document_frequency(snapshot, group, term)
        if df > 1:
            found[forms[term]] = (1 + math.log(count)) * math.log(1 + snapshot.live_documents / df)
    return found


def _document_frequency(snapshot: Snapshot, group: int, term: str) -> int:
    """In how many documents a term is, without reading their list."""
    wanted = np.frombuffer(cut_term(term), dtype=np.uint8)
    found: list[Any] = [each.segment.groups[group].find(wanted) for each in snapshot.segments]
    return sum(info.df for info in found if info is not None)
