"""The ranking on a collection that everybody knows does not become worse."""

import os
from pathlib import Path

import pytest

from backend.search_engine.evaluation import Setup, evaluate
from backend.search_engine.text import Analysis
from tests.unit.backend.search_engine.evaluation.cranfield import write_collection


def cranfield() -> Path:
    sites = os.environ.get("GLEANER_REAL_SITES")
    folder = os.environ.get("GLEANER_CRANFIELD") or (sites and Path(sites).parent / "data" / "cranfield")
    if not folder:
        pytest.skip(
            "neither GLEANER_CRANFIELD nor GLEANER_REAL_SITES is set: the collection lies beside the real sites"
        )
    if not (Path(folder) / "cranqrel").exists():
        pytest.skip(f"there is no cranqrel in {folder}")
    return Path(folder)


def test_with_stems_and_without_stop_words_the_ranking_is_as_good_as_ever(tmp_path: Path) -> None:
    report = evaluate(*write_collection(cranfield(), tmp_path), Setup(analysis=Analysis(stop_words=True)))
    assert (report.queries, report.documents) == (225, 1400)
    assert report.ndcg_at_10 >= 0.37
    assert report.map >= 0.31
