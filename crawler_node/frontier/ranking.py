"""One number says who is leased first: level, then link score."""

from crawler_node.contracts import TargetKind
from crawler_node.frontier.options import Strategy

SITEMAP_RANK = -1e9
# What an address gains that the user prefers: more than scores differ, and too little to leave its level.
_PREFERENCE = 0.39


def rank(strategy: Strategy, *, depth: int, priority: float, kind: TargetKind = TargetKind.PAGE) -> float:
    """Smaller goes first. Levels never mix: a priority in [0, 1) only orders URLs of one level.

    Sitemaps go before all pages: they are what pages are found by.
    """
    if kind is TargetKind.SITEMAP:
        return SITEMAP_RANK + depth
    level = depth if strategy is Strategy.BFS else -depth
    return level - min(max(priority, 0.0), 0.999)


def link_priority(path: str, query: str, *, anchor: str, is_preferred: bool) -> float:
    """How promising a link is within its level, in [0.2, 0.97]: what the user prefers, then short
    addresses with words to click on.
    """
    score = 0.5 - 0.02 * min(path.count("/"), 10) - 0.02 * min(query.count("="), 5)
    return score + (0.1 if anchor else 0.0) + (_PREFERENCE if is_preferred else 0.0)
