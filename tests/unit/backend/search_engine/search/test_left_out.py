"""Words that an index does not keep: nothing is found by them alone, and that is said."""

from pathlib import Path

import pytest

from backend.search_engine.index import Field, FieldKind, IndexWriter, Schema, open_snapshot
from backend.search_engine.query import Joining, parse_query
from backend.search_engine.search import Hits, Searcher, SearchRequest
from backend.search_engine.text import Analysis

WITHOUT = Analysis(stop_words=True, extra_stop_words=frozenset({"acme"}), min_length=2)
WITH = Analysis()
DOCUMENTS = {
    "hamlet": {"text": "To be, or not to be: that is the question", "price": 5.0, "kind": "play"},
    "acme": {"text": "The kettle of Acme", "price": 20.0, "kind": "thing"},
}


def build(folder: Path, *fields: Field) -> Searcher:
    schema = Schema([*fields, Field("price", FieldKind.NUMBER), Field("kind", FieldKind.KEYWORD)])
    with IndexWriter(folder, schema) as writer:
        for key, document in DOCUMENTS.items():
            notes = {"notes": document["text"]} if "notes" in schema else {}
            writer.put(key, document | notes)
        writer.commit()
    return Searcher(open_snapshot(folder))


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Searcher:
    return build(tmp_path_factory.mktemp("left out"), Field("text", analysis=WITHOUT))


def search(searcher: Searcher, text: str, joining: Joining = Joining.AND) -> Hits:
    fields = {each.name for each in searcher.snapshot.schema.fields}
    return searcher.search(parse_query(text, joining=joining, fields=fields), request=SearchRequest(count=True))


def found(hits: Hits) -> set[str]:
    return {hit.key for hit in hits}


@pytest.mark.parametrize("joining", list(Joining))
@pytest.mark.parametrize("text", ["to be", "the", '"to be"', "the~", "(to be) OR (not to)", "to be -kettle the"])
def test_every_word_is_named_that_was_left_out(searcher: Searcher, text: str, joining: Joining) -> None:
    [notice] = search(searcher, text, joining).notices
    for word in ("to", "be", "not", "the"):
        assert (f"“{word}”" in notice.message) == (word in text.replace("kettle", ""))
    assert "quotation marks do not help" in notice.hint


@pytest.mark.parametrize("joining", list(Joining))
@pytest.mark.parametrize("text", ["the", "to be", '"to be"', "(to be) OR (not to)", "acme", "a b"])
def test_words_that_are_left_out_find_nothing(searcher: Searcher, text: str, joining: Joining) -> None:
    hits = search(searcher, text, joining)
    assert (found(hits), hits.total) == (set(), 0)
    assert len(hits.notices) == 1
    assert searcher.explain(parse_query(text, joining=joining), "hamlet") is None


@pytest.mark.parametrize("joining", list(Joining))
@pytest.mark.parametrize("text", ["the question", "(to be) OR question", '"to be" question', "(to OR be) question"])
def test_beside_other_words_they_count_for_nothing(searcher: Searcher, text: str, joining: Joining) -> None:
    hits, alone = search(searcher, text, joining), search(searcher, "question", joining)
    assert [(hit.key, hit.score) for hit in hits] == [(hit.key, hit.score) for hit in alone]
    assert hits.notices == ()
    assert searcher.explain(parse_query(text, joining=joining), "acme") is None


@pytest.mark.parametrize("joining", list(Joining))
@pytest.mark.parametrize(
    "text",
    ["kettle -the", "kettle (the OR of)", "kettle -(the OR of)", 'kettle -"to be"', "kettle ((the OR of) to)", "-the"],
)
def test_what_is_found_beside_them_is_explained(searcher: Searcher, text: str, joining: Joining) -> None:
    hits = search(searcher, text, joining)
    assert "acme" in found(hits)
    for hit in hits:
        explained = searcher.explain(parse_query(text, joining=joining), hit.key)
        assert explained is not None
        assert explained.score == pytest.approx(hit.score)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("the price:>10", {"acme"}), ("the kind:play", {"hamlet"}), ("the -kettle", {"hamlet"})],
)
def test_what_else_a_query_says_still_counts(searcher: Searcher, text: str, expected: set[str]) -> None:
    hits = search(searcher, text)
    assert found(hits) == expected
    assert ["“the”" in notice.message for notice in hits.notices] == [True]


@pytest.mark.parametrize("text", ["", "*", "price:>10", "-the", "kind:the", "th*", "nowhere"])
def test_queries_without_such_words_say_nothing(searcher: Searcher, text: str) -> None:
    assert search(searcher, text).notices == ()


def test_a_query_without_any_word_says_so(searcher: Searcher) -> None:
    hits = search(searcher, "!!! ???")
    assert found(hits) == set()
    assert [notice.message for notice in hits.notices] == ["There is no word and no number in the query."]


def test_many_words_are_not_all_named(searcher: Searcher) -> None:
    [notice] = search(searcher, "the a an and or not to be of in on at").notices
    assert "“the”, “a”" in notice.message
    assert "and 4 more" in notice.message


def test_a_field_that_keeps_them_finds_them(tmp_path: Path) -> None:
    searcher = build(tmp_path, Field("text", analysis=WITHOUT), Field("notes", analysis=WITH))
    for text in ("to be", '"to be"', '"or not to be"', "notes:not"):
        hits = search(searcher, text)
        assert (found(hits), hits.notices) == ({"hamlet"}, ())
    hits = search(searcher, 'text:"to be"')
    assert (found(hits), len(hits.notices)) == (set(), 1)
