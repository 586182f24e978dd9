"""Who links to whom, and what that says about a page: graph, PageRank, hosts, HITS, anchor texts."""

from backend.search_engine.links.anchors import Anchor, AnchorBook, AnchorTexts
from backend.search_engine.links.graph import Edges, LinkGraph, build_graph
from backend.search_engine.links.hits import Hits, hits, root_scaled
from backend.search_engine.links.hosts import host_graph
from backend.search_engine.links.keys import KeyTable
from backend.search_engine.links.pagerank import PageRank, PageRankOptions, log_scaled, pagerank

__all__ = [
    "Anchor",
    "AnchorBook",
    "AnchorTexts",
    "Edges",
    "Hits",
    "KeyTable",
    "LinkGraph",
    "PageRank",
    "PageRankOptions",
    "build_graph",
    "hits",
    "host_graph",
    "log_scaled",
    "pagerank",
    "root_scaled",
]
