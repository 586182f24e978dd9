"""The policy alone: sizes in, runs out."""

import random

from backend.search_engine.index.build import MAX_SEGMENT_DOCUMENTS
from backend.search_engine.index.manifest import SegmentEntry
from backend.search_engine.index.merge_policy import FAN_IN, choose_merge, most_segments


def entry(live: int, documents: int | None = None) -> SegmentEntry:
    return SegmentEntry("s", 1, documents or live, live, None, words=(), filled=())


def merged(sizes: list[int]) -> tuple[list[int], int]:
    """The sizes after every merge that the policy wants, and how many documents were rewritten for it."""
    rewritten = 0
    while (run := choose_merge([entry(size) for size in sizes])) is not None:
        total = sum(sizes[run.start : run.stop])
        assert total <= MAX_SEGMENT_DOCUMENTS
        rewritten += total
        sizes = [*sizes[: run.start], total, *sizes[run.stop :]]
    return sizes, rewritten


def test_an_hour_of_commits_every_second_stays_in_few_segments_and_few_rewrites() -> None:
    sizes: list[int] = []
    most, rewritten = 0, 0
    for _ in range(3600):
        sizes, more = merged([*sizes, 50])
        most, rewritten = max(most, len(sizes)), rewritten + more
    assert most <= 4 * FAN_IN
    assert rewritten <= 4 * sum(sizes)


def test_sizes_that_only_together_fill_a_segment_are_merged() -> None:
    assert merged([9_600] * 60)[0] == [9_600 * 6] * 10


def test_large_and_small_in_turn_do_not_pile_up() -> None:
    rng = random.Random(3)
    sizes: list[int] = []
    for _ in range(300):
        sizes, _ = merged([*sizes, rng.choice([1, 20_000])])
        assert len(sizes) <= most_segments(sum(sizes))


def test_full_segments_are_left_alone() -> None:
    assert choose_merge([entry(MAX_SEGMENT_DOCUMENTS)] * 100) is None


def test_a_segment_of_which_most_is_deleted_is_rewritten() -> None:
    assert choose_merge([entry(100), entry(30, 100), entry(100)]) == range(1, 2)
    assert choose_merge([entry(100), entry(60, 100), entry(100)]) is None
