"""Exports of what the database holds."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from backend.apps.documents.exports import (
    DocumentSource,
    documents_of_crawler,
    documents_of_project,
    documents_of_runner,
    export_runner,
    source,
)
from backend.apps.documents.models import Document, DocumentVersion
from backend.apps.project_files import import_into_project
from backend.apps.templates.describing import describe_template
from tests.integration.documents.conftest import Shop


def names(source: DocumentSource) -> list[Any]:
    return [row["name"] for row in source.rows()]


def test_columns_follow_the_inspectors_and_end_with_the_address(shop: Shop) -> None:
    shop.document(shop.run(), "SSD", price={"amount": 9, "currency": "EUR"})
    exported = documents_of_crawler(shop.crawler)
    assert [column.name for column in exported.columns] == ["name", "price", "url"]
    assert list(exported.rows()) == [
        {"name": "SSD", "price": {"amount": 9, "currency": "EUR"}, "url": "http://shop.example/1"}
    ]


def test_duplicates_and_gone_ones_come_only_when_asked_for_and_are_told_apart(shop: Shop) -> None:
    run = shop.run()
    first = shop.document(run, "first")
    shop.document(run, "again", duplicate_of=first)
    gone_at = timezone.now()
    shop.document(run, "gone", gone_at=gone_at)
    assert names(documents_of_crawler(shop.crawler)) == ["first"]
    assert names(documents_of_runner(run)) == ["first"]
    everything = documents_of_runner(run, with_duplicates=True, with_gone=True)
    assert [column.name for column in everything.columns] == ["name", "price", "url", "duplicate_of", "gone_at"]
    assert [(row["name"], row["duplicate_of"], row["gone_at"]) for row in everything.rows()] == [
        ("first", None, None),
        ("again", first.url, None),
        ("gone", None, gone_at.isoformat()),
    ]


def test_a_run_exports_what_it_found_with_the_values_it_found(shop: Shop) -> None:
    one, two = shop.run(), shop.run()
    unchanged, changed, missed = (shop.document(one, name) for name in ("unchanged", "old", "missed"))
    Document.objects.filter(pk=unchanged.pk).update(last_runner=two)
    shop.version(changed, two, "new")
    shop.document(two, "added")
    assert names(documents_of_runner(two)) == ["unchanged", "new", "added"]
    assert names(documents_of_runner(one)) == ["unchanged", "old", "missed"]
    assert names(documents_of_crawler(shop.crawler)) == ["unchanged", "new", "missed", "added"]
    assert missed.pk


def test_a_run_keeps_the_columns_of_the_template_it_used(shop: Shop) -> None:
    run = shop.run()
    run.specification = {"template": describe_template(shop.crawler.template)}
    run.save()
    shop.crawler.template.inspectors.filter(name="name").update(name="title")
    assert [column.name for column in documents_of_runner(run).columns] == ["name", "price", "url"]
    assert [column.name for column in documents_of_crawler(shop.crawler).columns] == ["title", "price", "url"]


def test_an_inspector_may_be_called_like_our_own_columns(shop: Shop) -> None:
    shop.crawler.template.inspectors.filter(name="name").update(name="url")
    document = shop.document(shop.run(), "x")
    DocumentVersion.objects.update(fields={"url": "mine", "price": None})
    [row] = documents_of_crawler(shop.crawler).rows()
    assert (row["url"], row["page_url"]) == ("mine", document.url)


def test_a_project_is_one_table_of_all_its_crawlers(shop: Shop) -> None:
    second = {
        "version": 1,
        "name": "Shops",
        "templates": [{"name": "Review", "inspectors": [{"name": "stars", "selector": "//b", "type": "number"}]}],
        "crawlers": [{"name": "Reviews", "template": "Review", "seeds": ["https://b.example/"]}],
    }
    import_into_project(project=shop.project, file=second)
    shop.document(shop.run(), "SSD")
    shop.crawler = shop.project.crawlers.get(name="Reviews")
    shop.document(shop.run(), None)
    DocumentVersion.objects.filter(document__crawler=shop.crawler).update(fields={"stars": 4})
    exported = documents_of_project(shop.project)
    assert [column.name for column in exported.columns] == ["name", "price", "stars", "url", "crawler"]
    assert [(row.get("name"), row.get("stars"), row["crawler"]) for row in exported.rows()] == [
        ("SSD", None, "Shop"),
        (None, 4, "Reviews"),
    ]


def test_rows_are_read_in_bites_without_counting(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "BITE_ROWS", 10)
    run = shop.run()
    for number in range(25):
        shop.document(run, number)
    exported = documents_of_runner(run)
    with CaptureQueriesContext(connection) as captured:
        assert names(exported) == list(range(25))
    texts = [query["sql"] for query in captured]
    assert sum(text.endswith("LIMIT 10") for text in texts) == 4  # the last one finds nothing
    assert sum('"fields"' in text for text in texts) == len(texts) - 4 == 3
    assert not any("COUNT(" in text.upper() or "OFFSET" in text for text in texts)


def test_long_values_are_fetched_a_few_at_a_time(shop: Shop) -> None:
    run = shop.run()
    for number in range(60):
        shop.document(run, f"{number:02}" * 250_000)
    with CaptureQueriesContext(connection) as captured:
        assert [name[:2] for name in names(documents_of_runner(run))] == [f"{number:02}" for number in range(60)]
    assert sum('"fields"' in query["sql"] for query in captured) >= 3


def test_documents_added_and_deleted_meanwhile_do_not_disturb(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "BITE_ROWS", 2)
    run = shop.run()
    documents = [shop.document(run, number) for number in range(5)]
    seen = []
    for row in documents_of_crawler(shop.crawler).rows():
        seen.append(row["name"])
        if row["name"] == 0:
            documents[3].delete()
            shop.document(run, "late")
    assert seen == [0, 1, 2, 4, "late"]


def test_the_command_line_writes_a_run_into_a_file(shop: Shop, tmp_path: Path) -> None:
    run = shop.run()
    shop.document(run, "=cmd\n🚀")
    assert export_runner(run, tmp_path / "documents.jsonl") == 1
    assert json.loads((tmp_path / "documents.jsonl").read_text())["name"] == "=cmd\n🚀"


@pytest.mark.parametrize(
    ("chosen", "found"),
    [
        (["--project", "Shops"], ["first"]),
        (["--project", "Shops", "--crawler", "Shop", "--with-duplicates", "--with-gone"], ["first", "again", "gone"]),
        (["--runner", "RUNNER", "--with-gone"], ["first", "gone"]),
    ],
)
def test_the_command_writes_what_was_chosen(shop: Shop, tmp_path: Path, chosen: list[str], found: list[str]) -> None:
    run = shop.run()
    first = shop.document(run, "first")
    shop.document(run, "again", duplicate_of=first)
    shop.document(run, "gone", gone_at=timezone.now())
    file = tmp_path / "documents.json"
    told = StringIO()
    arguments = [str(run.pk) if word == "RUNNER" else word for word in chosen]
    call_command("export_documents", str(file), *arguments, stderr=told)
    assert [row["name"] for row in json.loads(file.read_text())] == found
    count = "1 document" if len(found) == 1 else f"{len(found)} documents"
    assert told.getvalue() == f"Wrote {count} into {file}.\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["x.xls", "--project", "Shops"], "which names no format"),
        (["x.csv", "--project", "Other"], "There is no project “Other”"),
        (["x.csv", "--project", "Shops", "--crawler", "Other"], "has no crawler “Other”. Known: “Shop”."),
        (["x.csv", "--runner", "9"], "There is no runner 9"),
        (["/nowhere/x.csv", "--project", "Shops"], "cannot be written"),
    ],
)
def test_the_command_refuses_with_a_sentence(shop: Shop, arguments: list[str], told: str) -> None:
    with pytest.raises(CommandError, match=told):
        call_command("export_documents", *arguments)
