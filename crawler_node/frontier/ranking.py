"""One number says who is leased first: level, then link score."""

from crawler_node.contracts import TargetKind
from crawler_node.frontier.options import Strategy

SITEMAP_RANK = -1e9


def rank(strategy: Strategy, *, depth: int, priority: float, kind: TargetKind = TargetKind.PAGE) -> float:
    """Smaller goes first. Levels never mix: a priority in [0, 1) only orders URLs of one level.

    Sitemaps go before all pages: they are what pages are found by.
    """
    if kind is TargetKind.SITEMAP:
        return SITEMAP_RANK + depth
    level = depth if strategy is Strategy.BFS else -depth
    return level - min(max(priority, 0.0), 0.999)
