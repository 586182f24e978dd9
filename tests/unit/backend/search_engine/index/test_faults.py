"""Short runs of `./gleaner chaos index`."""

import subprocess
import sys
import time
from pathlib import Path

import psutil

from backend.search_engine.index.check import check_index
from tests.chaos.index import WRITER, expected_keys, flip_bits, follow_commits, kill_writers, make_index
from tests.processes import still_running


def test_flipped_bits_and_truncations_are_detected_and_answer_nothing_wrong() -> None:
    assert flip_bits(40, seed=1) == (0, 0)


def test_a_killed_writer_leaves_one_of_its_commits() -> None:
    assert kill_writers(4, seed=2) == 0


def test_eight_threads_see_one_commit_at_a_time_while_a_writer_commits_and_merges() -> None:
    searches, problems = follow_commits(30)
    assert problems == []
    assert searches >= 8


def test_a_missing_file_is_a_problem(tmp_path: Path) -> None:
    make_index(tmp_path, 60)
    assert check_index(tmp_path).is_sound
    next(tmp_path.glob("segment-*")).unlink()
    assert not check_index(tmp_path).is_sound


def test_the_chaos_expects_deletes() -> None:
    assert len(expected_keys(100)) == 96


def test_a_killed_writer_takes_its_workers_along(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WRITER, str(tmp_path / "index"), "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        deadline = time.monotonic() + 120
        children: list[psutil.Process] = []
        while len(children) < 3 and time.monotonic() < deadline:  # resource tracker, fork server, a worker
            children = psutil.Process(writer.pid).children(recursive=True)
            time.sleep(0.05)
        writer.kill()
    assert len(children) >= 3
    assert still_running(children, patience_seconds=120) == []
