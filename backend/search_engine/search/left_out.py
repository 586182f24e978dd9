"""Queries of which nothing is left: every word of them is one that the index does not keep."""

from typing import Final

from backend.search_engine.query import Node, Notice, text_leaves
from backend.search_engine.search.matcher import Matcher
from backend.search_engine.text import Analysis, Analyzer, Reduction

MAX_NAMED: Final = 8
"""So many of the words are named."""
_WORDS: Final = Analyzer(Analysis(reduction=Reduction.NONE))


def left_out_notice(root: Node, matcher: Matcher) -> Notice | None:
    """What to tell whoever asked for words that no field they look in keeps; None when any text of the query is kept.

    Stop words are not in the index at all, so nothing finds them, quotation marks neither.
    """
    leaves = []
    for leaf in text_leaves(root):
        if matcher.is_filter(leaf):
            continue
        if not matcher.is_left_out(leaf):
            return None
        leaves.append(leaf)
    if not leaves:
        return None
    written = (leaf.text[token.start : token.end] for leaf in leaves for token in _WORDS.tokens(leaf.text))
    words = list(dict.fromkeys(written))
    if not words:
        return Notice("There is no word and no number in the query.", leaves[0].start, "Write at least one.")
    return Notice(
        f"This index leaves out {_listed(words)}, and no other word was asked for.",
        leaves[0].start,
        "Search for other words; quotation marks do not help. Who keeps the indexer can change its stop words, "
        "function words or small words and build it again.",
    )


def _listed(words: list[str]) -> str:
    named = [f"“{word[:40]}”" for word in words[:MAX_NAMED]]
    if len(words) > MAX_NAMED:
        return f"{', '.join(named)} and {len(words) - MAX_NAMED} more"
    return " and ".join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else named)
