"""Whatever documents hold, they come into the index; what of them cannot be read is told while it is so."""

import json
from pathlib import Path
from typing import Any

import pytest

from backend.apps.indexers.keeping import JobEnd, Wait, keep_index
from backend.apps.indexers.models import Indexer
from backend.apps.indexers.reading import DocumentReader
from backend.apps.indexers.selectors import state_of
from backend.apps.indexers.services import save_indexer
from backend.apps.indexers.values import plain_text
from backend.apps.projects.models import Project
from backend.apps.search.asking import answer_search
from backend.apps.search.open_indexes import OPEN_INDEXES
from backend.apps.search.served import SERVED
from backend.apps.search.wishes import wish_of_json
from backend.apps.templates.models import Inspector
from tests.integration.indexers.asking import ask, names
from tests.integration.indexers.shelf import Shelf, artikel, product

NEVER = Wait(stop=lambda: False, pause=lambda _: None)


@pytest.fixture(autouse=True)
def _var(settings: Any, tmp_path: Path) -> Any:
    settings.VAR_DIR = tmp_path
    yield
    OPEN_INDEXES.close_all()
    SERVED.clear()


@pytest.fixture
def shelf(project: Project) -> Shelf:
    return Shelf(project)


@pytest.fixture
def indexer(project: Project) -> Indexer:
    """One that ends when it is complete."""
    Indexer.objects.filter(project=project).update(live=False)
    return project.indexers.get()


def run(indexer: Indexer) -> None:
    assert keep_index(indexer.pk, NEVER) is JobEnd.DONE
    indexer.refresh_from_db()


def problems(indexer: Indexer) -> dict[str, Any]:
    """Of the columns in which something cannot be read."""
    told = indexer.builds.get(state="served").problems
    return {name: each for name, each in told.items() if each["unreadable"]}


@pytest.mark.parametrize("odd", ["\x0b", "\x02", "\x1f", "\ufffe", "\ud800", "\x00"])
def test_what_no_markup_may_hold_is_left_out_of_its_text(odd: str) -> None:
    assert plain_text(f"Intro{odd}more <b>words</b>") == "Intro more words"


@pytest.mark.parametrize("html", ["<html", "<html><!--", "<html><?xml", "<!-- x", "<p><!-- x --><?x y?></p>"])
def test_markup_in_which_there_is_nothing_to_see_has_no_text(html: str) -> None:
    assert plain_text(html) == ""


def test_a_control_character_in_a_piece_of_html_does_not_end_the_job(shelf: Shelf, indexer: Indexer) -> None:
    Inspector.objects.filter(name="brand").update(type="html")
    shelf.put("Shop", "1", product("SSD", 1, brand="Acme \x0b of <b>Freiburg</b>"))
    run(indexer)
    assert [hit.fields["brand"] for hit in ask(indexer, "freiburg")] == ["Acme of Freiburg"]
    assert problems(indexer) == {}


def test_a_document_that_cannot_be_read_keeps_no_other_out_of_the_index(
    shelf: Shelf, indexer: Indexer, monkeypatch: Any
) -> None:
    judged = DocumentReader._judged

    def break_off(reader: DocumentReader, text: str, **more: Any) -> dict[str, Any]:
        if "Toaster" in text:
            raise RuntimeError("nobody thought of this")
        return judged(reader, text, **more)

    shelf.fill(2)
    shelf.put("Shop", "odd", product("Toaster", 1))
    with monkeypatch.context() as patched:
        patched.setattr(DocumentReader, "_judged", break_off)
        run(indexer)
    assert sorted(names(indexer)) == ["SSD 0", "SSD 1"]
    told = "1 document could not be read and cannot be found, for example “http://shop.example/odd”."
    assert told in state_of(indexer)["warnings"][0]
    shelf.put("Shop", "odd", product("Toaster", 2))
    run(indexer)
    assert (len(names(indexer)), problems(indexer)) == (3, {}), "it is told as long as it is so"


def test_a_document_that_the_index_does_not_take_keeps_no_other_out_of_it(
    shelf: Shelf, indexer: Indexer, monkeypatch: Any
) -> None:
    read = DocumentReader._fields

    def with_stranger(*given: Any) -> dict[str, Any]:
        fields = read(*given)
        return {**fields, "stranger": 1} if fields["name"] == "SSD 1" else fields

    monkeypatch.setattr(DocumentReader, "_fields", with_stranger)
    shelf.fill(3)
    run(indexer)
    assert sorted(names(indexer)) == ["SSD 0", "SSD 2"]
    assert problems(indexer)[""]["examples"] == ["http://shop.example/1"]


def test_values_that_were_mended_are_told_no_longer(shelf: Shelf, indexer: Indexer) -> None:
    odd = [shelf.put("Laden", str(number), artikel("Ding", 1, stimmen=f"viele {number}")) for number in range(3)]
    shelf.put("Laden", "3", artikel("Ding", 1, stimmen="12"))
    run(indexer)
    assert problems(indexer)["Votes"] == {"values": 4, "unreadable": 3, "examples": ["viele 0", "viele 1", "viele 2"]}
    shelf.put("Laden", "0", artikel("Ding", 1, stimmen="7"))
    shelf.put("Laden", "1", artikel("Ding", 1, stimmen="nochmals viele"))
    run(indexer)
    assert problems(indexer)["Votes"] == {"values": 4, "unreadable": 2, "examples": ["viele 2", "nochmals viele"]}
    shelf.gone(odd[1])
    shelf.delete(odd[2])
    run(indexer)
    assert problems(indexer) == {}
    assert indexer.builds.get().problems["Votes"]["values"] == 2
    assert state_of(indexer)["warnings"] == []


def test_numbers_that_the_crawl_reads_again_are_told_no_longer(shelf: Shelf, indexer: Indexer) -> None:
    shelf.put("Shop", "1", product("Ding", 1, votes=None), unread={"votes": ["many"]})
    run(indexer)
    shelf.put("Shop", "1", product("Ding", 2, votes=None), unread={"votes": ["very many"]})
    run(indexer)
    assert problems(indexer)["Votes"] == {"values": 1, "unreadable": 1, "examples": ["very many"]}
    shelf.put("Shop", "1", product("Ding", 2, votes=5))
    run(indexer)
    assert indexer.builds.get().problems["Votes"] == {"values": 1, "unreadable": 0, "examples": []}


def test_of_more_unreadable_values_than_are_remembered_the_next_build_tells(
    shelf: Shelf, indexer: Indexer, monkeypatch: Any
) -> None:
    monkeypatch.setattr("backend.apps.indexers.problems.MAX_REMEMBERED", 2)
    for number in range(3):
        shelf.put("Laden", str(number), artikel("Ding", 1, stimmen="viele"))
    run(indexer)
    for number in range(3):
        shelf.put("Laden", str(number), artikel("Ding", 1, stimmen="sehr viele"))
    shelf.put("Laden", "3", artikel("Ding", 1, stimmen="12"))
    run(indexer)
    assert problems(indexer)["Votes"] == {"values": 4, "unreadable": 3, "examples": ["viele"]}


@pytest.mark.parametrize("is_searched", [True, False])
def test_a_text_column_whose_variable_is_its_name_counts_where_it_is_a_number(
    shelf: Shelf, indexer: Indexer, is_searched: bool
) -> None:
    columns = [
        {"name": "name", "sources": ["Product.name", "Artikel.titel"]},
        {
            "name": "price",
            "variable": "price",
            "searchable": is_searched,
            "sources": ["Product.price", "Artikel.stimmen"],
        },
    ]
    save_indexer(values={"columns": columns, "formula": "1/price"}, project=indexer.project, indexer=indexer)
    shelf.put("Shop", "1", product("SSD Shop", 8))
    shelf.put("Laden", "2", artikel("SSD Laden", 0, stimmen="4.5"))
    shelf.put("Laden", "3", artikel("SSD dear", 0, stimmen="viel"))
    run(indexer)
    answer = json.loads(answer_search(SERVED.get(indexer), wish_of_json({"q": "ssd", "explain": True})))
    shown = [(result["fields"]["name"], result["fields"]["price"]) for result in answer["results"]]
    assert shown == [("SSD Laden", "4.5"), ("SSD Shop", "8 EUR"), ("SSD dear", "viel")]
    assert problems(indexer)["price"] == {"values": 3, "unreadable": 1, "examples": ["viel"]}
    assert answer["results"][0]["explanation"]["variables"] == {"price": 4.5}


def test_a_formula_waits_where_an_older_build_kept_no_numbers_beside_the_text(shelf: Shelf, indexer: Indexer) -> None:
    columns = [
        {"name": "name", "sources": ["Product.name"]},
        {"name": "brand", "variable": "brand", "sources": ["Product.brand"]},
    ]
    save_indexer(values={"columns": columns, "formula": "brand"}, project=indexer.project, indexer=indexer)
    shelf.put("Shop", "1", product("SSD", 8, brand="3"))
    run(indexer)
    build = indexer.builds.get()
    for column in build.plan["columns"]:
        column["variable_field"] = column["variable"]
    build.save()
    wish = wish_of_json({"q": "ssd"})
    assert json.loads(answer_search(SERVED.get(indexer), wish))["total"] == 1
    run(indexer)
    assert indexer.builds.get(state="served").number == 2, "a rebuild brings them"


def test_a_date_can_be_a_variable_of_another_name(shelf: Shelf, indexer: Indexer) -> None:
    columns = [
        {"name": "name", "sources": ["Product.name"]},
        {"name": "since", "variable": "age", "sources": ["Product.since"]},
    ]
    save_indexer(values={"columns": columns, "formula": "age"}, project=indexer.project, indexer=indexer)
    shelf.put("Shop", "1", product("SSD old", 8, since="2020-01-31"))
    shelf.put("Shop", "2", product("SSD new", 8, since="2024-01-31T10:00:00+01:00"))
    run(indexer)
    assert names(indexer, "ssd") == ["SSD new", "SSD old"]
    assert names(indexer, "since:2020-01") == ["SSD old"]
