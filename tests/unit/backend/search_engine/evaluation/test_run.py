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
        (2, "q1 0 1 1.5", "Line 1 of qrels.txt is not"),
        (2, "q1 0 1 1\nquery-id corpus-id score", "Line 2 of qrels.txt is not"),
        (2, "q1 0 doc1 1\nq1 0 doc2 1", "None of the 2 relevant documents of qrels.txt is in docs.jsonl"),
    ],
)
def test_a_file_that_cannot_be_used_is_told_with_its_line(collection, number, content, sentence):
    collection[number].write_text(content, encoding="utf-8")
    with pytest.raises(CollectionError, match=sentence) as told:
        evaluate(*collection)
    assert str(told.value).count(". ") == 1  # and a sentence that says what to do


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("3.5", "a jack of 3.5 mm"),
        ("1,000", "it costs 1000"),
        ("C++", "written in C++"),
        ("हिन्दी", "यह हिन्दी है"),
        ("(tea)", "tea"),
        ("high-speed", "speed"),
    ],
)
def test_a_word_of_a_query_is_what_the_analysis_takes_for_one(collection, query, text):
    others = [{"id": str(number), "text": f"3 or 5, 1 or 000, C, ह {number}"} for number in range(2, 12)]
    lines = (json.dumps(document) for document in [*others, {"id": "1", "text": text}])
    collection[0].write_text("\n".join(lines), encoding="utf-8")
    collection[1].write_text(f"q1\t{query} nosuchword", encoding="utf-8")
    collection[2].write_text("q1 0 1 1", encoding="utf-8")
    assert evaluate(*collection).map == 1


def test_a_byte_order_mark_is_no_part_of_the_first_line(collection):
    for file in collection:
        file.write_text(file.read_text(encoding="utf-8"), encoding="utf-8-sig")
    assert evaluate(*collection).map == 1


def test_lines_that_name_the_columns_are_skipped(collection):
    collection[1].write_text("query-id\ttext\nq1\tgreen tea\nq2\troasting beans\n", encoding="utf-8")
    collection[2].write_text("query-id\tcorpus-id\tscore\nq1\t1\t2.0\nq1\t2\t1\nq2\t3\t1\n", encoding="utf-8")
    report = evaluate(*collection)
    assert (report.queries, report.ndcg_at_10) == (2, 1)


@pytest.mark.parametrize("name", ["id", "_id", "docid", "doc_id", "docno"])
def test_documents_of_other_makers_are_understood(collection, name):
    lines = (json.dumps({name: number, "text": ["Tea", f"of kind {number}"]}) for number in range(3))
    collection[0].write_text("\n".join(lines), encoding="utf-8")
    collection[1].write_text("q1\tkind 2", encoding="utf-8")
    collection[2].write_text("q1 0 2 1", encoding="utf-8")
    assert evaluate(*collection).map == 1


def test_a_field_that_only_late_documents_have_is_indexed(collection):
    lines = [json.dumps({"id": f"early{number}", "title": "Coffee"}) for number in range(300)]
    lines.append(json.dumps({"id": "late", "title": "Cup", "text": "Tea"}))
    collection[0].write_text("\n".join(lines), encoding="utf-8")
    collection[1].write_text("q1\ttea", encoding="utf-8")
    collection[2].write_text("q1 0 late 1", encoding="utf-8")
    assert evaluate(*collection).map == 1


def test_a_field_that_no_document_has_is_refused_with_those_that_exist(collection):
    with pytest.raises(CollectionError, match=r"field “titel”\. Choose among text, title\.$"):
        evaluate(*collection, Setup(fields={"titel": 1.0}))


def test_relevant_documents_that_are_not_there_are_counted(collection):
    collection[2].write_text("q1 0 1 1\nq1 0 gone 1\nq2 0 3 1\nq2 0 lost 2\nq2 0 spam 0\n", encoding="utf-8")
    report = evaluate(*collection)
    assert (report.missing, report.to_json()["missing"], report.recall_at_100) == (2, 2, 0.5)


def test_a_missing_file_is_told(collection, tmp_path):
    with pytest.raises(CollectionError, match="cannot be read"):
        evaluate(tmp_path / "nothing.jsonl", *collection[1:])
