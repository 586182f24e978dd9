"""Seed 002's bonuses, by hand and by brute force, and that they read no more documents than they must."""

import math
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from backend.search_engine.errors import DeadlineExceededError, RankingError
from backend.search_engine.index import Field, IndexWriter, Schema, Snapshot, open_snapshot
from backend.search_engine.query import Joining, parse_query
from backend.search_engine.ranking import Bonuses, Ranking
from backend.search_engine.ranking.formula import parse_formula
from backend.search_engine.search import Searcher, SearchRequest, Sort, TermsFacet
from backend.search_engine.search.bonuses import BonusScorer
from backend.search_engine.search.deadline import Deadline
from backend.search_engine.text import Analysis
from tests.unit.backend.search_engine.corpus import SCHEMA, WORDS, make_documents, write_index


@pytest.fixture
def searcher(tmp_path: Path) -> Searcher:
    with IndexWriter(tmp_path, SCHEMA) as writer:
        writer.put("whole", {"title": "University of Freiburg", "body": "a text"})
        writer.put("near", {"title": "Universty of Freiburg", "body": "university"})
        writer.put("some", {"title": "Freiburg", "body": "university of"})
        writer.put("none", {"title": "", "body": "university of freiburg"})
        for i in range(4):
            writer.put(str(i), {"title": "other", "body": "words"})
        writer.commit()
    return Searcher(open_snapshot(tmp_path))


def gains(searcher: Searcher, bonuses: Bonuses) -> dict[str, float]:
    query = parse_query("University of Freiburg", joining=Joining.OR)
    plain = {hit.key: hit.score for hit in searcher.search(query)}
    given = {hit.key: hit.score for hit in searcher.search(query, Ranking(bonuses=bonuses))}
    return {key: given[key] - plain[key] for key in plain}


def test_overlap_is_scaled_by_idf(searcher: Searcher) -> None:
    idf = math.log2(8 / 4)
    assert gains(searcher, Bonuses({"title": 10})) == pytest.approx(
        {"whole": 30 * idf, "near": 20 * idf, "some": 10 * idf, "none": 0}
    )


def test_each_field_counts_by_its_own_weight(tmp_path: Path) -> None:
    documents = {
        "title": {"title": "green tea", "headings": "cups"},
        "headings": {"title": "cups", "headings": "green tea"},
        "each": {"title": "green", "headings": "tea"},
        "both": {"title": "green tea", "headings": "green tea"},
    }
    schema = Schema([Field("title"), Field("headings"), Field("body")])
    with IndexWriter(tmp_path, schema) as writer:
        for key in (*documents, "4", "5", "6", "7"):
            writer.put(key, {**documents.get(key, {}), "body": "green tea" if key in documents else "other words"})
        writer.commit()
    searcher = Searcher(open_snapshot(tmp_path))
    query = parse_query("green tea")
    plain = {hit.key: hit.score for hit in searcher.search(query)}
    for weights, wanted in (
        ({"title": 3.0, "headings": 1.0}, {"title": 6, "headings": 2, "each": 4, "both": 6}),
        ({"title": 1.0, "headings": 3.0}, {"title": 2, "headings": 6, "each": 4, "both": 6}),
        ({"title": 0.0, "headings": 3.0}, {"title": 0, "headings": 6, "each": 3, "both": 6}),
        ({"title": 2.0, "headings": 2.0}, {"title": 4, "headings": 4, "each": 4, "both": 4}),
    ):
        ranking = Ranking(bonuses=Bonuses(weights))
        given = searcher.search(query, ranking)
        assert {hit.key: hit.score - plain[hit.key] for hit in given} == pytest.approx(wanted)  # idf is 1
        assert [searcher.explain(query, hit.key, ranking).score for hit in given] == pytest.approx(  # type: ignore[union-attr]
            [hit.score for hit in given]
        )


def test_the_whole_query_is_scaled_by_its_length(searcher: Searcher) -> None:
    wanted = {"whole": 15.0, "near": 0.0, "some": 0.0, "none": 0.0}
    assert gains(searcher, Bonuses({"title": 0.0}, whole=5)) == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("language", "query", "titles"),
    [
        ("en", "lord of the rings", {"The Lord of the Rings": 10.0, "Lord Rings": 0.0, "Rings of the Lord": 0.0}),
        ("en", "the lord rings", {"The Lord of the Rings": 0.0, "Lord Rings": 10.0}),
        ("en", "of the lord", {"The Lord of the Rings": 5.0, "Lord Rings": 5.0}),
        ("de", "Bücher für Mädchen", {"Bücher für Mädchen": 10.0, "Bücher Mädchen": 0.0}),
    ],
)
def test_words_that_are_left_out_leave_gaps_in_the_whole_query(
    tmp_path: Path, language: str, query: str, titles: dict[str, float]
) -> None:
    schema = Schema([Field("title", analysis=Analysis(language, stop_words=True))])
    with IndexWriter(tmp_path, schema) as writer:
        for title in (*titles, *["Something else"] * 5):
            writer.put(title, {"title": title})
        writer.commit()
    searcher = Searcher(open_snapshot(tmp_path))
    parsed = parse_query(query, joining=Joining.OR)
    plain = {hit.key: hit.score for hit in searcher.search(parsed)}
    given = searcher.search(parsed, Ranking(bonuses=Bonuses({"title": 0.0}, whole=5)))
    assert {hit.key: hit.score - plain[hit.key] for hit in given} == pytest.approx(titles, abs=1e-9)


def test_nearly_the_query_is_a_subsequence(searcher: Searcher) -> None:
    wanted = {"whole": 7.0, "near": 7.0, "some": 0.0, "none": 0.0}
    assert gains(searcher, Bonuses({"title": 0.0}, subsequence=7)) == pytest.approx(wanted)


def test_negative_bonuses_are_refused() -> None:
    with pytest.raises(RankingError, match="0 to switch it off"):
        Bonuses({"title": -1})


def test_the_window_agrees_with_scoring_everything(tmp_path: Path) -> None:
    write_index(tmp_path, make_documents(800))
    searcher = Searcher(open_snapshot(tmp_path))
    ranking = Ranking(bonuses=Bonuses({"title": 2.0}, whole=3.0))
    for start in range(20):
        query = parse_query(" ".join(WORDS[start : start + 3]), joining=Joining.OR)
        page = searcher.search(query, ranking)
        everything = searcher.search(query, ranking, SearchRequest(limit=5000))
        assert len(page) == 10
        assert [hit.score for hit in page] == pytest.approx([hit.score for hit in everything][:10], rel=1e-12)


def common_subsequence(left: str, right: str) -> int:
    row = [0] * (len(right) + 1)
    for letter in left:
        before = row
        row = [0]
        for i, other in enumerate(right):
            row.append(before[i] + 1 if letter == other else max(before[i + 1], row[i]))
    return row[-1]


ALL_BONUSES = Bonuses({"title": 0.5}, whole=1.5, subsequence=4.0)


class Crowd:
    """Many documents, some with titles that look like queries, and the bonuses of each without an index."""

    def __init__(self, folder: Path) -> None:
        self.documents = make_documents(700)
        for i in range(60):
            words = WORDS[i % 9 : i % 9 + 3]
            title = (" ".join(words), "x".join(words), " ".join(reversed(words)), f"{words[0]} of {words[1]}")[i % 4]
            self.documents[f"title{i}"] = {"title": title, "body": " ".join(WORDS[i : i + 30])}
        write_index(folder, self.documents, per_commit=300)
        self.searcher = Searcher(open_snapshot(folder))
        self.titles = {key: str(each["title"]) for key, each in self.documents.items()}

    @cache  # noqa: B019
    def bonus(self, key: str, words: tuple[str, ...]) -> float:
        title, query = self.titles[key], " ".join(words)
        shared = set(words) & set(title.split())
        total = sum(0.5 * self.idf(word) for word in shared)
        total += 1.5 * len(words) if f" {query} " in f" {title} " else 0
        is_near = shared and common_subsequence(query, title) >= math.ceil(0.9 * len(query))
        return total + (4.0 if is_near else 0)

    @cache  # noqa: B019
    def idf(self, word: str) -> float:
        df = sum(word in f"{each['title']} {each['body']}".split() for each in self.documents.values())
        return math.log2(len(self.documents) / df)

    def text(self, query: str) -> dict[str, float]:
        hits = self.searcher.search(parse_query(query, joining=Joining.OR), None, SearchRequest(limit=5000))
        return {hit.key: hit.score for hit in hits}


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Crowd:
    return Crowd(tmp_path_factory.mktemp("crowd"))


REQUESTS = (
    SearchRequest(),
    SearchRequest(facets={"tag": TermsFacet("tag")}),
    SearchRequest(facets={"tag": TermsFacet("tag")}, offset=15, limit=25),
)


@pytest.mark.parametrize("request_", REQUESTS, ids=("window", "facets", "page"))
@pytest.mark.parametrize("formula", [None, "sqrt(text) * 3"])
def test_all_bonuses_agree_with_brute_force(crowd: Crowd, request_: SearchRequest, formula: str | None) -> None:
    ranking = Ranking(bonuses=ALL_BONUSES, formula=parse_formula(formula) if formula else None)
    for start in range(0, 9, 2):
        words = WORDS[start : start + 3]
        plain = crowd.text(" ".join(words))
        wanted = {key: score + crowd.bonus(key, tuple(words)) for key, score in plain.items()}
        assert len(plain) > 300
        if formula:
            wanted = {key: 3 * math.sqrt(score) for key, score in wanted.items()}
        best = sorted(wanted.values(), reverse=True)[request_.offset : request_.offset + request_.limit]
        hits = crowd.searcher.search(parse_query(" ".join(words), joining=Joining.OR), ranking, request_)
        assert [hit.score for hit in hits] == pytest.approx(best, rel=1e-9)
        assert [wanted[hit.key] for hit in hits] == pytest.approx(best, rel=1e-9)


def test_sorted_results_have_all_bonuses(crowd: Crowd) -> None:
    words = WORDS[2:5]
    plain = crowd.text(" ".join(words))
    query = parse_query(" ".join(words), joining=Joining.OR)
    hits = crowd.searcher.search(query, Ranking(bonuses=ALL_BONUSES), SearchRequest(sort=Sort("price")))
    wanted = [plain[hit.key] + crowd.bonus(hit.key, tuple(words)) for hit in hits]
    assert [hit.score for hit in hits] == pytest.approx(wanted, rel=1e-9)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The slots of the documents that are read."""
    slots_read: list[int] = []
    stored_of = Snapshot.stored_of

    def noticed(snapshot: Snapshot, slots: NDArray[np.int64]) -> Iterator[dict[str, Any]]:
        slots_read.extend(slots.tolist())
        return stored_of(snapshot, slots)

    monkeypatch.setattr(Snapshot, "stored_of", noticed)
    return slots_read


@pytest.fixture
def many(tmp_path: Path) -> Searcher:
    """Titles of which all share a word with `tea cup`, and the first fifty are near it."""
    with IndexWriter(tmp_path, SCHEMA) as writer:
        for i in range(3000):
            title = "tea cup" if i < 50 else "tea"
            writer.put(str(i), {"title": title, "body": " ".join(["tea"] * (1 + i % 40)), "tag": "a"})
        for i in range(50):
            writer.put(f"other{i}", {"title": "other", "body": "words"})
        writer.commit()
    return Searcher(open_snapshot(tmp_path))


@pytest.mark.parametrize("request_", REQUESTS[:2], ids=("window", "facets"))
def test_only_contenders_are_read_and_each_once(many: Searcher, read: list[int], request_: SearchRequest) -> None:
    hits = many.search(parse_query("tea cup", joining=Joining.OR), Ranking(bonuses=ALL_BONUSES), request_)
    assert {int(hit.key) < 50 for hit in hits} == {True}
    assert 10 <= len(read) < 1000
    assert len(set(read)) == len(read)


def test_reading_stops_in_time(many: Searcher, read: list[int]) -> None:
    class Impatient(Deadline):
        def __init__(self) -> None:
            self.left = 3

        def check(self) -> None:
            self.left -= 1
            if not self.left:
                raise DeadlineExceededError("The time is up.")

    ranking = Ranking(bonuses=ALL_BONUSES)
    root = parse_query("tea cup", joining=Joining.OR).root
    scorer = BonusScorer(many.snapshot, many.matcher(ranking), ranking, root, Impatient())
    with pytest.raises(DeadlineExceededError):
        scorer.parts(np.arange(3000))
    assert 0 < len(read) < 3000
