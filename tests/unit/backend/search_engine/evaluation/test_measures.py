"""The measures on examples worked by hand."""

from math import log2

import pytest

from backend.search_engine.evaluation import average_precision, ndcg_at, precision_at, recall_at

RANKED = ["a", "x", "b", "y", "c", "z"]


def test_ndcg_discounts_by_rank_and_compares_with_the_best_order():
    grades = {"a": 1, "b": 3, "c": 2, "y": 0, "z": -1}
    gained = 1 / log2(2) + 3 / log2(4) + 2 / log2(6)
    best = 3 / log2(2) + 2 / log2(3) + 1 / log2(4)
    assert ndcg_at(RANKED, grades, 10) == pytest.approx(gained / best)
    assert ndcg_at(RANKED, grades, 3) == pytest.approx((1 + 3 / 2) / best)
    assert ndcg_at(RANKED, grades, 1) == pytest.approx(1 / 3)


def test_ndcg_of_the_best_order_is_one_and_of_nothing_is_zero():
    assert ndcg_at(["b", "a"], {"a": 1, "b": 2}, 10) == 1
    assert ndcg_at([], {"a": 1}, 10) == 0
    assert ndcg_at(["a"], {}, 10) == 0


def test_average_precision_counts_missing_documents_as_zero():
    assert average_precision(RANKED, {"a", "b", "c"}) == pytest.approx((1 / 1 + 2 / 3 + 3 / 5) / 3)
    assert average_precision(RANKED, {"a", "b", "c", "missing"}) == pytest.approx((1 / 1 + 2 / 3 + 3 / 5) / 4)
    assert average_precision(RANKED, set()) == 0


def test_recall_and_precision_at_a_depth():
    assert recall_at(RANKED, {"a", "b", "c", "missing"}, 3) == 0.5
    assert recall_at(RANKED, set(), 3) == 0
    assert precision_at(RANKED, {"a", "b", "c"}, 5) == 0.6
    assert precision_at(["a"], {"a"}, 5) == 0.2
