"""Hubs and authorities (Kleinberg: "Authoritative Sources in a Hyperlinked Environment", 1999)."""

from dataclasses import dataclass

import numpy as np

from backend.search_engine.compilation import kernel
from backend.search_engine.links.graph import LinkGraph
from backend.search_engine.links.pagerank import Scores
from backend.search_engine.signatures import R_F8, R_I4, R_I8, W_F8


@dataclass(frozen=True, slots=True)
class Hits:
    """A good hub links to good authorities, a good authority is linked to by good hubs. Each column sums to 1.

    `residuals`: after each iteration, how much the hub scores had changed.
    """

    hubs: Scores
    authorities: Scores
    residuals: tuple[float, ...]
    is_converged: bool


def hits(graph: LinkGraph, *, tolerance: float = 1e-9, max_iterations: int = 500) -> Hits:
    """Hub and authority scores by power iteration; all 0 in a graph without links."""
    pages, residuals = graph.pages, []
    hubs, authorities = np.full(pages, 1.0 / max(pages, 1)), np.zeros(pages)
    if not graph.links:
        return Hits(np.zeros(pages), authorities, (), is_converged=True)
    for _ in range(max_iterations):
        before = hubs.copy()
        _pull(graph.starts, graph.sources, hubs, authorities)
        authorities /= authorities.sum()
        _push(graph.starts, graph.sources, authorities, hubs)
        hubs /= hubs.sum()
        residuals.append(float(np.abs(hubs - before).sum()))
        if residuals[-1] <= tolerance:
            break
    return Hits(hubs, authorities, tuple(residuals), is_converged=residuals[-1] <= tolerance)


def root_scaled(scores: Scores) -> Scores:
    """Scores from 0 to 1 (the most any page has), by their square roots; 0 everywhere when all are 0.

    Hubs and authorities fall off steeply, and most pages are none at all: their 0 has no logarithm.
    """
    most = scores.max(initial=0.0)
    scaled: Scores = np.sqrt(scores / most) if most > 0 else np.zeros(len(scores))
    return scaled


@kernel((R_I8, R_I4, R_F8, W_F8))
def _pull(starts, sources, hubs, authorities):  # type: ignore[no-untyped-def]
    for page in range(authorities.size):
        total = 0.0
        for i in range(starts[page], starts[page + 1]):
            total += hubs[sources[i]]
        authorities[page] = total


@kernel((R_I8, R_I4, R_F8, W_F8))
def _push(starts, sources, authorities, hubs):  # type: ignore[no-untyped-def]
    hubs[:] = 0.0
    for page in range(authorities.size):
        for i in range(starts[page], starts[page + 1]):
            hubs[sources[i]] += authorities[page]
