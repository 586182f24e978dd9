"""Short runs of `./gleaner chaos index`."""

from pathlib import Path

from backend.search_engine.index.check import check_index
from tests.chaos.index import expected_keys, flip_bits, follow_commits, kill_writers, make_index


def test_flipped_bits_and_truncations_are_detected_and_answer_nothing_wrong() -> None:
    assert flip_bits(40, seed=1) == (0, 0)


def test_a_killed_writer_leaves_one_of_its_commits() -> None:
    assert kill_writers(3, seed=2) == 0


def test_a_writer_killed_while_its_threads_build_leaves_one_of_its_commits() -> None:
    assert kill_writers(3, seed=3, threads=2) == 0


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
