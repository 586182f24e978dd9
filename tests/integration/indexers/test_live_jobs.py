"""Real processes: an index job that is killed again and again, and one that follows documents as they are committed."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.integration.indexers.killing import contents, sequence_of
from tests.integration.runners.live import LiveGleaner, live_gleaner

PATIENCE_SECONDS = 400.0
START = """
from backend.apps.indexers.models import Indexer
from backend.apps.indexers.running import start_indexer
from tests.integration.indexers.conftest import make_project
from tests.integration.indexers.shelf import Shelf
Shelf(make_project()).fill(20)
start_indexer(indexer=Indexer.objects.get())
"""
MORE = """
from backend.apps.projects.models import Project
from tests.integration.indexers.shelf import Shelf, product
shelf = Shelf(Project.objects.get())
for number in range(5):
    shelf.put("Shop", f"{name} {{number}}", product(f"{name} {{number}}", 5))
"""


@pytest.fixture
def gleaner(tmp_path: Path) -> Iterator[LiveGleaner]:
    with live_gleaner(tmp_path, os.environ.get("GLEANER_DATABASE_URL", "")) as live:
        yield live


def test_a_build_that_is_killed_ten_times_ends_with_the_same_index(gleaner: LiveGleaner) -> None:
    script = "from tests.integration.indexers.killing import main; main()"
    told = gleaner.last_json(gleaner.manage("shell", "-v0", "-c", script).stdout)
    assert told == {
        "killed": 10,
        "documents": 1_000,
        "same_contents": True,
        "same_note": True,
        "served": "build-2",
    }


def test_a_live_job_follows_documents_and_goes_on_after_it_was_killed(gleaner: LiveGleaner) -> None:
    gleaner.manage("shell", "-v0", "-c", START)
    head = gleaner.start("head", "--stop-workers")
    try:
        folder = gleaner.folder / "indexes" / "1" / "build-1"
        wait_for(folder, 20)
        gleaner.manage("shell", "-v0", "-c", MORE.format(name="Toaster"))
        wait_for(folder, 25)
        [worker] = [child for child in psutil.Process(head.pid).children() if "--placement" in child.cmdline()]
        worker.kill()
        gleaner.manage("shell", "-v0", "-c", MORE.format(name="Kettle"))
        wait_for(folder, 30)
        found = {fields["name"] for fields in contents(folder).values()}
        assert len(found) == 30
        assert {"SSD 0", "Toaster 4", "Kettle 4"} <= found
    finally:
        head.send_signal(signal.SIGTERM)
        head.communicate()
    assert not (folder.parent / "build-2").exists(), "following needs no new build"


def wait_for(folder: Path, sequence: int) -> None:
    """Until an index has followed so far."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while sequence_of(folder) < sequence:
        assert time.monotonic() < deadline, f"the index stays at {sequence_of(folder)}"
        time.sleep(0.05)
