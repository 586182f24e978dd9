"""Index a test collection, ask its queries, and measure the answers."""

import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from backend.search_engine.evaluation.collection import read_documents, read_judgements, read_queries
from backend.search_engine.evaluation.errors import CollectionError
from backend.search_engine.evaluation.measures import average_precision, ndcg_at, precision_at, recall_at
from backend.search_engine.index import Field, IndexWriter, Schema, open_snapshot
from backend.search_engine.query import MatchAll, Node, Or, Query, Word
from backend.search_engine.ranking.ranking import Ranking
from backend.search_engine.search import Searcher, SearchRequest
from backend.search_engine.text import Analysis, Analyzer

DEPTH: Final = 1_000
"""Results that count for a query, as in TREC."""
PAGE: Final = 10
"""Results that are timed: what a person waits for."""


@dataclass(frozen=True, slots=True)
class Setup:
    """How a collection is indexed and ranked. `fields` are names with boosts; empty takes every text field."""

    fields: Mapping[str, float] = field(default_factory=dict)
    analysis: Analysis = field(default_factory=lambda: Analysis(stop_words=True))
    ranking: Ranking = field(default_factory=Ranking)


@dataclass(frozen=True, slots=True)
class Report:
    """The means over the queries that have at least one relevant document."""

    ndcg_at_10: float
    map: float
    recall_at_100: float
    precision_at_5: float
    ms_per_query: float
    queries: int
    documents: int
    index_seconds: float
    missing: int = 0
    """Relevant documents of these queries that the collection does not have; each counts as not found."""

    def to_json(self) -> dict[str, float]:
        """Plain values, rounded as they are reported."""
        return {name: round(value, 4) for name, value in asdict(self).items()}


def evaluate(documents: Path, queries: Path, judgements: Path, setup: Setup | None = None) -> Report:
    """Measure one collection; CollectionError when its files cannot be used, AnalysisError for an unknown language."""
    setup = setup or Setup()
    Analyzer(setup.analysis)  # an unknown language is refused before anything is made
    asked, grades = read_queries(queries), read_judgements(judgements)
    relevant = {query: wanted for query in asked if (wanted := _relevant(grades.get(query, {})))}
    if not relevant:
        told = f"No query of {queries.name} has a relevant document in {judgements.name}."
        raise CollectionError(f"{told} Check that both files call the queries by the same ids.")
    judged = frozenset().union(*relevant.values())
    fields, known = _look_through(documents, setup, judged)
    if not known:
        told = f"None of the {len(judged):,} relevant documents of {judgements.name} is in {documents.name}."
        raise CollectionError(f"{told} Check that both files call the documents by the same ids.")
    with TemporaryDirectory(prefix="gleaner-eval-") as folder:
        count, seconds = _index(Path(folder), documents, setup.analysis, fields)
        searcher = Searcher(open_snapshot(Path(folder)))
        keys: dict[int, str] = {}
        answers = {query: _ask(searcher, asked[query], setup.ranking, keys) for query in relevant}
    return _report(answers, grades, documents=count, seconds=seconds, missing=len(judged) - len(known))


def _relevant(judged: Mapping[str, int]) -> frozenset[str]:
    return frozenset(document for document, grade in judged.items() if grade > 0)


def _look_through(documents: Path, setup: Setup, judged: Collection[str]) -> tuple[dict[str, float], set[str]]:
    """The fields to index with their boosts, and which of the judged documents there are."""
    names: dict[str, float] = {}
    known: set[str] = set()
    for identity, fields in read_documents(documents):
        names |= dict.fromkeys(fields, 1.0)
        if identity in judged:
            known.add(identity)
    if not names:
        told = f"{documents.name} has no documents with text."
        raise CollectionError(f'{told} Write one per line, as in {{"id": "1", "text": "Green tea"}}.')
    unknown = [name for name in setup.fields if name not in names]
    if unknown:
        told = f"No document of {documents.name} has text in a field “{unknown[0]}”."
        raise CollectionError(f"{told} Choose among {', '.join(sorted(names))}.")
    return dict(setup.fields) or names, known


def _index(folder: Path, documents: Path, analysis: Analysis, boosts: Mapping[str, float]) -> tuple[int, float]:
    started = time.perf_counter()
    schema = Schema(Field(name, analysis=analysis, boost=boost, stored=False) for name, boost in boosts.items())
    count = 0
    with IndexWriter(folder, schema) as writer:
        for identity, fields in read_documents(documents):
            writer.put(identity, {name: fields.get(name, "") for name in boosts})
            count += 1
        writer.commit()
    return count, time.perf_counter() - started


def _ask(searcher: Searcher, text: str, ranking: Ranking, keys: dict[int, str]) -> tuple[list[str], float]:
    """The keys found, best first, and the milliseconds that a page of ten took. `keys` are those already read."""
    query = Query(any_word_of(text), (), text)
    started = time.perf_counter()
    page = [hit.key for hit in searcher.search(query, ranking, SearchRequest(limit=PAGE, deadline_seconds=None))]
    milliseconds = 1000 * (time.perf_counter() - started)
    hits = searcher.search(query, ranking, SearchRequest(limit=DEPTH, deadline_seconds=None))
    deep = [keys.get(hit.slot) or keys.setdefault(hit.slot, hit.key) for hit in hits[len(page) :]]
    return page + deep, milliseconds


def any_word_of(text: str) -> Node:
    """A query for any word of a text; its signs mean nothing, since test queries are sentences.

    Only spaces part words: what is one word and what is several (3.5, C++, high-speed) is for the analysis to say.
    """
    words = tuple(Word(piece, any_part=True) for piece in text.split())
    return Or(words) if len(words) > 1 else words[0] if words else MatchAll()


def _report(
    answers: Mapping[str, tuple[Sequence[str], float]],
    grades: Mapping[str, Mapping[str, int]],
    *,
    documents: int,
    seconds: float,
    missing: int,
) -> Report:
    rows = []
    for query, (ranked, milliseconds) in answers.items():
        relevant = _relevant(grades[query])
        measures = (ndcg_at(ranked, grades[query], 10), average_precision(ranked, relevant))
        rows.append((*measures, recall_at(ranked, relevant, 100), precision_at(ranked, relevant, 5), milliseconds))
    ndcg, precision, recall, at_5, milliseconds = (_mean(column) for column in zip(*rows, strict=True))
    return Report(ndcg, precision, recall, at_5, milliseconds, len(rows), documents, seconds, missing)


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return sum(listed) / len(listed)
