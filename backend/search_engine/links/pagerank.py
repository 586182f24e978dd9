"""PageRank by power iteration (Page, Brin, Motwani, Winograd: "The PageRank Citation Ranking", 1999)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.search_engine.compilation import kernel
from backend.search_engine.links.graph import LinkGraph
from backend.search_engine.signatures import F8, R_F8, R_I4, R_I8, W_F8

Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PageRankOptions:
    """`tolerance` is how much all scores together may still change in the last iteration (their sum is 1)."""

    damping: float = 0.85
    tolerance: float = 1e-9
    max_iterations: int = 200

    def __post_init__(self) -> None:
        if not 0 <= self.damping < 1:
            raise ValueError("The damping of PageRank lies between 0 and 1; 0.85 is usual.")


@dataclass(frozen=True, slots=True)
class PageRank:
    """The scores, which sum to 1, and after each iteration how much they had changed: the convergence, to be shown."""

    scores: Scores
    residuals: tuple[float, ...]
    is_converged: bool


def pagerank(graph: LinkGraph, options: PageRankOptions | None = None, *, start: Scores | None = None) -> PageRank:
    """How often somebody who follows links at random, and sometimes jumps to any page, is on each page.

    From a sink (a page without links) one jumps always. `start` are scores to begin with, such as those of the graph
    before a small change: the result is the same, reached sooner.
    """
    options = options or PageRankOptions()
    if not graph.pages:
        return PageRank(np.zeros(0), (), is_converged=True)
    scores = _begin(graph.pages, start)
    shares, residuals = np.zeros(graph.pages), []
    per_link = _inverse(graph)
    for _ in range(options.max_iterations):
        on_sinks = _share_out(scores, per_link, shares)
        jump = (1.0 - options.damping + options.damping * on_sinks) / graph.pages
        residuals.append(_gather(graph.starts, graph.sources, shares, scores, jump, options.damping))
        if residuals[-1] <= options.tolerance:
            break
    is_converged = bool(residuals) and residuals[-1] <= options.tolerance
    return PageRank(scores / scores.sum(), tuple(residuals), is_converged)


def log_scaled(scores: Scores) -> Scores:
    """Scores from 0 (as little as a page can have) to 1 (the most any page has), on a logarithmic scale.

    PageRank falls off so steeply that next to the home page all others look the same; on this scale they do not. 0
    everywhere when all are equal.
    """
    if not len(scores) or scores.max() <= scores.min():
        return np.zeros(len(scores))
    logs = np.log(scores / scores.min())
    scaled: Scores = logs / logs.max()
    return scaled


def _begin(pages: int, start: Scores | None) -> Scores:
    if start is None:
        return np.full(pages, 1.0 / pages)
    if len(start) != pages or not start.min() >= 0 or not start.sum() > 0:
        raise ValueError("The scores to start from must be one for each page, none below 0 and not all 0.")
    return np.asarray(start / start.sum(), dtype=np.float64)


def _inverse(graph: LinkGraph) -> Scores:
    """1 / out-degree, 0 for sinks."""
    return np.divide(1.0, graph.out_degrees, out=np.zeros(graph.pages), where=graph.out_degrees > 0)


@kernel(F8(R_F8, R_F8, W_F8))
def _share_out(scores, per_link, shares):  # type: ignore[no-untyped-def]
    """What each page gives along each of its links; returns what lies on sinks."""
    on_sinks = 0.0
    for page in range(scores.size):
        shares[page] = scores[page] * per_link[page]
        if per_link[page] == 0.0:
            on_sinks += scores[page]
    return on_sinks


@kernel(F8(R_I8, R_I4, R_F8, W_F8, F8, F8))
def _gather(starts, sources, shares, scores, jump, damping):  # type: ignore[no-untyped-def]
    """Replace every score by the sum of what is given to it; returns the sum of the changes."""
    residual = 0.0
    for page in range(scores.size):
        given = 0.0
        for i in range(starts[page], starts[page + 1]):
            given += shares[sources[i]]
        score = jump + damping * given
        residual += abs(score - scores[page])
        scores[page] = score
    return residual
