"""Short runs of the hostile part of `./gleaner chaos index`."""

from pathlib import Path

import pytest

from backend.search_engine.errors import DeadlineExceededError
from backend.search_engine.index import open_snapshot
from backend.search_engine.query import parse_query
from backend.search_engine.search import Searcher, SearchRequest
from tests.chaos._hostile import find_late_formulas, find_late_queries
from tests.chaos.index import make_index


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Searcher:
    folder: Path = tmp_path_factory.mktemp("hostile")
    make_index(folder, 200)
    return Searcher(open_snapshot(folder))


def test_hostile_queries_end(searcher: Searcher) -> None:
    assert find_late_queries(searcher, 100, seed=3) == []


def test_hostile_formulas_end(searcher: Searcher) -> None:
    assert find_late_formulas(searcher, 60, seed=3) == []


def test_time_that_has_run_out_is_a_sentence(searcher: Searcher) -> None:
    with pytest.raises(DeadlineExceededError, match="fewer or rarer words"):
        searcher.search(parse_query("wordaa wordba"), None, SearchRequest(deadline_seconds=-1))
