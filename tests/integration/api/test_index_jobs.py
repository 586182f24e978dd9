"""Index jobs over REST: start, watch, decide, stop."""

from pathlib import Path
from typing import Any

import pytest
from rest_framework.test import APIClient

from backend.apps.indexers.keeping import Wait, keep_index
from backend.apps.indexers.models import Indexer
from backend.apps.jobs.models import Job
from tests.integration.api.conftest import World
from tests.integration.indexers.shelf import Shelf, product

NEVER = Wait(stop=lambda: False, pause=lambda _: None)


@pytest.fixture(autouse=True)
def _var(settings: Any, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path


@pytest.fixture
def editor(world: World) -> APIClient:
    Indexer.objects.update(live=False)
    return world.client("editor")


@pytest.fixture
def address(world: World) -> str:
    return f"/api/v1/indexers/{world.ids['indexers']}"


def test_an_index_is_built_watched_and_searched(world: World, editor: APIClient, address: str) -> None:
    before = editor.get(f"{address}/state").json()
    assert (before["status"], before["is_at_work"], before["served"]) == ("new", False, None)
    answer = editor.post(f"{address}/start", {})
    assert answer.status_code == 200, answer.json()
    started = answer.json()
    assert (started["is_at_work"], started["building"]["state"], started["reason"]) == (
        True,
        "building",
        "Waiting for its turn.",
    )
    assert started["job"] == Job.objects.get(kind="index").pk
    Shelf(world.project).put("Shop", "1", product("Pelican", 5))
    keep_index(world.ids["indexers"], NEVER)
    done = editor.get(f"{address}/state").json()
    assert (done["status"], done["building"], done["served"]["name"]) == ("completed", None, "build-1")
    assert done["served"]["documents"] == done["served"]["fill"]["price"] == 1
    assert "build-1 answers searches now" in editor.get(f"{address}/log").json()["results"][0]["message"]
    found = editor.get(f"{address}/search?q=pelican").json()
    assert found["total"] == 1


def test_a_change_of_the_analysis_is_told_as_stale(world: World, editor: APIClient, address: str) -> None:
    keep_index(world.ids["indexers"], NEVER)
    editor.patch(address, {"k": 2})
    assert editor.get(f"{address}/state").json()["stale"] == []
    editor.patch(address, {"language": "de"})
    told = editor.get(f"{address}/state").json()["stale"]
    assert "Needs a rebuild: Of the column “name”, the language changed." in told


def test_a_held_build_is_shown_and_decided_about(world: World, editor: APIClient, address: str) -> None:
    shelf = Shelf(world.project)
    documents = shelf.fill(10)
    keep_index(world.ids["indexers"], NEVER)
    for document in documents[:6]:
        shelf.gone(document)
    keep_index(world.ids["indexers"], NEVER)
    held = editor.get(f"{address}/state").json()["held"]
    assert held["comparison"]["lost"] == 6
    assert held["comparison"]["lost_examples"][0]["title"] == "SSD 0"
    after = editor.post(f"{address}/accept").json()
    assert (after["held"], after["served"]["documents"]) == (None, 4)
    assert editor.post(f"{address}/discard").status_code == 409


def test_a_second_start_is_refused_and_a_stop_ends_what_waits(editor: APIClient, address: str) -> None:
    editor.post(f"{address}/start", {})
    answer = editor.post(f"{address}/start", {})
    assert answer.status_code == 409
    assert "at work already" in answer.json()["detail"]
    stopped = editor.post(f"{address}/stop").json()
    assert (stopped["is_at_work"], stopped["status"], stopped["building"]) == (False, "exit", None)


def test_a_deleted_indexer_takes_its_files_with_it(
    world: World, editor: APIClient, address: str, tmp_path: Path
) -> None:
    keep_index(world.ids["indexers"], NEVER)
    assert list((tmp_path / "indexes").iterdir())
    assert editor.delete(address).status_code == 204
    assert not list((tmp_path / "indexes").iterdir())
