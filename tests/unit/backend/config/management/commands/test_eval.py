"""`./gleaner eval`: its options reach the engine, its last line is JSON, its faults are sentences."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command


@pytest.fixture
def files(tmp_path):
    (tmp_path / "docs.jsonl").write_text(
        '{"id": "1", "title": "tea", "text": "leaves"}\n{"id": "2", "title": "cups", "text": "a cup of tea and tea"}\n',
        encoding="utf-8",
    )
    (tmp_path / "queries.tsv").write_text("q\ttea cup\n", encoding="utf-8")
    (tmp_path / "qrels.txt").write_text("q 0 2 1\n", encoding="utf-8")
    return [f"--docs={tmp_path}/docs.jsonl", f"--queries={tmp_path}/queries.tsv", f"--qrels={tmp_path}/qrels.txt"]


def run(*arguments: str) -> dict[str, float]:
    out = StringIO()
    call_command("eval", *arguments, stdout=out)
    return json.loads(out.getvalue().splitlines()[-1])


def test_the_last_line_is_the_report_as_json(files):
    report = run(*files, "--stem", "--stop")
    assert report["map"] == report["ndcg_at_10"] == 1
    assert report["documents"] == 2


def test_options_reach_the_engine(files):
    assert run(*files, "--fields=title", "--no-stem")["recall_at_100"] == 0
    assert run(*files, "--fields=title:2", "--stem=en")["recall_at_100"] == 1
    assert run(*files, "--fields=title:2,text", "--k=1.2", "--b=0", "--idf=lucene", "--lemma", "--no-stop")["map"] == 1


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ("--fields=title:much", "“much” is no boost"),
        ("--k=-1", "k must be more than 0"),
        ("--stem=xx", "There is no stemmer for “xx”"),
        ("--formula=1 +", "stops too early"),
        ("--docs=/nowhere.jsonl", "cannot be read"),
    ],
)
def test_a_fault_is_a_sentence(files, option, sentence):
    with pytest.raises(CommandError, match=sentence):
        run(*files, option)
