"""Three short `./gleaner chaos cluster`: what breaks while it crawls costs nothing, and no state lies about it."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from tests.integration.cluster.conftest import ROOT

pytestmark = [pytest.mark.postgres, pytest.mark.redis]


def chaos(*words: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.chaos.cluster", "--runs", "1", "--patience", "30", *words]
    env = {name: value for name, value in os.environ.items() if not name.startswith("GLEANER_")}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.stdout.strip(), done.stderr
    found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


@pytest.mark.parametrize(
    ("kinds", "words"),
    [
        (["wipe_redis", "restart_postgres"], []),
        (["cut_node", "kill_head"], []),
        (["kill_workers", "wipe_redis"], ["--processes"]),
    ],
)
def test_a_cluster_survives_what_breaks(kinds: list[str], words: list[str]) -> None:
    # However fast the machine is, the crawl lasts until both things broke.
    report = chaos("--pages", "1000", "--sleep-ms", "50", "--faults", "2", "--first", ",".join(kinds), *words)
    assert (report["runs"], report["faults"]) == (1, 2)
    assert report["hosts"] == "processes only" or not words
    if report["hosts"] == "namespaces" or "cut_node" not in kinds:
        assert report["by_kind"] == dict.fromkeys(kinds, 1)
    wrong = {name: report[name] for name in ("lost", "doubled", "lies", "processes_left")}
    assert wrong == dict.fromkeys(wrong, 0), report["told"]
