"""PageRank as worked by hand, and as networkx has it."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

from backend.search_engine.links import PageRankOptions, log_scaled, pagerank
from tests.unit.backend.search_engine.links.graphs import EdgeList, edge_lists, ours, theirs

EXACT = PageRankOptions(tolerance=1e-14, max_iterations=1000)


def test_two_pages_and_a_sink_by_hand() -> None:
    """0 → 1: x₀ = (0.15 + 0.85·x₁) / 2, x₁ = x₀ + 0.85·x₀, so x₀ = 1 / 2.85."""
    found = pagerank(ours([(0, 1)], 2), EXACT)
    assert found.scores == pytest.approx([1 / 2.85, 1.85 / 2.85], abs=1e-12)
    assert found.is_converged


@given(edge_lists())
def test_as_networkx_has_it(case: tuple[EdgeList, int]) -> None:
    edges, pages = case
    known = nx.pagerank(theirs(edges, pages), alpha=0.85, tol=1e-15, max_iter=1000)
    found = pagerank(ours(edges, pages), EXACT).scores
    assert np.abs(found - [known[page] for page in range(pages)]).max() < 1e-9
    assert found.sum() == pytest.approx(1.0, abs=1e-12)


def test_the_residuals_show_the_convergence() -> None:
    graph = ours([(a, b) for a in range(12) for b in range(12) if (a * b + a) % 5 == 1], 12)
    found = pagerank(graph, PageRankOptions(tolerance=1e-9))
    assert found.is_converged
    assert found.residuals[-1] <= 1e-9 < found.residuals[-2]
    assert all(later < earlier for earlier, later in zip(found.residuals, found.residuals[1:], strict=False))


def test_too_few_iterations_are_told() -> None:
    found = pagerank(ours([(0, 1), (1, 2), (2, 0), (0, 2)], 3), PageRankOptions(tolerance=1e-12, max_iterations=3))
    assert (len(found.residuals), found.is_converged) == (3, False)


def test_a_good_start_saves_iterations_and_changes_nothing() -> None:
    edges = [(a, (a * 7 + 3) % 40) for a in range(40)] + [(a, (a * a) % 40) for a in range(40)]
    before = pagerank(ours(edges, 40))
    graph = ours([*edges, (3, 30)], 40)
    cold, warm = pagerank(graph), pagerank(graph, start=before.scores)
    assert len(warm.residuals) < len(cold.residuals)
    assert np.abs(warm.scores - cold.scores).max() < 1e-8


def test_no_pages_have_no_scores() -> None:
    assert pagerank(ours([], 0)).scores.tolist() == []


@pytest.mark.parametrize("start", [[0.0, 0.0], [1.0], [1.5, -0.5]])
def test_a_start_that_is_none_is_refused(start: list[float]) -> None:
    with pytest.raises(ValueError, match="start from"):
        pagerank(ours([(0, 1)], 2), start=np.array(start))


def test_the_logarithmic_scale_runs_from_least_to_most() -> None:
    assert log_scaled(np.array([0.001, 0.01, 0.1])).tolist() == pytest.approx([0.0, 0.5, 1.0])
    assert log_scaled(np.array([0.5, 0.5])).tolist() == [0.0, 0.0]
    assert log_scaled(np.zeros(0)).tolist() == []
