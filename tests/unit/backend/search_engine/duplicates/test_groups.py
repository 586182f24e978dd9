"""Which results stand for a group."""

import numpy as np

from backend.search_engine.duplicates import NO_FINGERPRINT, group_near_duplicates


def groups(*fingerprints: int, **options: int) -> list[int]:
    return group_near_duplicates(np.array(fingerprints, dtype=np.uint64), **options).tolist()


def test_the_best_result_stands_for_its_near_duplicates():
    assert groups(0b1111_0000, 0xFFFF_0000_0000_0000, 0b1111_0111, 0xFFFF_0000_0000_0001) == [0, 1, 0, 1]


def test_more_than_six_bits_are_another_text():
    assert groups(0x7F00, 0xFFFF) == [0, 1]
    assert groups(0x7F00, 0xFFFF, max_distance=9) == [0, 0]


def test_groups_do_not_drift():
    assert groups(0b1, 0b11111, 0x1FF) == [0, 0, 2]


def test_results_without_a_fingerprint_are_never_grouped():
    assert groups(NO_FINGERPRINT, NO_FINGERPRINT, 0b1, 0b11) == [0, 1, 2, 2]
    assert groups() == []
