"""Hubs and authorities as networkx has them."""

import networkx as nx
import numpy as np
import pytest

from backend.search_engine.links import hits, root_scaled
from tests.unit.backend.search_engine.links.graphs import ours, theirs

LINKS = [(a, b) for a in range(9) for b in range(9) if a != b and (3 * a + b * b) % 4 == 1]


def test_as_networkx_has_them() -> None:
    known_hubs, known_authorities = nx.hits(theirs(LINKS, 9), tol=1e-15, max_iter=5000)
    found = hits(ours(LINKS, 9), tolerance=1e-14, max_iterations=5000)
    assert found.is_converged
    assert found.hubs == pytest.approx([known_hubs[page] for page in range(9)], abs=1e-9)
    assert found.authorities == pytest.approx([known_authorities[page] for page in range(9)], abs=1e-9)


def test_a_directory_is_a_hub_and_what_it_lists_an_authority() -> None:
    found = hits(ours([(0, 1), (0, 2), (3, 2)], 4))
    assert np.argmax(found.hubs) == 0
    assert np.argmax(found.authorities) == 2
    assert found.residuals[-1] <= 1e-9


def test_without_links_nobody_is_either() -> None:
    found = hits(ours([], 3))
    assert (found.hubs.tolist(), found.authorities.tolist(), found.is_converged) == ([0.0] * 3, [0.0] * 3, True)


def test_scaled_scores_run_from_none_to_the_best() -> None:
    assert root_scaled(np.array([0.0, 0.1, 0.4])).tolist() == [0.0, 0.5, 1.0]
    assert root_scaled(np.zeros(2)).tolist() == [0.0, 0.0]
    assert root_scaled(np.zeros(0)).tolist() == []
