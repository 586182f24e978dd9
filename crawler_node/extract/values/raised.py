"""Prices whose cents are raised instead of parted by a sign: $12 with a small 99 above is 12.99, not 1299."""

import re

from lxml import etree

from crawler_node.extract.text import SPACED, marked_text, normalize_space, visible_text

# Control characters, which normalising takes out again.
_UP, _DOWN = "\x02", "\x03"
_MARKS = {**SPACED, "sup": (_UP, _DOWN)}
_RAISED = re.compile(
    r"(?<![\d.,])(?P<whole>\d{1,3}(?:[.,'’ ]\d{3}){1,4}|\d{1,15})(?P<decimals>[.,]\d{1,15})?"
    rf" ?{_UP} ?(?P<raised>\d[^{_UP}{_DOWN}]*){_DOWN}"
)
_CENTS = re.compile(r"\d\d(?!\d)")


def price_text(node: etree._Element) -> str:
    """What a reader sees of an element with a price in it. A raised number that is no cents is a footnote's."""
    if next(node.iter("sup"), None) is None:
        return visible_text(node)
    return normalize_space(_RAISED.sub(_lower, " ".join(marked_text(node, _MARKS).split())))


def _lower(match: re.Match[str]) -> str:
    whole, decimals, raised = match["whole"], match["decimals"] or "", match["raised"]
    if decimals or _CENTS.match(raised) is None:
        return f"{whole}{decimals} {raised}"
    return f"{whole}{',' if '.' in whole else '.'}{raised}"
