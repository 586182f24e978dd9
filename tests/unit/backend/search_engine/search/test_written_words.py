"""Words with `~` and `*` mean written words, also where the index keeps stems."""

from pathlib import Path

import pytest

from backend.search_engine.fuzzy import TypingAid, WordCounter
from backend.search_engine.index import Field, IndexWriter, Schema, open_snapshot
from backend.search_engine.query import parse_query
from backend.search_engine.search import Searcher

TEXTS = {
    "sweet": "Hot chocolate with milk",
    "joy": "A happiness that lasts",
    "black": "Coffee without sugar",
    "street": "A small café in Paris",
    "word": "Please send your résumé",
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> tuple[Searcher, TypingAid]:
    folder: Path = tmp_path_factory.mktemp("stems")
    counter = WordCounter()
    with IndexWriter(folder, Schema([Field("body")])) as writer:
        for key, text in TEXTS.items():
            writer.put(key, {"body": text})
            counter.add(text)
        writer.commit()
    return Searcher(open_snapshot(folder)), TypingAid.build(counter.counts)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("choclate~", ["sweet"]),  # the stems choclat and chocol are three errors apart
        ("chocolat*", ["sweet"]),
        ("happin*", ["joy"]),
        ("cofee~1", ["black"]),  # the stems cofe and cafe are one error apart, the words two
        ("cofee~0", []),
        ("milk -choclate~", []),
        ("resume", ["word"]),
        ("résumé*", ["word"]),
        ("resum*", ["word"]),
    ],
)
def test_finds_what_was_written(engine: tuple[Searcher, TypingAid], query: str, found: list[str]) -> None:
    searcher, aid = engine
    assert [hit.key for hit in searcher.search(aid.widen(parse_query(query)))] == found


def test_a_query_of_plain_words_stays_as_it_is(engine: tuple[Searcher, TypingAid]) -> None:
    query = parse_query("hot chocolate")
    assert engine[1].widen(query) is query


def test_explains_a_word_found_with_an_error(engine: tuple[Searcher, TypingAid]) -> None:
    searcher, aid = engine
    query = aid.widen(parse_query("choclate~"))
    [hit] = searcher.search(query)
    explained = searcher.explain(query, "sweet")
    assert explained is not None
    assert explained.score == pytest.approx(hit.score)
    assert sum(part.score for part in explained.parts) == pytest.approx(explained.text)
