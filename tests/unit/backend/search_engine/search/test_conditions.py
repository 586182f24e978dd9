"""Conditions on columns: each narrows the result as it says, and one that cannot be met is told."""

from pathlib import Path

import pytest

from backend.search_engine.index import Field, FieldKind, IndexWriter, Schema, open_snapshot
from backend.search_engine.query import Joining, parse_query
from backend.search_engine.search import Hits, Searcher, SearchRequest
from tests.unit.backend.search_engine.corpus import PLAIN

SCHEMA = Schema(
    [
        Field("title", analysis=PLAIN),
        Field("brand", FieldKind.KEYWORD),
        Field("price", FieldKind.NUMBER),
        Field("day", FieldKind.DATE),
    ]
)
DOCUMENTS = {
    "apple": {"title": "green tea", "brand": ["Apple"], "price": 12.0, "day": "2024-01-31"},
    "pear": {"title": "black tea", "brand": ["Pear Company", "Applied"], "price": 1299.0, "day": "2024-02-01"},
    "plum": {"title": "white tea", "brand": ["Plum"], "price": 35.0, "day": "2023-05-05"},
    "none": {"title": "coffee", "brand": [], "price": None, "day": None},
}


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Searcher:
    folder: Path = tmp_path_factory.mktemp("conditions")
    with IndexWriter(folder, SCHEMA, merges=False) as writer:
        for key, document in DOCUMENTS.items():
            writer.put(key, document)
            writer.commit()
    return Searcher(open_snapshot(folder))


def search(searcher: Searcher, text: str, joining: Joining = Joining.AND) -> Hits:
    query = parse_query(text, joining=joining, fields=[each.name for each in SCHEMA.fields])
    hits = searcher.search(query, request=SearchRequest(count=True))
    assert hits.total == len(hits)
    for hit in hits:
        assert searcher.explain(query, hit.key) is not None
    return hits


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tea brand:app*", {"apple", "pear"}),
        ("brand:APP*", {"apple", "pear"}),
        ("tea -brand:app*", {"plum"}),
        ("brand:aple~", {"apple"}),
        ("tea brand:plam~1", {"plum"}),
        ("* -brand:plam~1", {"apple", "pear", "none"}),
        ('brand:"pear company"', {"pear"}),
        ("brand:x*", set()),
        ("price:>1,000", {"pear"}),
        ("price:<=1.299,00", {"apple", "pear", "plum"}),
        ("price:(10..20 OR 30..40)", {"apple", "plum"}),
        ("price:(>10 AND <20)", {"apple"}),
        ("price:(>10 <20) tea", {"apple"}),
        ("tea price: 10..20", {"apple"}),
        ("title: coffee", {"none"}),
        ("tea -price:(12 OR 35)", {"pear"}),
        ("day:(2023 OR 2024-02)", {"pear", "plum"}),
    ],
)
def test_a_condition_finds_what_it_says(searcher: Searcher, text: str, expected: set[str]) -> None:
    assert {hit.key for hit in search(searcher, text)} == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("green coffee brand:apple", {"apple"}),
        ("tea coffee brand:app*", {"apple", "pear"}),
        ("tea coffee brand:aple~", {"apple"}),
        ("tea brand:apple brand:plum", {"apple", "plum"}),
        ("tea brand:apple price:35", set()),
        ("tea price:12 price:35", {"apple", "plum"}),
        ("tea day:2024 -green", {"pear"}),
        ("(green coffee brand:apple)", {"apple"}),
        ("(green coffee brand:apple)^2", {"apple"}),
        ("brand:apple brand:plum", {"apple", "plum"}),
        ("brand:apple", {"apple"}),
        ("coffee OR brand:apple", {"none", "apple"}),
        ("coffee OR green brand:plum", {"none", "apple", "plum"}),
        ("coffee title:green", {"none", "apple"}),
        ("tea coffee price:(10..20 OR 30..40)", {"apple", "plum"}),
        ("tea coffee brand:(apple OR plum)", {"apple", "plum"}),
        ("tea coffee price:(12 OR 30..40)", {"apple", "plum"}),
    ],
)
def test_where_any_word_is_enough_a_column_still_narrows(searcher: Searcher, text: str, expected: set[str]) -> None:
    assert {hit.key for hit in search(searcher, text, Joining.OR)} == expected


def test_what_narrows_changes_no_score(searcher: Searcher) -> None:
    alone = {hit.key: hit.score for hit in search(searcher, "green tea", Joining.OR)}
    narrowed = {hit.key: hit.score for hit in search(searcher, "green tea brand:apple", Joining.OR)}
    assert narrowed == {"apple": alone["apple"]}


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("price:10-20", "price holds numbers, and 10-20 is none.", "Write price:10..20."),
        (
            "price:abc",
            "price holds numbers, and abc is none.",
            "Write for example price:10, price:10..20 or price:>10.",
        ),
        ("tea -price:abc", "price holds numbers, and abc is none.", "Write for example price:10,"),
        ("price:1*", "price holds numbers, so * finds nothing in it.", "Write for example price:10,"),
        ("day:2024~", "day holds dates, so ~ finds nothing in it.", "Write for example day:2024-01-31,"),
        ("day:monday", "day holds dates, and monday is none.", "Write for example day:2024-01-31,"),
        ("day:>10", "day holds dates, so no document lies in this range of it.", "Write for example day:2024-01-31,"),
        ("price:>2024-01", "price holds numbers, so no document lies in this range of it.", "Write for example price:"),
        ("title:10..20", "title holds text, so no document lies in this range of it.", "Ranges are for price, day."),
        ("brand:>5", "brand holds keywords, so no document lies in this range of it.", "Write brand:word."),
    ],
)
def test_a_condition_that_nothing_can_meet_is_told(searcher: Searcher, text: str, message: str, hint: str) -> None:
    hits = search(searcher, text)
    assert len(hits) == (3 if "-price" in text else 0)
    [notice] = hits.notices
    assert notice.message == message
    assert hint in notice.hint
    assert text[notice.position :].startswith(text.split(":")[1].rstrip("*~"))


@pytest.mark.parametrize("text", ["price:>cheap", "price: abc"])
def test_a_place_is_told_of_once(searcher: Searcher, text: str) -> None:
    assert len({notice.position for notice in search(searcher, text).notices}) == len(search(searcher, text).notices)


@pytest.mark.parametrize("text", ["price:12", "price:€12", "day:2024-01-31", "brand:5..x", "title:tea", "tea"])
def test_what_makes_sense_is_not_remarked_on(searcher: Searcher, text: str) -> None:
    assert [notice for notice in search(searcher, text).notices if "holds" in notice.message] == []
