"""An index job builds, swaps safely, and follows the documents."""

import json
import threading
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zstandard

from backend.apps.documents.models import Document
from backend.apps.errors import Conflict
from backend.apps.indexers import standard_fields as standard
from backend.apps.indexers.filling import Batch, Filling
from backend.apps.indexers.keeping import JobEnd, Wait, keep_index, stale_sentences
from backend.apps.indexers.models import Indexer, IndexerStatus
from backend.apps.indexers.running import accept_build, delete_indexer, discard_build, start_indexer, stop_indexer
from backend.apps.indexers.selectors import state_of
from backend.apps.indexers.services import save_dictionary, save_indexer
from backend.apps.indexers.serving import indexer_folder, schema_of, served_folder, typing_folder
from backend.apps.indexers.typing_words import WORDS_FILE, TypingWords
from backend.apps.indexers.usual_scores import UsualScores
from backend.apps.jobs.models import Job
from backend.apps.projects.models import Project
from backend.apps.templates.describing import describe_inspector
from backend.apps.templates.models import Template
from backend.apps.templates.services import save_template
from backend.search_engine.fuzzy import TypingAid
from backend.search_engine.index import IndexWriter, Schema, open_snapshot
from backend.search_engine.text import Analysis
from tests.integration.indexers.asking import ask, names, served_snapshot
from tests.integration.indexers.shelf import Shelf, artikel, product

NEVER = Wait(stop=lambda: False, pause=lambda _: None)


@pytest.fixture(autouse=True)
def _var(settings: Any, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path


@pytest.fixture
def shelf(project: Project) -> Shelf:
    return Shelf(project)


@pytest.fixture
def indexer(project: Project) -> Indexer:
    """One that ends when it is complete."""
    Indexer.objects.filter(project=project).update(live=False)
    return project.indexers.get()


@pytest.fixture
def applied(monkeypatch: Any) -> list[Batch]:
    """The batches that were applied so far, of four documents each."""
    batches: list[Batch] = []
    apply = Filling.apply
    monkeypatch.setattr("backend.apps.indexers.filling.BATCH_DOCUMENTS", 4)
    monkeypatch.setattr(Filling, "apply", lambda filling, batch: (apply(filling, batch), batches.append(batch)))
    return batches


def run(indexer: Indexer) -> None:
    assert keep_index(indexer.pk, NEVER) is JobEnd.DONE
    indexer.refresh_from_db()


def messages(indexer: Indexer) -> str:
    return "\n".join(indexer.log.order_by("id").values_list("message", flat=True))


def test_documents_of_two_shops_are_found_in_one_index(shelf: Shelf, indexer: Indexer) -> None:
    shelf.put("Shop", "1", product("Samsung SSD 1TB", 99.5, votes=12, brand="Samsung", since="2024-05-01"))
    shelf.put("Laden", "2", artikel("Samsung SSD 1TB schnell", 1.99, marke="Samsung", stimmen="7"))
    shelf.put("Shop", "3", product("Toaster", 20))
    run(indexer)
    hits = ask(indexer, "ssd 1tb")
    assert [hit.fields["name"] for hit in hits] == ["Samsung SSD 1TB schnell", "Samsung SSD 1TB"], "10 / price decides"
    first, second = hits[0].fields, hits[1].fields
    assert (first["price"], first["price_currency"], first["crawler"]) == (1.99, ["EUR"], ["Laden"])
    assert (second["brand"], second["host"], second["page_url"]) == (
        "Samsung",
        ["shop.example"],
        ["http://shop.example/1"],
    )
    assert names(indexer, "since:2024") == ["Samsung SSD 1TB"]
    assert names(indexer, "votes:5..10") == ["Samsung SSD 1TB schnell"]
    assert indexer.status == IndexerStatus.COMPLETED
    build = indexer.builds.get()
    assert (build.state, build.documents, build.done, build.total, build.sequence) == ("served", 3, 3, 3, 3)
    assert build.fill == {"name": 3, "price": 3, "Votes": 2, "brand": 2, "since": 1, "picture": 0}


def test_starting_again_costs_only_what_changed(shelf: Shelf, indexer: Indexer) -> None:
    first, second, third = shelf.fill(3)
    run(indexer)
    before = served_folder(indexer)
    shelf.put("Shop", "1", product("SSD one", 5))
    shelf.gone(second if first.pk == third.pk else third)
    shelf.put("Laden", "9", artikel("HDD", 1))
    run(indexer)
    assert served_folder(indexer) == before, "no new build"
    assert sorted(names(indexer)) == ["HDD", "SSD 0", "SSD one"]
    assert indexer.builds.get().done == 6


def test_duplicates_and_deleted_documents_are_not_found(shelf: Shelf, indexer: Indexer) -> None:
    first, second, third = shelf.fill(3)
    shelf.copy_of(second, first)
    run(indexer)
    assert sorted(names(indexer)) == ["SSD 0", "SSD 2"]
    shelf.delete(third)
    run(indexer)
    assert names(indexer) == ["SSD 0"]


def test_a_ranking_counts_at_once_and_an_analysis_with_the_next_build(shelf: Shelf, indexer: Indexer) -> None:
    shelf.fill(3)
    run(indexer)
    folder = served_folder(indexer)
    save_indexer(values={"formula": "price", "k": 1}, project=indexer.project, indexer=indexer)
    assert names(indexer, "ssd") == ["SSD 2", "SSD 1", "SSD 0"]
    assert stale_sentences(indexer) == []
    save_indexer(values={"language": "de", "small_words": 1}, project=indexer.project, indexer=indexer)
    assert "Of the column “name”, the language changed." in stale_sentences(indexer)
    assert names(indexer, "ssd") == ["SSD 2", "SSD 1", "SSD 0"], "the old build answers"
    run(indexer)
    assert stale_sentences(indexer) == []
    assert served_folder(indexer) != folder
    assert served_snapshot(indexer).schema == schema_of(indexer)
    assert sorted(indexer.builds.values_list("number", "state")) == [(1, "replaced"), (2, "served")]


def test_a_formula_with_a_new_variable_waits_for_the_build_that_has_it(shelf: Shelf, indexer: Indexer) -> None:
    shelf.fill(3)
    run(indexer)
    columns = [
        {"name": "name", "sources": ["Product.name"]},
        {"name": "cost", "sources": ["Product.price"], "variable": "cost"},
    ]
    save_indexer(values={"columns": columns, "formula": "cost"}, project=indexer.project, indexer=indexer)
    assert len(ask(indexer, "ssd")) == 3
    run(indexer)
    assert names(indexer, "ssd") == ["SSD 2", "SSD 1", "SSD 0"]


def test_a_build_that_lost_too_much_is_held_back_until_a_person_agrees(shelf: Shelf, indexer: Indexer) -> None:
    documents = shelf.fill(20)
    run(indexer)
    for document in documents[:7]:
        shelf.gone(document)
    run(indexer)
    assert len(names(indexer)) == 20, "what is served stays"
    held = indexer.builds.get(state="held")
    assert "7 of 20 documents (35 %) are missing" in held.reason
    assert held.comparison["lost"] == 7
    assert held.comparison["lost_examples"][0]["title"] == "SSD 0"
    assert held.comparison["lost_examples"][0]["url"] == "http://shop.example/0"
    assert held.comparison["fill"]["price"] == {"before": 100, "after": 100}
    assert indexer.reason == held.reason
    accept_build(build=held)
    assert len(names(indexer)) == 13
    with pytest.raises(Conflict):
        accept_build(build=held)
    run(indexer)
    assert len(names(indexer)) == 13
    assert not indexer.builds.filter(state="held").exists()


def test_what_a_person_deleted_is_no_loss(shelf: Shelf, indexer: Indexer) -> None:
    for document in shelf.fill(20)[:12]:
        shelf.delete(document)
    shelf.fill(20)
    run(indexer)
    for document in shelf.crawlers["Shop"].documents.order_by("pk")[:12]:
        shelf.delete(document)
    start_indexer(indexer=indexer, rebuild=True)
    run(indexer)
    assert len(names(indexer)) == 8
    assert indexer.builds.get(state="served").comparison["deleted"] == 12


def test_a_key_column_that_became_empty_holds_a_build_back(shelf: Shelf, indexer: Indexer) -> None:
    documents = shelf.fill(10)
    run(indexer)
    for document in documents[:6]:
        shelf.put("Shop", document.url.rpartition("/")[2], {"price": {"amount": 1, "currency": "EUR"}})
    start_indexer(indexer=indexer, rebuild=True)
    run(indexer)
    held = indexer.builds.get(state="held")
    assert "The column “name” has a value in 40 % of the documents; it was 100 %." in held.reason
    assert [row["title"] for row in held.comparison["emptied_examples"]["name"]] == [f"SSD {n}" for n in range(5)]
    discard_build(build=held)
    held.refresh_from_db()
    assert held.state == "discarded"
    assert len(names(indexer, "ssd")) == 10


def rename(template: Template, inspector: str, name: str) -> None:
    rows = [{**describe_inspector(each), "id": each.pk} for each in template.inspectors.all()]
    renamed = [{**row, "name": name} if row["name"] == inspector else row for row in rows]
    save_template(values={"inspectors": renamed}, project=template.project, template=template)


def test_a_renamed_inspector_still_fills_its_column_from_older_documents(
    project: Project, shelf: Shelf, indexer: Indexer
) -> None:
    shelf.fill(10)
    run(indexer)
    template = project.templates.get(name="Product")
    rename(template, "price", "cost")
    rename(template, "cost", "amount")
    assert "Of the column “price”, the inspectors that fill it changed." in stale_sentences(indexer)
    shelf.put("Shop", "new", {"name": "SSD new", "amount": {"amount": 2, "currency": "EUR"}})
    run(indexer)
    assert indexer.builds.get(state="served").fill["price"] == 11
    assert {hit.fields["price"] for hit in ask(indexer, "", limit=20)} == {2, *range(10, 20)}


def test_a_name_that_is_used_again_means_what_it_means_now(project: Project) -> None:
    template = project.templates.get(name="Product")
    rename(template, "price", "cost")
    rows = [{**describe_inspector(each), "id": each.pk} for each in template.inspectors.all()]
    save_template(
        values={"inspectors": [*rows, {"name": "price", "selector": "//em"}]}, project=project, template=template
    )
    assert template.inspectors.get(name="cost").former_names == []


def test_a_build_in_which_any_column_became_empty_is_held_back(shelf: Shelf, indexer: Indexer) -> None:
    shelf.fill(10)
    run(indexer)
    for number in range(10):
        shelf.put("Shop", str(number), {"name": f"SSD {number}"})
    start_indexer(indexer=indexer, rebuild=True)
    run(indexer)
    held = indexer.builds.get(state="held")
    assert "The column “price” has a value in 0 % of the documents; it was 100 %." in held.reason
    assert len(held.comparison["emptied_examples"]["price"]) == 5
    assert len(names(indexer, "price:10..19")) == 10, "what is served stays"


def test_a_column_that_lost_some_values_and_is_no_key_holds_nothing_back(shelf: Shelf, indexer: Indexer) -> None:
    shelf.fill(10)
    run(indexer)
    for number in range(9):
        shelf.put("Shop", str(number), {"name": f"SSD {number}"})
    start_indexer(indexer=indexer, rebuild=True)
    run(indexer)
    assert indexer.builds.get(state="served").fill["price"] == 1


def lose_names(shelf: Shelf, documents: list[Document]) -> None:
    """The documents are still there, with their prices; the inspector of the name fires no longer."""
    for document in documents:
        shelf.put("Shop", document.url.rpartition("/")[2], {"price": {"amount": 1, "currency": "EUR"}})


def test_following_does_not_take_over_key_columns_that_became_empty(shelf: Shelf, indexer: Indexer) -> None:
    documents = shelf.fill(20)
    run(indexer)
    lose_names(shelf, documents[:6])
    run(indexer)
    assert len(names(indexer, "ssd")) == 20, "what is served stays"
    held = indexer.builds.get(state="held")
    assert "The column “name” has a value in 70 % of the documents; it was 100 %." in held.reason
    assert "6 of 20 documents (30 %) would lose their “name”. A build beside shows what is left." in messages(indexer)
    accept_build(build=held)
    run(indexer)
    assert len(names(indexer, "ssd")) == 14
    assert not indexer.builds.filter(state="held").exists(), "what a person agreed to is no loss any more"


def test_key_values_that_are_lost_a_few_at_a_time_add_up(shelf: Shelf, indexer: Indexer) -> None:
    documents = shelf.fill(20)
    run(indexer)
    lose_names(shelf, documents[:4])
    run(indexer)
    assert len(names(indexer, "ssd")) == 16, "so few may always go"
    lose_names(shelf, documents[4:5])
    run(indexer)
    assert "5 of 20 documents (25 %) would lose their “name”." in messages(indexer)
    held = indexer.builds.get(state="held")
    assert "The column “name” has a value in 75 % of the documents; it was 100 %." in held.reason


def test_key_values_that_come_back_are_no_loss(shelf: Shelf, indexer: Indexer) -> None:
    documents = shelf.fill(20)
    run(indexer)
    lose_names(shelf, documents[:4])
    run(indexer)
    for number in range(2):
        shelf.put("Shop", str(number), product(f"SSD {number}", 1))
    shelf.gone(documents[2])
    run(indexer)
    lose_names(shelf, documents[4:7])
    run(indexer)
    assert not indexer.builds.filter(state="held").exists()
    assert len(names(indexer, "ssd")) == 15
    lose_names(shelf, documents[7:8])
    run(indexer)
    assert "5 of 19 documents (26.3 %) would lose their “name”." in messages(indexer)


def test_documents_that_go_a_few_at_a_time_add_up_and_deleted_ones_do_not(shelf: Shelf, indexer: Indexer) -> None:
    documents = shelf.fill(24)
    run(indexer)
    for document in documents[20:]:
        shelf.delete(document)
    for document in documents[:4]:
        shelf.gone(document)
    run(indexer)
    assert len(names(indexer)) == 16
    shelf.gone(documents[4])
    run(indexer)
    assert "5 of 20 documents (25 %) would go." in messages(indexer)
    assert "5 of 20 documents (25 %) are missing" in indexer.builds.get(state="held").reason
    assert len(names(indexer)) == 16


def test_new_documents_make_good_for_those_that_went(shelf: Shelf, indexer: Indexer) -> None:
    documents = shelf.fill(20)
    run(indexer)
    for round_ in range(5):
        for document in documents[3 * round_ : 3 * round_ + 3]:
            shelf.gone(document)
        for number in range(3):
            shelf.put("Shop", f"new {round_} {number}", product("SSD", 1))
        run(indexer)
    assert indexer.builds.get().state == "served"
    start_indexer(indexer=indexer, rebuild=True)
    run(indexer)
    assert indexer.builds.get(state="served").number == 2
    assert len(names(indexer)) == 20


def test_few_documents_may_always_go(shelf: Shelf, indexer: Indexer) -> None:
    documents = shelf.fill(5)
    run(indexer)
    for document in documents[:4]:
        shelf.gone(document)
    run(indexer)
    assert names(indexer) == ["SSD 4"]


def test_unreadable_numbers_are_told_with_examples(shelf: Shelf, indexer: Indexer) -> None:
    for number in range(7):
        shelf.put("Laden", str(number), artikel("Ding", 1, stimmen="12"))
    shelf.put("Laden", "x", artikel("Ding", 1, stimmen="viele"))
    run(indexer)
    assert indexer.builds.get().problems["Votes"] == {"values": 8, "unreadable": 1, "examples": ["viele"]}
    told = "1 of 8 values (12.5 %) of the column “Votes” cannot be read as numbers or dates, for example “viele”"
    assert told in messages(indexer)


def test_texts_that_the_crawl_could_not_read_as_numbers_are_told_too(shelf: Shelf, indexer: Indexer) -> None:
    for number in range(22):
        shelf.put("Shop", str(number), product("Ding", 1, votes=7))
    for number in range(22, 25):
        shelf.put("Shop", str(number), product("Ding", 1, votes=None), unread={"votes": ["many"], "picture": ["?"]})
    shelf.put("Shop", "25", product("Ding", 1, votes=None))
    run(indexer)
    assert indexer.builds.get().problems["Votes"] == {"values": 25, "unreadable": 3, "examples": ["many"]}
    told = "3 of 25 values (12 %) of the column “Votes” cannot be read as numbers or dates, for example “many”"
    assert told in state_of(indexer)["warnings"][0]


def test_page_text_unsafe_pages_and_fingerprints(shelf: Shelf, indexer: Indexer) -> None:
    indexer.page_text = True
    indexer.save()
    long = " ".join(f"word{number}" for number in range(40))
    shelf.put("Shop", "1", product("A", 1), title="Drives", headings=("Fast",), text=f"{long} pelican", language="en")
    shelf.put("Shop", "2", product("B", 1), title="porn porn xxx", text="porn xxx porn")
    run(indexer)
    [hit] = ask(indexer, "pelican")
    assert (hit.fields["page_title"], hit.fields["page_language"], hit.fields["unsafe"]) == (
        "Drives",
        ["en"],
        ["false"],
    )
    assert [hit.fields["unsafe"] for hit in ask(indexer, "unsafe:true")] == [["true"]]
    assert np.nanmax(served_snapshot(indexer).numbers("fingerprint_high")) > 0


def test_a_changed_dictionary_counts_when_the_index_is_brought_up_to_date(shelf: Shelf, indexer: Indexer) -> None:
    shelf.put("Shop", "1", product("Pelican toaster", 1))
    run(indexer)
    folder = served_folder(indexer)
    assert folder is not None
    assert indexer.dictionary is not None
    save_dictionary(values={"entries": "Quagga, 3"}, project=indexer.project, dictionary=indexer.dictionary)
    run(indexer)
    aid = TypingAid.open(typing_folder(folder))
    assert [found.name for found in aid.suggest("quag")] == ["Quagga"]
    assert not aid.suggest("sams")
    assert indexer.builds.count() == 1


def test_suggestions_know_words_titles_and_the_dictionary(shelf: Shelf, indexer: Indexer) -> None:
    shelf.put("Shop", "1", product("Pelican toaster", 1))
    run(indexer)
    folder = served_folder(indexer)
    assert folder is not None
    aid = TypingAid.open(typing_folder(folder))
    assert [found.name for found in aid.suggest("sams")] == ["Samsung"]
    assert aid.suggest("pelic")[0].name == "Pelican toaster"
    shelf.put("Shop", "2", product("Quokka kettle", 1))
    run(indexer)
    aid = TypingAid.open(typing_folder(folder))
    assert {aid.suggest("quok")[0].name, aid.suggest("pelic")[0].name} == {"Quokka kettle", "Pelican toaster"}


def test_what_safe_search_hides_is_suggested_only_where_it_is_off(shelf: Shelf, indexer: Indexer) -> None:
    hidden, flipped = "Pelican porn, xxx and quolls", "Pelican numbats"
    for number, name in enumerate(("Pelican toaster", hidden, flipped)):
        shelf.put("Shop", str(number), product(name, 1))
    run(indexer)
    assert _offered(indexer, "pelic") == {"Pelican toaster", hidden, flipped}
    assert _offered(indexer, "pelic", is_safe=True) == {"Pelican toaster", flipped, "pelican"}
    assert (_offered(indexer, "quol"), _offered(indexer, "quol", is_safe=True)) == ({hidden, "quolls"}, set())

    shelf.put("Shop", "2", product(flipped, 1, brand="xxx porn"))
    run(indexer)
    assert _offered(indexer, "numb") == {flipped, "numbats"}
    assert _offered(indexer, "numb", is_safe=True) == set()
    assert indexer.builds.count() == 1


def _offered(indexer: Indexer, text: str, *, is_safe: bool = False) -> set[str]:
    folder = served_folder(indexer)
    assert folder is not None
    return {found.name for found in TypingAid.open(typing_folder(folder)).suggest(text, limit=3, is_safe=is_safe)}


def saved_words(indexer: Indexer) -> dict[str, Any]:
    """The counts that suggestions are made of, as they were saved."""
    folder = served_folder(indexer)
    assert folder is not None
    return json.loads(zstandard.decompress((typing_folder(folder) / WORDS_FILE).read_bytes()))


def assert_words_are_those_of_the_index(indexer: Indexer) -> None:
    saved, snapshot = saved_words(indexer), served_snapshot(indexer)
    counted = TypingWords(snapshot.schema, "name")
    counted.recount(snapshot)
    assert saved["sequence"] == snapshot.manifest.note["sequence"]
    assert {name: saved[name] for name in counted.counts} == counted.counts


def test_titles_and_words_of_changed_and_gone_documents_are_suggested_no_longer(shelf: Shelf, indexer: Indexer) -> None:
    shelf.put("Shop", "Pelican", product("Pelican toaster", 1))
    quokka, numbat = (shelf.put("Shop", name, product(f"{name} toaster", 1)) for name in ("Quokka", "Numbat"))
    shelf.put("Shop", "Xerus", product("Xerus porn xxx", 1))
    run(indexer)
    folder = served_folder(indexer)
    assert folder is not None
    for price in range(3):
        shelf.put("Shop", "Numbat", product("Numbat toaster", price))
    shelf.put("Shop", "Pelican", product("Heron toaster", 1))
    shelf.put("Shop", "Xerus", product("Xerus kettle", 1))
    shelf.gone(quokka)
    run(indexer)
    assert saved_words(indexer)["words"] == {"heron": 1, "numbat": 1, "xerus": 1, "kettle": 1, "toaster": 2}
    assert (_offered(indexer, "pelic"), _offered(indexer, "quok")) == (set(), set())
    assert _offered(indexer, "xeru", is_safe=True) == {"Xerus kettle", "xerus"}
    shelf.delete(numbat)
    run(indexer)
    assert_words_are_those_of_the_index(indexer)
    assert indexer.builds.count() == 1


def test_what_changes_while_an_index_is_built_is_counted_once(
    shelf: Shelf, indexer: Indexer, applied: list[Batch]
) -> None:
    documents, is_changed = shelf.fill(10), threading.Event()

    def stop() -> bool:
        if len(applied) == 1 and not is_changed.is_set():
            is_changed.set()
            shelf.put("Shop", "1", product("Heron", 1))
            shelf.gone(documents[2])
        return False

    assert keep_index(indexer.pk, Wait(stop=stop, pause=lambda _: None)) is JobEnd.DONE
    assert sorted(names(indexer)) == ["Heron", "SSD 0", *(f"SSD {number}" for number in range(3, 10))]
    assert saved_words(indexer)["words"] == {"heron": 1, "ssd": 8}
    assert_words_are_those_of_the_index(indexer)
    assert indexer.builds.get().peak <= 10


def test_counts_agree_with_the_index_after_a_job_that_could_not_save_them(
    shelf: Shelf, indexer: Indexer, monkeypatch: Any
) -> None:
    documents = shelf.fill(6)
    run(indexer)
    shelf.put("Shop", "1", product("Heron", 1))
    shelf.gone(documents[2])
    with monkeypatch.context() as patched:
        patched.setattr(TypingWords, "save", _die)
        with pytest.raises(KeyboardInterrupt):
            keep_index(indexer.pk, NEVER)
    assert "Heron" in names(indexer)
    assert saved_words(indexer)["words"] == {"ssd": 6}, "the index is ahead of them"
    shelf.put("Shop", "1", product("Egret", 1))
    run(indexer)
    assert saved_words(indexer)["words"] == {"egret": 1, "ssd": 4}
    assert_words_are_those_of_the_index(indexer)


def _die(*_: Any, **__: Any) -> None:
    raise KeyboardInterrupt


def test_old_builds_and_deleted_indexers_leave_no_files(shelf: Shelf, indexer: Indexer, monkeypatch: Any) -> None:
    monkeypatch.setattr("backend.apps.indexers.cleaning.GRACE", timedelta(seconds=-1))
    shelf.fill(2)
    run(indexer)
    start_indexer(indexer=indexer, rebuild=True)
    (indexer_folder(indexer.pk) / "build-77").mkdir()
    run(indexer)
    assert [path.name for path in indexer_folder(indexer.pk).iterdir()] == ["build-2"]
    folder = indexer_folder(indexer.pk)
    delete_indexer(indexer=indexer)
    assert not folder.exists()


def test_starting_stopping_and_what_is_refused(shelf: Shelf, indexer: Indexer) -> None:
    with pytest.raises(Conflict, match="not at work"):
        stop_indexer(indexer=indexer)
    start_indexer(indexer=indexer)
    assert indexer.builds.get().state == "building"
    with pytest.raises(Conflict, match="at work already"):
        start_indexer(indexer=indexer)
    start_indexer(indexer=indexer, rebuild=True)
    assert indexer.builds.count() == 1, "the one under way is it"
    stop_indexer(indexer=indexer)
    assert Job.objects.get().wish == "stop"


def test_a_stop_in_the_middle_goes_on_where_it_was(shelf: Shelf, indexer: Indexer, applied: list[Batch]) -> None:
    shelf.fill(10)
    wait = Wait(stop=lambda: len(applied) == 2, pause=lambda _: None)
    assert keep_index(indexer.pk, wait) is JobEnd.STOPPED
    indexer.refresh_from_db()
    assert served_folder(indexer) is None
    assert indexer.builds.get().sequence == 8
    run(indexer)
    assert len(names(indexer)) == 10
    assert "Going on with build-1 after 8 documents." in messages(indexer)


def test_a_document_that_came_after_the_links_were_counted_has_usual_ranks(shelf: Shelf, indexer: Indexer) -> None:
    shelf.fill(3)
    shelf.put("Laden", "9", artikel("HDD", 1))
    run(indexer)
    ranked = served_snapshot(indexer)
    known = {hit.fields["name"]: hit.fields for hit in ask(indexer, "")}
    assert all(fields["pagerank"] is not None for fields in known.values())
    shelf.put("Shop", "late", product("Late", 5))
    run(indexer)
    assert served_snapshot(indexer).generation > ranked.generation
    [late] = [hit.fields for hit in ask(indexer, "late")]
    assert late["pagerank"] == np.median([fields["pagerank"] for fields in known.values()])
    assert late["host_rank"] == known["SSD 0"]["host_rank"]


def test_usual_ranks_are_those_of_the_index_and_of_the_host(tmp_path: Path) -> None:
    schema = Schema(standard.standard_fields(Analysis(), with_page_text=True))
    ranks = (("a", 0.1, 0.3), ("a", 0.2, 0.3), ("b", 0.9, 0.7), ("c", None, None))
    with IndexWriter(tmp_path / "index", schema) as writer:
        for number, (host, rank, host_rank) in enumerate(ranks):
            fields = {standard.HOST: host, standard.PAGERANK: rank, standard.HOST_RANK: host_rank}
            writer.put(str(number), fields)
        writer.commit()
    usual = UsualScores.of(open_snapshot(tmp_path / "index"))
    assert usual.medians == {"pagerank": 0.2}
    assert [usual.host_rank_of(f"http://{host}/x") for host in "abcd"] == pytest.approx([0.3, 0.7, 0.5, 0.5])


def test_without_any_ranks_nothing_is_usual(tmp_path: Path) -> None:
    schema = Schema(standard.standard_fields(Analysis(), with_page_text=True))
    with IndexWriter(tmp_path / "index", schema) as writer:
        writer.put("1", {standard.HOST: "a"})
        writer.commit()
    usual = UsualScores.of(open_snapshot(tmp_path / "index"))
    assert (usual.medians, usual.host_rank_of("http://a/")) == ({}, None)
