"""Text as a reader of the page sees it: white space collapsed, blocks apart, nothing that is hidden."""

import re
from collections.abc import Iterator, Sequence

from lxml import etree

_INVISIBLE_TAGS = """
script style template noscript noframes noembed iframe option datalist head title canvas audio video rp object applet
"""
_BLOCK_TAGS = """
address article aside blockquote body br button caption center dd details dialog dir div dl dt fieldset figcaption
figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html img input legend li main menu nav ol optgroup p pre
search section select summary table tbody td textarea tfoot th thead tr ul
"""
INVISIBLE = frozenset(_INVISIBLE_TAGS.split())
BLOCKS = frozenset(_BLOCK_TAGS.split())
_HIDING_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)", re.IGNORECASE)
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
    return normalize_space("".join(visible_pieces(node)))


def visible_pieces(node: etree._Element) -> list[str]:
    """The visible texts of `node` in order, a space wherever a block begins or ends."""
    pieces = [node.text or ""]
    append = pieces.append
    stack: list[tuple[Iterator[etree._Element], etree._Element]] = []
    children: Iterator[etree._Element] = iter(node)
    while True:
        for child in children:
            tag = child.tag
            if tag not in INVISIBLE and not ((keys := child.keys()) and may_hide(keys) and is_hidden(child)):
                is_block = tag in BLOCKS
                if is_block:
                    append(" ")
                text = child.text
                if text:
                    append(text)
                if len(child):
                    stack.append((children, child))
                    children = iter(child)
                    break
                if is_block:
                    append(" ")
            tail = child.tail
            if tail:
                append(tail)
        else:
            if not stack:
                return pieces
            children, parent = stack.pop()
            if parent.tag in BLOCKS:
                append(" ")
            if parent.tail:
                append(parent.tail)


def may_hide(keys: Sequence[str | bytes]) -> bool:
    """Whether among the names of an element's attributes is one that can hide it."""
    return "style" in keys or "hidden" in keys


def is_hidden(node: etree._Element) -> bool:
    """Whether the element itself is hidden from readers by its attributes."""
    if node.get("hidden") is not None:
        return True
    style = node.get("style")
    return style is not None and _HIDING_STYLE.search(style) is not None
