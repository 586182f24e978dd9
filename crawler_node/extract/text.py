"""Text as a reader of the page sees it: white space collapsed, blocks apart, nothing that is hidden."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lxml import etree

_INVISIBLE_TAGS = """
script style template noscript noframes noembed iframe option datalist head title canvas audio video rp object applet
desc metadata annotation annotation-xml
"""
_BLOCK_TAGS = """
address article aside blockquote body br button caption center dd details dialog dir div dl dt fieldset figcaption
figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html img input legend li main menu nav ol optgroup p pre
search section select summary table tbody td text textarea tfoot th thead tr ul
"""
Marks = Mapping[str, tuple[str, str] | None]
"""By element what to write before and after its text, None for elements that are not seen; others are inline."""

INVISIBLE = frozenset(_INVISIBLE_TAGS.split())
BLOCKS = frozenset(_BLOCK_TAGS.split())
SPACED: Marks = {**dict.fromkeys(BLOCKS, (" ", " ")), **dict.fromkeys(INVISIBLE)}
_INLINE = ("", "")
_HIDING_ATTRIBUTES = etree.XPath("descendant::*/@style | descendant::*/@hidden")
_HIDING_STYLE = re.compile(r"(?<![\w\-])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))", re.IGNORECASE)
# Soft hyphen, zero-width space, direction marks, word joiner, BOM, control characters: a reader sees none of them.
_UNSEEN = re.compile("[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\x00-\x08\x0e-\x1b\x7f-\x9f]+")


def normalize_space(text: str) -> str:
    """One space between words (nbsp and its kin are white space too), none around; invisible characters are gone."""
    collapsed = " ".join(text.split())
    if collapsed.isprintable():
        return collapsed
    seen = _UNSEEN.sub("", collapsed)
    return seen if seen == collapsed else " ".join(seen.split())


def visible_text(node: etree._Element) -> str:
    """What a reader sees of `node`, on one line. An invisible element (a script, an option) gives its own text."""
    if not len(node):
        return normalize_space(node.text or "")
    return normalize_space(marked_text(node, SPACED))


def marked_text(node: etree._Element, marks: Marks) -> str:
    """The visible text below `node` with the marks of its elements; depth costs no recursion."""
    pieces = [node.text or ""]
    append = pieces.append
    stack: list[tuple[Iterator[etree._Element], str, str | None]] = []
    children: Iterator[etree._Element] = iter(node)
    hidden = hidden_below(node)
    while True:
        for child in children:
            mark = marks.get(child.tag, _INLINE)
            tail = child.tail
            if mark is not None and not (hidden and child in hidden):
                before, after = mark
                text = child.text
                append(before + text if text else before)
                if len(child):
                    stack.append((children, after, tail))
                    children = iter(child)
                    break
                append(after)
            if tail:
                append(tail)
        else:
            if not stack:
                return "".join(pieces)
            children, after, tail = stack.pop()
            append(after + tail if tail else after)


def may_hide(keys: Sequence[str | bytes]) -> bool:
    """Whether among the names of an element's attributes is one that can hide it."""
    return "style" in keys or "hidden" in keys


def hidden_below(node: etree._Element) -> frozenset[etree._Element]:
    """The elements below `node` that their attributes hide; one search is cheaper than asking each element."""
    attributes: Any = _HIDING_ATTRIBUTES(node)
    found = (attribute.getparent() for attribute in attributes)
    return frozenset(element for element in found if is_hidden(element))


def is_hidden(node: etree._Element) -> bool:
    """Whether the element itself is hidden from readers by its attributes."""
    if node.get("hidden") is not None:
        return True
    style = node.get("style")
    return style is not None and _HIDING_STYLE.search(style) is not None
