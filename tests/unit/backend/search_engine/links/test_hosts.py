"""Hosts behind pages."""

import numpy as np
import pytest

from backend.search_engine.links import host_graph, pagerank
from tests.unit.backend.search_engine.links.graphs import ours

HOSTS = np.array([0, 0, 1, 1, 2], dtype=np.int32)


def test_many_pages_of_a_host_count_once_and_links_within_it_not_at_all() -> None:
    graph = host_graph(ours([(0, 1), (0, 2), (1, 3), (1, 2), (2, 3), (3, 4)], 5), HOSTS, 3)
    assert [graph.sources_of(host).tolist() for host in range(3)] == [[], [0], [1]]
    scores = pagerank(graph).scores
    assert scores[0] < scores[1] < scores[2]


def test_a_page_without_a_host_is_refused() -> None:
    with pytest.raises(ValueError, match="number of its host"):
        host_graph(ours([(0, 1)], 2), HOSTS, 3)
