"""Run inside a Gleaner of its own: build an index, build it again with kills in between, and compare.

`manage.py shell -c "from tests.integration.indexers.killing import main; main()"`. Forking is quicker than starting.
"""

import json
import os
import random
import signal
import sys
import time
from pathlib import Path
from typing import Any

from django.db import connections

from backend.apps.indexers import filling
from backend.apps.indexers.build_plans import plan_of
from backend.apps.indexers.build_states import begin_build
from backend.apps.indexers.folders import indexer_folder
from backend.apps.indexers.keeping import Wait, keep_index
from backend.apps.indexers.models import Indexer
from backend.search_engine.errors import IndexFaultError
from backend.search_engine.index import open_snapshot
from backend.search_engine.index.manifest import read_manifest
from tests.integration.indexers.conftest import make_project
from tests.integration.indexers.shelf import Shelf, product

DOCUMENTS = 1_000
KILLS = 10
NEVER = Wait(stop=lambda: False, pause=lambda _: None)


def main() -> None:
    """Prints as JSON how often it was killed, and whether the two indexes are the same."""
    shelf = Shelf(make_project())
    for number in range(DOCUMENTS):
        name = f"SSD model {number} of series {number % 97}"
        shelf.put("Shop", str(number), product(name, number + 1, votes=number % 50, brand=f"Brand {number % 7}"))
    Indexer.objects.update(live=False)
    indexer = Indexer.objects.get()
    keep_index(indexer.pk, NEVER)
    begin_build(indexer, plan_of(indexer).to_json())
    first, second = (indexer_folder(indexer.pk) / f"build-{number}" for number in (1, 2))
    killed = build_and_kill(indexer.pk, second)
    report = {
        "killed": killed,
        "documents": len(contents(second)),
        "same_contents": contents(first) == contents(second),
        "same_note": read_manifest(first).note == read_manifest(second).note,
        "served": Indexer.objects.get().served_build,
    }
    sys.stdout.write(f"{json.dumps(report)}\n")


def build_and_kill(indexer_id: int, folder: Path) -> int:
    """Build in child processes, ten of which are killed: each when the index is at a random point, or a bit later."""
    rng, killed = random.Random(11), 0
    points = sorted(rng.sample(range(DOCUMENTS - 100), KILLS))
    while True:
        child = start_child(indexer_id)
        point = points[killed] if killed < KILLS else None
        while point is not None and sequence_of(folder) < point and not has_ended(child):
            time.sleep(0.001)
        if point is None:
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
            return killed
        time.sleep(rng.uniform(0, 0.05))
        os.kill(child, signal.SIGKILL)
        killed += os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


def has_ended(child: int) -> bool:
    """Whether a child has ended; it is still to be buried."""
    return os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def start_child(indexer_id: int) -> int:
    """A process that keeps the index, in small steps."""
    connections.close_all()
    child = os.fork()
    if child:
        return child
    filling.COMMIT_SECONDS, filling.BATCH_DOCUMENTS = 0.0, 10
    code = 1
    try:
        keep_index(indexer_id, NEVER)
        code = 0
    finally:
        os._exit(code)


def sequence_of(folder: Path) -> int:
    """How far an index is by its own note; -1 before it has one."""
    try:
        return int(read_manifest(folder).note.get("sequence", -1))
    except IndexFaultError:
        return -1


def contents(folder: Path) -> dict[str, dict[str, Any]]:
    """Every document of an index by its key: what is stored, and columns that are not."""
    snapshot, found = open_snapshot(folder), {}
    columns = {name: snapshot.numbers(name) for name in ("votes", "price", "fingerprint_low", "fingerprint_high")}
    for base, each in zip(snapshot.bases, snapshot.segments, strict=False):
        for document in each.live_documents.tolist():
            slot = base + document
            numbers = {name: float(column[slot]) for name, column in columns.items()}
            found[snapshot.key(slot)] = {**snapshot.stored(slot), **numbers}
    return found
