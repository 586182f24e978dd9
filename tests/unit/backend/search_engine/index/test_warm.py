"""A new generation is made ready before it answers, and the old one stays ready until then."""

from pathlib import Path

import numpy as np

from backend.search_engine.index import Field, FieldKind, IndexWriter, Schema
from backend.search_engine.index.snapshot import IndexReader, Snapshot
from backend.search_engine.query import parse_query
from backend.search_engine.search import KeywordFilter, Searcher, SearchRequest, Sort

SCHEMA = Schema([Field("name"), Field("price", FieldKind.NUMBER), Field("brand", FieldKind.KEYWORD)])
REQUEST = SearchRequest(filters=[KeywordFilter("brand", ("acme",))], sort=Sort("price"))
QUERY = parse_query("green tea")


def write(folder: Path, names: list[str]) -> None:
    with IndexWriter(folder, SCHEMA) as writer:
        for name in names:
            writer.put(name, {"name": name, "price": len(name), "brand": "acme"})
        writer.commit()


def kept(snapshot: Snapshot) -> set[object]:
    """But for filters, which are made of columns."""
    return {key[1:] for key in snapshot.cache.keys_of(snapshot.generation) if not isinstance(key[1], KeywordFilter)}


def test_what_searches_used_is_ready_in_the_next_generation(tmp_path: Path) -> None:
    write(tmp_path, ["green tea", "black tea"])
    reader = IndexReader(tmp_path)
    old = reader.snapshot()
    Searcher(old).search(QUERY, request=REQUEST)
    write(tmp_path, ["green green tea"])
    new = reader.snapshot(keeps_older=True)
    steps = sum(1 for _ in new.warm(old))
    assert steps == len(kept(old)) > 4
    assert kept(new) == kept(old)
    assert [hit.key for hit in Searcher(new).search(QUERY, request=REQUEST)] == ["green green tea", "green tea"]
    assert np.array_equal(new.numbers("price")[new.alive > 0], [9.0, 9.0, 15.0])


def test_the_older_generation_stays_ready_until_it_is_let_go(tmp_path: Path) -> None:
    write(tmp_path, ["green tea"])
    reader = IndexReader(tmp_path)
    old = reader.snapshot()
    Searcher(old).search(QUERY, request=REQUEST)
    before = kept(old)
    write(tmp_path, ["black tea"])
    reader.snapshot(keeps_older=True)
    assert kept(old) == before
    reader.forget_older()
    assert not kept(old)
    Searcher(old).search(QUERY, request=REQUEST)
    write(tmp_path, ["white tea"])
    reader.snapshot()
    assert not kept(old), "without a word it is let go at once"
