"""A live job between the changes it follows: what it looks at, what it writes, and what it does not."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from backend.apps.crawlers.models import Crawler
from backend.apps.documents.models import Document
from backend.apps.indexers.keeping import JobEnd, Wait, keep_index
from backend.apps.indexers.models import IndexBuild, Indexer
from backend.apps.indexers.running import accept_build, start_indexer
from backend.apps.indexers.services import describe_column, save_dictionary, save_indexer
from backend.apps.indexers.serving import served_folder, typing_folder
from backend.apps.indexers.typing_words import TypingWords
from backend.apps.projects.models import Project
from backend.apps.templates.models import Template
from backend.search_engine.fuzzy import TypingAid
from tests.integration.indexers.asking import ask, names
from tests.integration.indexers.shelf import Shelf, artikel, product

PATIENCE_SECONDS = 60.0


@pytest.fixture(autouse=True)
def _restless(settings: Any, tmp_path: Path, monkeypatch: Any) -> None:
    """Every pause is long enough to look closely and to write suggestions."""
    settings.VAR_DIR = tmp_path
    monkeypatch.setattr("backend.apps.indexers.keeping.LOOK_SECONDS", 0.0)
    monkeypatch.setattr("backend.apps.indexers.keeping.TIDY_SECONDS", 0.0)
    monkeypatch.setattr("backend.apps.indexers.saving_words.WORDS_SECONDS", 0.0)
    monkeypatch.setattr("backend.apps.indexers.saving_words.WORDS_DUTY", 0.0)


@pytest.fixture
def shelf(project: Project) -> Shelf:
    return Shelf(project)


def follow(indexer: Indexer, steps: Callable[[], Iterator[None]]) -> None:
    """Keep the index until the steps are over; one is made in each pause of the job."""
    walk, is_over = steps(), threading.Event()

    def pause(_: float) -> None:
        if next(walk, is_over) is is_over:
            is_over.set()

    assert keep_index(indexer.pk, Wait(stop=is_over.is_set, pause=pause)) is JobEnd.STOPPED
    indexer.refresh_from_db()


def suggestions(indexer: Indexer) -> Path:
    indexer.refresh_from_db()
    folder = served_folder(indexer)
    assert folder is not None
    return typing_folder(folder)


def written(indexer: Indexer) -> dict[str, tuple[int, int]]:
    """Which files there are, so that one that was replaced is another."""
    facts = {path.name: path.stat() for path in suggestions(indexer).iterdir()}
    return {name: (fact.st_ino, fact.st_mtime_ns) for name, fact in facts.items()}


def test_an_idle_job_leaves_its_suggestions_alone(shelf: Shelf, indexer: Indexer) -> None:
    shelf.fill(3)
    seen = []

    def steps() -> Iterator[None]:
        for _ in range(6):
            seen.append(written(indexer))
            yield

    follow(indexer, steps)
    assert seen == [seen[0]] * 6
    assert written(indexer) == seen[0]


def test_suggestions_are_written_for_what_changes_them_and_nothing_else(shelf: Shelf, indexer: Indexer) -> None:
    shelf.fill(3)
    seen = []

    def steps() -> Iterator[None]:
        seen.append(written(indexer))
        shelf.put("Shop", "1", product("SSD 1", 77))
        yield from (None for _ in range(4))
        seen.append(written(indexer))
        shelf.put("Shop", "1", product("Heron", 77))
        yield from until(lambda: "Heron" in offers(indexer, "hero"))
        assert indexer.dictionary is not None
        save_dictionary(values={"entries": "Quagga, 3"}, project=indexer.project, dictionary=indexer.dictionary)
        yield from until(lambda: "Quagga" in offers(indexer, "quag"))

    follow(indexer, steps)
    assert seen[0] == seen[1], "a price is no word"


def test_a_restart_without_news_reads_its_counts_back(shelf: Shelf, indexer: Indexer, monkeypatch: Any) -> None:
    shelf.fill(3)
    follow(indexer, lambda: iter([None]))
    shelf.put("Shop", "1", product("SSD 1", 77))
    follow(indexer, lambda: iter([None, None]))
    before = written(indexer)
    monkeypatch.setattr(TypingWords, "recount", None)
    follow(indexer, lambda: iter([None, None]))
    assert written(indexer) == before


def test_documents_are_found_while_suggestions_are_written(shelf: Shelf, indexer: Indexer, monkeypatch: Any) -> None:
    shelf.fill(3)
    save, is_writing, is_found = TypingWords.save, threading.Event(), threading.Event()
    in_time = []

    def slow_save(words: TypingWords, *args: Any, **options: Any) -> None:
        is_writing.set()
        in_time.append(is_found.wait(PATIENCE_SECONDS))
        save(words, *args, **options)

    def steps() -> Iterator[None]:
        monkeypatch.setattr(TypingWords, "save", slow_save)
        shelf.put("Shop", "heron", product("Heron", 1))
        yield from until(is_writing.is_set)
        shelf.put("Shop", "egret", product("Egret", 1))
        yield from until(lambda: names(indexer, "egret") == ["Egret"])
        is_found.set()

    follow(indexer, steps)
    assert in_time[0], "the document came only when the suggestions had been written"
    assert "Egret" in offers(indexer, "egre"), "and it is offered at the end"


def test_a_crawler_that_was_renamed_or_joins_is_followed(shelf: Shelf, indexer: Indexer) -> None:
    shelf.fill(1)
    other = Template.objects.create(project=indexer.project, name="Else")
    stranger, shop = shelf.crawlers["Laden"], shelf.crawlers["Shop"]
    template = stranger.template
    Crawler.objects.filter(pk=stranger.pk).update(template=other)

    def steps() -> Iterator[None]:
        shelf.put("Laden", "1", artikel("Egret", 1))
        yield from (None for _ in range(3))
        Crawler.objects.filter(pk=shop.pk).update(name="Store")
        Crawler.objects.filter(pk=stranger.pk).update(template=template)
        yield from (None for _ in range(3))
        shelf.put("Shop", "2", product("Heron", 1))
        shelf.put("Laden", "2", artikel("Ibis", 1))
        yield from (None for _ in range(3))

    follow(indexer, steps)
    found = {hit.fields["name"]: hit.fields["crawler"] for hit in ask(indexer, "")}
    assert found == {"SSD 0": ["Shop"], "Heron": ["Store"], "Ibis": ["Laden"]}


def hold_a_build(shelf: Shelf, indexer: Indexer) -> IndexBuild:
    """Twenty documents are served; a build without their brands waits for a person."""
    shelf.fill(20, brand="Acme")
    follow(indexer, lambda: iter([None]))
    columns = [{**describe_column(each), "id": each.pk} for each in indexer.columns.all()]
    for column in columns:
        if column["name"] == "brand":
            column["sources"] = ["Product.picture"]
    save_indexer(values={"columns": columns}, project=indexer.project, indexer=indexer)
    follow(indexer, lambda: iter([None]))
    return indexer.builds.get(state="held")


def test_while_a_build_is_held_what_is_served_follows(shelf: Shelf, indexer: Indexer) -> None:
    held = hold_a_build(shelf, indexer)

    def steps() -> Iterator[None]:
        shelf.put("Shop", "heron", product("Heron", 1, brand="Globex"))
        yield from until(lambda: names(indexer, "heron") == ["Heron"])
        assert [hit.fields["brand"] for hit in ask(indexer, "heron")] == ["Globex"], "as the served build has it"
        yield from (None for _ in range(3))
        assert indexer.builds.get(state="held") == held, "what needs a rebuild waits for the decision"
        accept_build(build=held)
        shelf.put("Shop", "egret", product("Egret", 1))
        yield from until(lambda: names(indexer, "egret") == ["Egret"])

    follow(indexer, steps)
    assert indexer.served_build == held.name
    assert sorted(indexer.builds.values_list("state", flat=True)) == ["replaced", "served"]
    assert len(names(indexer)) == 22


def test_while_a_build_is_held_no_great_loss_is_taken_over(shelf: Shelf, indexer: Indexer) -> None:
    held = hold_a_build(shelf, indexer)
    documents = list(Document.objects.order_by("pk"))

    def steps() -> Iterator[None]:
        for document in documents[:10]:
            shelf.gone(document)
        yield from (None for _ in range(5))
        assert len(names(indexer)) == 20
        assert indexer.builds.get(state="held") == held, "no build gives way to another"
        start_indexer(indexer=indexer, rebuild=True)
        yield from until(lambda: indexer.builds.filter(state="held").exclude(pk=held.pk).exists())

    follow(indexer, steps)
    assert "10 of 20 documents (50 %) are missing" in indexer.builds.get(state="held").reason
    assert len(names(indexer)) == 20


def test_stop_is_heard_while_links_are_analysed(shelf: Shelf, indexer: Indexer, monkeypatch: Any) -> None:
    monkeypatch.setattr("backend.apps.indexers.keeping.TELL_SECONDS", 0.0)
    shelf.fill(3)
    asked = iter([False, False])
    assert keep_index(indexer.pk, Wait(stop=lambda: next(asked, True), pause=lambda _: None)) is JobEnd.STOPPED
    told = "\n".join(indexer.log.order_by("id").values_list("message", flat=True))
    assert "Reading the links of pages: 50 %." in told
    assert "PageRank" not in told
    assert indexer.builds.get().done == 0


def until(is_so: Callable[[], bool]) -> Iterator[None]:
    """Pauses until something is so."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        assert time.monotonic() < deadline, "It never came to be."
        time.sleep(0.01)
        yield


def offers(indexer: Indexer, text: str) -> list[str]:
    return [found.name for found in TypingAid.open(suggestions(indexer)).suggest(text, limit=3)]
