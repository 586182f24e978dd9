"""Seed 002's bonuses, by hand, and that the window they are given in loses nobody."""

import math
from pathlib import Path

import pytest

from backend.search_engine.errors import RankingError
from backend.search_engine.index import IndexWriter, open_snapshot
from backend.search_engine.query import Joining, parse_query
from backend.search_engine.ranking import Bonuses, Ranking
from backend.search_engine.search import Searcher, SearchRequest
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
    assert gains(searcher, Bonuses(("title",), overlap=10)) == pytest.approx(
        {"whole": 30 * idf, "near": 20 * idf, "some": 10 * idf, "none": 0}
    )


def test_the_whole_query_is_scaled_by_its_length(searcher: Searcher) -> None:
    wanted = {"whole": 15.0, "near": 0.0, "some": 0.0, "none": 0.0}
    assert gains(searcher, Bonuses(("title",), whole=5)) == pytest.approx(wanted)


def test_nearly_the_query_is_a_subsequence(searcher: Searcher) -> None:
    wanted = {"whole": 7.0, "near": 7.0, "some": 0.0, "none": 0.0}
    assert gains(searcher, Bonuses(("title",), subsequence=7)) == pytest.approx(wanted)


def test_negative_bonuses_are_refused() -> None:
    with pytest.raises(RankingError, match="0 to switch it off"):
        Bonuses(("title",), overlap=-1)


def test_the_window_agrees_with_scoring_everything(tmp_path: Path) -> None:
    write_index(tmp_path, make_documents(800))
    searcher = Searcher(open_snapshot(tmp_path))
    ranking = Ranking(bonuses=Bonuses(("title",), overlap=2.0, whole=3.0))
    for start in range(20):
        query = parse_query(" ".join(WORDS[start : start + 3]), joining=Joining.OR)
        page = searcher.search(query, ranking)
        everything = searcher.search(query, ranking, SearchRequest(limit=5000))
        assert len(page) == 10
        assert [hit.score for hit in page] == pytest.approx([hit.score for hit in everything][:10], rel=1e-12)
