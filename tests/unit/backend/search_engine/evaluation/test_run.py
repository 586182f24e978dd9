"""A small collection, from its files to the report."""

import json

import pytest

from backend.search_engine.evaluation import CollectionError, Setup, evaluate
from backend.search_engine.text import Analysis, Reduction

DOCUMENTS = [
    {"id": "1", "title": "Green tea", "text": "Tea leaves that are green."},
    {"id": "2", "title": "Black tea", "text": "Tea leaves that are black."},
    {"_id": 3, "title": "Coffee", "text": "Beans, roasted.", "price": 5},
]


@pytest.fixture
def collection(tmp_path):
    files = [tmp_path / name for name in ("docs.jsonl", "queries.tsv", "qrels.txt")]
    files[0].write_text("\n".join(json.dumps(document) for document in DOCUMENTS), encoding="utf-8")
    files[1].write_text("q1\tgreen tea?\n\nq2\troasting (beans)\nq3\tnobody judged this\n", encoding="utf-8")
    files[2].write_text("q1 0 1 2\nq1 0 2 1\nq2 0 3 1\nq2 0 1 0\n", encoding="utf-8")
    return files


def test_a_perfect_ranking_has_perfect_measures(collection):
    report = evaluate(*collection)
    assert (report.ndcg_at_10, report.map, report.recall_at_100) == (1, 1, 1)
    assert report.precision_at_5 == pytest.approx((2 / 5 + 1 / 5) / 2)
    assert (report.queries, report.documents) == (2, 3)
    assert report.to_json()["ndcg_at_10"] == 1


def test_the_setup_decides_what_is_found(collection):
    without_stems = Setup(fields={"text": 2.0}, analysis=Analysis(reduction=Reduction.NONE))
    assert evaluate(*collection, without_stems).map == 1
    only_titles = Setup(fields={"title": 1.0})
    assert evaluate(*collection, only_titles).recall_at_100 == 0.5


def test_judgements_may_have_three_columns(collection):
    collection[2].write_text("q1 1 2\nq1 2 1\nq2 3 1\n", encoding="utf-8")
    assert evaluate(*collection).map == 1


@pytest.mark.parametrize(
    ("number", "content", "sentence"),
    [
        (0, "", "docs.jsonl has no documents with text"),
        (0, '{"id": 1}\nnonsense', "Line 2 of docs.jsonl is no JSON object"),
        (0, '{"id": 1, "price": 5}', "docs.jsonl has no documents with text"),
        (0, '{"title": "x"}', "Line 1 of docs.jsonl has no “id”"),
        (1, "q1 no tab", "Line 1 of queries.tsv has no tab"),
        (1, "q9\tunjudged", "No query of queries.tsv has a relevant document"),
        (2, "q1 0 1 high", "Line 1 of qrels.txt is not"),
        (2, "q1 0 0 0 1", "Line 1 of qrels.txt is not"),
    ],
)
def test_a_file_that_cannot_be_used_is_told_with_its_line(collection, number, content, sentence):
    collection[number].write_text(content, encoding="utf-8")
    with pytest.raises(CollectionError, match=sentence):
        evaluate(*collection)


def test_a_missing_file_is_told(collection, tmp_path):
    with pytest.raises(CollectionError, match="cannot be read"):
        evaluate(tmp_path / "nothing.jsonl", *collection[1:])
