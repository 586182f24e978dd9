"""The thesis' worked example (tables 1 and 2): three documents, their scores, and the ranking of a query."""

import re
from pathlib import Path

import pytest

from backend.search_engine.index import Field, IndexWriter, Schema, open_snapshot
from backend.search_engine.query import Joining, parse_query
from backend.search_engine.search import Searcher
from backend.search_engine.text import Analysis, Reduction

DOCUMENTS = (
    "The University of Freiburg, officially the Albert Ludwig University of Freiburg, is a public research university "
    "located in Freiburg im Breisgau, Baden-Württemberg, Germany.",
    "Freiburg im Breisgau, usually called simply Freiburg, is an independent city in the state of Baden-Württemberg in "
    "Germany.",
    "A university from Latin universitas 'a whole' is an institution of higher (or tertiary) education and research "
    "which awards academic degrees in several academic disciplines. Universities typically offer both undergraduate "
    "and postgraduate programs. In the United States, the designation is reserved for colleges that have a "
    "graduate school.",
)
SCORES = {
    "the": {1: 0.0, 2: 0.0, 3: 0.0},
    "university": {1: 1.0715011288144682, 3: 0.46664430652429906},
    "of": {1: 0.0, 2: 0.0, 3: 0.0},
    "freiburg": {1: 1.0715011288144682, 2: 0.975283837792052},
    "officially": {1: 1.7407388463458566},
    "albert": {1: 1.7407388463458566},
    "ludwig": {1: 1.7407388463458566},
    "is": {1: 0.0, 2: 0.0, 3: 0.0},
    "a": {1: 0.6424549149886022, 3: 0.8859381868218585},
    "public": {1: 1.7407388463458566},
}


def thesis_words(text: str) -> str:
    """The thesis cuts at everything but a to z, and counts the empty word after the final full stop: 26, 21, 49."""
    return " ".join(word or "0" for word in re.split("[^a-z]+", text.lower()))


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Searcher:
    folder: Path = tmp_path_factory.mktemp("thesis")
    schema = Schema([Field("content", analysis=Analysis(reduction=Reduction.NONE))])
    with IndexWriter(folder, schema) as writer:
        for number, text in enumerate(DOCUMENTS, start=1):
            writer.put(str(number), {"content": thesis_words(text)})
        writer.commit()
    return Searcher(open_snapshot(folder))


def test_lengths_are_those_of_the_thesis(searcher: Searcher) -> None:
    snapshot = searcher.snapshot
    assert [snapshot.lengths(0, slot) for slot in range(3)] == [[26], [21], [49]]
    assert snapshot.average_lengths(snapshot.schema.groups[0]) == [32.0]


@pytest.mark.parametrize("word", SCORES)
def test_scores_are_those_of_the_table(searcher: Searcher, word: str) -> None:
    hits = searcher.search(parse_query(word))
    assert {int(hit.key): hit.score for hit in hits} == pytest.approx(SCORES[word], rel=1e-6, abs=1e-12)


def test_the_query_ranks_as_in_the_thesis(searcher: Searcher) -> None:
    hits = searcher.search(parse_query("university of freiburg", joining=Joining.OR))
    assert [(int(hit.key), int(100 * hit.score) / 100) for hit in hits] == [(1, 2.14), (2, 0.97), (3, 0.46)]
