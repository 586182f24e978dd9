"""Scores are exact to double precision, and so is the order, where impacts cannot tell documents apart."""

from itertools import pairwise
from pathlib import Path

import pytest

from backend.search_engine.index import Field, IndexWriter, Schema, open_snapshot
from backend.search_engine.query import Joining, parse_query
from backend.search_engine.ranking import Bm25, Bonuses, Ranking
from backend.search_engine.ranking.formula import parse_formula
from backend.search_engine.search import Searcher, SearchRequest, Sort
from backend.search_engine.text import Analysis, Analyzer
from tests.unit.backend.search_engine.brute_force import BruteForce
from tests.unit.backend.search_engine.corpus import BOOSTS, PLAIN, SCHEMA, WORDS, make_documents, write_index

FLAT = Bm25(b=1e-7)
"""Length hardly counts: less than an impact can hold."""
DOCUMENTS = 60


def write_bodies(folder: Path, bodies: list[str]) -> Searcher:
    with IndexWriter(folder, SCHEMA) as writer:
        for number, body in enumerate(bodies):
            writer.put(str(number), {"body": body})
        writer.commit()
    return Searcher(open_snapshot(folder))


@pytest.fixture
def shorter_and_shorter(tmp_path: Path) -> Searcher:
    """Each document is a word shorter than the one before, so the last ones are the best; another lacks the words."""
    return write_bodies(tmp_path, [*(f"some phrase {'x ' * (DOCUMENTS - i)}" for i in range(DOCUMENTS)), "other"])


@pytest.mark.parametrize(
    "text", ["some", "some phrase", "some OR phrase", '"some phrase"', "phra*", '"some phrase" some']
)
@pytest.mark.parametrize(
    "ranking",
    [
        Ranking(bm25=FLAT),
        Ranking(bm25=FLAT, bonuses=Bonuses({"title": 1.0})),
        Ranking(bm25=FLAT, formula=parse_formula("text * 2")),
    ],
)
def test_differences_too_small_for_impacts_decide(shorter_and_shorter: Searcher, text: str, ranking: Ranking) -> None:
    hits = shorter_and_shorter.search(parse_query(text), ranking, SearchRequest(limit=10))
    assert [hit.key for hit in hits] == [str(DOCUMENTS - 1 - i) for i in range(10)]
    scores = [hit.score for hit in hits]
    assert all(one > next_one > one * (1 - 1e-7) for one, next_one in pairwise(scores))


def test_pages_continue_each_other(shorter_and_shorter: Searcher) -> None:
    for ranking in (Ranking(bm25=FLAT), Ranking(bm25=FLAT, formula=parse_formula("text"))):
        pages = [
            shorter_and_shorter.search(parse_query("some"), ranking, SearchRequest(limit=7, offset=at))
            for at in range(0, DOCUMENTS, 7)
        ]
        assert [hit.key for page in pages for hit in page] == [str(i) for i in reversed(range(DOCUMENTS))]


def test_equal_documents_keep_their_order(tmp_path: Path) -> None:
    searcher = write_bodies(tmp_path, ["same words here"] * 300 + ["other"])
    for text in ("same", "same here", '"same words"', "*"):
        hits = searcher.search(parse_query(text), Ranking(), SearchRequest(limit=10, count=True))
        assert [hit.key for hit in hits] == [str(i) for i in range(10)]
        assert hits.total == (301 if text == "*" else 300)


def test_words_that_are_very_frequent_in_a_field_are_counted(tmp_path: Path) -> None:
    bodies = {str(tf): "word " * tf + "rest" for tf in (1, 14, 15, 16, 127, 128, 300, 20_000)}
    documents = {key: {"title": "word" if len(key) > 2 else "", "body": body} for key, body in bodies.items()}
    documents["none"] = {"title": "", "body": "rest"}
    with IndexWriter(tmp_path, SCHEMA) as writer:
        for key, document in documents.items():
            writer.put(key, document)
        writer.commit()
    wanted = BruteForce(documents, Analyzer(PLAIN), BOOSTS).term("word")
    found = {hit.key: hit.score for hit in Searcher(open_snapshot(tmp_path)).search(parse_query("word"))}
    assert found == pytest.approx(wanted, rel=1e-12)


def test_rare_fields_of_frequent_words_are_found_between_deleted_documents(tmp_path: Path) -> None:
    documents: dict[str, dict[str, object]] = {}
    with IndexWriter(tmp_path, SCHEMA, merges=False) as writer:
        for number in range(1500):
            document = {"title": "word" if number % 97 == 3 else "no", "body": f"word {'x ' * (number % 13)}"}
            documents[str(number)] = document  # type: ignore[assignment]
            writer.put(str(number), document)
            if number % 400 == 399:
                writer.commit()
        writer.commit()
        for number in range(1500):
            if number % 7 < 5 and number % 97 != 3:
                writer.delete(str(number))
                documents.pop(str(number))
        writer.commit()
    truth = BruteForce(documents, Analyzer(PLAIN), BOOSTS)  # type: ignore[arg-type]
    query = parse_query("title:word", fields={"title"})
    hits = Searcher(open_snapshot(tmp_path)).search(query, Ranking(), SearchRequest(limit=100))
    assert {hit.key: hit.score for hit in hits} == pytest.approx(truth.term("word", ["title"]), rel=1e-12)


def test_every_hit_has_the_score_that_is_explained(tmp_path: Path) -> None:
    schema = Schema([Field("title", analysis=PLAIN, boost=3.0), Field("body", analysis=Analysis(language="en"))])
    with IndexWriter(tmp_path, schema) as writer:
        for key, document in make_documents(400).items():
            writer.put(key, {name: document[name] for name in ("title", "body")})
        writer.commit()
    analyzers = [Analyzer(group.analysis, synonyms=[[WORDS[1], f"{WORDS[2]} {WORDS[3]}"]]) for group in schema.groups]
    searcher = Searcher(open_snapshot(tmp_path), analyzers)
    texts = (
        f"{WORDS[0]} {WORDS[1]}^3",
        f"{WORDS[2]} {WORDS[3]} {WORDS[4]}",
        f"({WORDS[5]} AND {WORDS[0]}) {WORDS[9]}~1",
    )
    for text in texts:
        query = parse_query(text, joining=Joining.OR)
        hits = searcher.search(query, Ranking(word_weights={WORDS[0]: 0.0}), SearchRequest(limit=40))
        assert len(hits) == 40
        for hit in hits:
            explanation = searcher.explain(query, hit.key, Ranking(word_weights={WORDS[0]: 0.0}))
            assert explanation is not None
            assert explanation.score == pytest.approx(hit.score, rel=1e-12, abs=1e-15)


def test_sorted_pages_have_exact_scores(tmp_path: Path) -> None:
    documents = make_documents(300)
    write_index(tmp_path, documents)
    truth = BruteForce(documents, Analyzer(PLAIN), BOOSTS).term(WORDS[0])  # type: ignore[arg-type]
    hits = Searcher(open_snapshot(tmp_path)).search(parse_query(WORDS[0]), Ranking(), SearchRequest(sort=Sort("price")))
    assert len(hits) == 10
    for hit in hits:
        assert hit.score == pytest.approx(truth[hit.key], rel=1e-12)
