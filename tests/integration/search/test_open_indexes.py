"""Indexes kept open: one opening, new generations taken over while searches go on, folders let go."""

import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from backend.apps.indexers.models import Indexer
from backend.apps.indexers.serving import served_folder
from backend.apps.search.errors import NoIndexYet
from backend.apps.search.open_indexes import OpenIndexes
from backend.search_engine.query import parse_query
from tests.integration.search.shelf import build_index, write_products

TEA = parse_query("tea")


def eventually(is_true: Callable[[], bool], seconds: float = 120.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if is_true():
            return True
        time.sleep(0.02)
    return False


@pytest.fixture
def indexes() -> Iterator[OpenIndexes]:
    found = OpenIndexes(follow_seconds=0.02)
    yield found
    found.close_all()


@pytest.fixture
def folder(indexer: Indexer) -> Path:
    build_index(indexer)
    found = served_folder(indexer)
    assert found is not None
    return found


def test_many_threads_that_ask_at_once_open_it_once(indexes: OpenIndexes, folder: Path) -> None:
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(indexes.get(1, folder))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(index) for index in found}) == 1
    assert len(indexes) == 1


def test_a_new_generation_appears_by_itself_and_running_searches_keep_theirs(
    indexes: OpenIndexes, folder: Path, indexer: Indexer
) -> None:
    index = indexes.get(1, folder)
    before = index.searcher
    old = before.search(TEA)
    write_products(indexer, {"7": {"name": "Black tea"}}, deleted=["5"])
    assert eventually(lambda: index.searcher.snapshot.generation == 2)
    assert {hit.key for hit in index.searcher.search(TEA)} == {"4", "6", "7"}
    assert {hit.key for hit in before.search(TEA)} == {hit.key for hit in old} == {"4", "5", "6"}
    assert [hit.fields["name"] for hit in old if hit.key == "5"] == ["Green tea"]


def test_searches_go_on_while_generations_come(indexes: OpenIndexes, folder: Path, indexer: Indexer) -> None:
    index = indexes.get(1, folder)
    stop, faults, seen = threading.Event(), [], set()

    def search() -> None:
        while not stop.is_set():
            try:
                searcher = index.searcher
                hits = searcher.search(TEA)
                seen.add(hits.generation)
                assert [hit.fields["name"] for hit in hits]
            except Exception as error:  # noqa: BLE001
                faults.append(error)

    threads = [threading.Thread(target=search) for _ in range(3)]
    for thread in threads:
        thread.start()
    for number in range(10, 16):
        write_products(indexer, {str(number): {"name": f"Tea {number}"}})
        expected = number - 8
        assert eventually(lambda: index.searcher.snapshot.generation == expected)  # noqa: B023
        assert eventually(lambda: expected in seen)  # noqa: B023
    stop.set()
    for thread in threads:
        thread.join()
    assert not faults
    assert len(seen) > 1


def test_a_folder_that_is_gone_is_let_go(indexes: OpenIndexes, folder: Path) -> None:
    indexes.get(1, folder)
    shutil.rmtree(folder)
    assert eventually(lambda: len(indexes) == 0)
    with pytest.raises(NoIndexYet):
        indexes.get(1, folder)


def test_an_indexer_is_open_in_its_last_folder_only(indexes: OpenIndexes, folder: Path) -> None:
    indexes.get(1, folder)
    other = folder.with_name("2")
    shutil.copytree(folder, other)
    indexes.get(1, other)
    assert len(indexes) == 1


def test_what_nobody_asks_is_let_go(folder: Path) -> None:
    indexes = OpenIndexes(follow_seconds=0.02, idle_seconds=0.05)
    indexes.get(1, folder)
    assert eventually(lambda: len(indexes) == 0)


def test_synonyms_count_from_the_next_search_on(indexes: OpenIndexes, folder: Path) -> None:
    brew = parse_query("brew")
    assert not indexes.get(1, folder).searcher.search(brew)
    index = indexes.get(1, folder, synonyms=(("brew", "tea"),))
    assert {hit.key for hit in index.searcher.search(brew)} == {"4", "5", "6"}


def test_a_damaged_generation_leaves_the_old_one_in_place_and_is_told_once(
    indexes: OpenIndexes, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    index = indexes.get(1, folder)
    damaged = folder / "damaged"
    damaged.write_bytes(b"rubbish\n{}")
    damaged.replace(folder / "manifest")  # at once, as a writer does: half a file would be another damage
    assert eventually(lambda: "cannot be opened" in caplog.text)
    indexes.follow_all()
    assert caplog.text.count("cannot be opened") == 1
    assert len(index.searcher.search(TEA)) == 3
