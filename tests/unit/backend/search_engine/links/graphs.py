"""Graphs for tests, as ours and as networkx's."""

import networkx as nx
import numpy as np
from hypothesis import strategies as st

from backend.search_engine.links import LinkGraph, build_graph

EdgeList = list[tuple[int, int]]


@st.composite
def edge_lists(draw: st.DrawFn) -> tuple[EdgeList, int]:
    """Any links between up to 20 pages: repeated ones, links to oneself, sinks, pages without any link."""
    pages = draw(st.integers(1, 20))
    number = st.integers(0, pages - 1)
    return draw(st.lists(st.tuples(number, number), max_size=80)), pages


def ours(edges: EdgeList, pages: int) -> LinkGraph:
    ends = np.array(edges, dtype=np.int32).reshape(-1, 2)
    return build_graph(ends[:, 0], ends[:, 1], pages)


def theirs(edges: EdgeList, pages: int) -> nx.DiGraph:
    graph = nx.DiGraph()
    graph.add_nodes_from(range(pages))
    graph.add_edges_from((source, target) for source, target in edges if source != target)
    return graph
