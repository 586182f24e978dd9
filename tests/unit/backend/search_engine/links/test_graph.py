"""The graph has each link once, none to oneself, and knows its sinks."""

import numpy as np
import pytest
from hypothesis import given

from backend.search_engine.links import Edges, build_graph
from tests.unit.backend.search_engine.links.graphs import EdgeList, edge_lists, ours, theirs


def test_a_small_graph_by_hand() -> None:
    graph = ours([(2, 0), (0, 1), (1, 1), (0, 1), (2, 1)], 4)
    assert (graph.pages, graph.links) == (4, 3)
    assert [graph.sources_of(page).tolist() for page in range(4)] == [[2], [0, 2], [], []]
    assert graph.out_degrees.tolist() == [1, 0, 2, 0]
    assert graph.targets().tolist() == [0, 1, 1]


@given(edge_lists())
def test_the_same_links_as_networkx(case: tuple[EdgeList, int]) -> None:
    edges, pages = case
    graph, known = ours(edges, pages), theirs(edges, pages)
    found = set(zip(graph.sources.tolist(), graph.targets().tolist(), strict=True))
    assert found == set(known.edges)
    assert graph.links == known.number_of_edges()
    assert graph.out_degrees.tolist() == [known.out_degree(page) for page in range(pages)]


def test_edges_come_in_parts_and_unknown_pages_are_left_out() -> None:
    edges = Edges()
    edges.add(np.array([0, 0, -1], dtype=np.int32), np.array([1, -1, 1], dtype=np.int32))
    edges.add(np.array([2, 2], dtype=np.int32), np.array([0, 2], dtype=np.int32))
    graph = edges.graph(3)
    assert [graph.sources_of(page).tolist() for page in range(3)] == [[2], [0], []]
    assert edges.graph(3).links == 0


def test_a_link_to_a_page_that_is_not_there_is_refused() -> None:
    one, nine = np.array([1], dtype=np.int32), np.array([9], dtype=np.int32)
    for sources, targets in ((one, nine), (nine, one), (-one, one)):
        with pytest.raises(ValueError, match="not among the 5 pages"):
            build_graph(sources, targets, 5)
