"""The main text of a page: what its reader came for, without menus, and how much of the page that is.

Blocks that are mostly links are furniture, as in Kohlschütter et al., "Boilerplate Detection using Shallow Text
Features" (2010): link density alone finds most of it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

from crawler_node.extract.text import normalize_space, visible_text
from crawler_node.page_text.marking import ASIDE, ASIDE_END, BREAK, LINK, LINK_END, mark_up

MAX_HEADINGS = 100
MAX_HEADING_CHARS = 300
MAX_TEXT_CHARS = 500_000
MAX_LINK_SHARE = 0.5
MIN_MAIN_SHARE = 0.2
ENOUGH_MAIN_CHARS = 100
# So many blocks of links in a row are a menu; fewer are values that happen to be links.
MENU_BLOCKS = 4

_HEADINGS = ("h1", "h2", "h3", "h4")
_MARK = re.compile(f"([{LINK}{LINK_END}{ASIDE}{ASIDE_END}])")
_LINK_STEPS = {LINK: 1, LINK_END: -1}
_ASIDE_STEPS = {ASIDE: 1, ASIDE_END: -1}


@dataclass(frozen=True, slots=True)
class Body:
    """The main text (one line per block), the headings in order, and counts of all visible text."""

    text: str
    headings: tuple[str, ...]
    visible_chars: int
    link_chars: int


def read_body(root: etree._Element) -> Body:
    """What a reader sees of the page. A page that is all links keeps them as its text."""
    everything: list[str] = []
    main: list[str] = []
    menu: list[str] = []
    link_chars = 0
    for text, links, is_furniture in _blocks(mark_up(root)):
        everything.append(text)
        link_chars += links
        if is_furniture:
            continue
        if links > len(text) * MAX_LINK_SHARE:
            menu.append(text)
            continue
        if menu:
            main += menu if len(menu) < MENU_BLOCKS else ()
            menu = []
        main.append(text)
    visible_chars = sum(map(len, everything))
    is_whole = sum(map(len, main)) < min(visible_chars * MIN_MAIN_SHARE, ENOUGH_MAIN_CHARS)
    text = "\n".join(everything if is_whole else main)
    return Body(text[:MAX_TEXT_CHARS], _headings(root), visible_chars, link_chars)


def _headings(root: etree._Element) -> tuple[str, ...]:
    """The first of them that say something. Inside of one that says nothing none does: thousands may be nested."""
    found: list[str] = []
    empty: set[etree._Element] = set()
    for node in root.iter(*_HEADINGS):
        if empty and next(node.iterancestors(*_HEADINGS), None) in empty:
            empty.add(node)
            continue
        text = visible_text(node)[:MAX_HEADING_CHARS]
        if text:
            found.append(text)
        else:
            empty.add(node)
        if len(found) >= MAX_HEADINGS:
            break
    return tuple(found)


def _blocks(marked: str) -> Iterator[tuple[str, int, bool]]:
    """The text between breaks: a run that a reader sees as one, how many characters of it are links, and whether it is
    furniture. Links and furniture may span several blocks."""
    links = furniture = 0
    for run in marked.split(BREAK):
        piece = run.strip()
        if not piece:
            continue
        if "  " in piece or not piece.isprintable():
            piece = " ".join(piece.split())
        if not links and piece.isprintable():  # without marks, and normalised
            yield piece, 0, furniture > 0
            continue
        tokens = _MARK.split(piece)
        link_chars = 0
        for text, mark in zip(tokens[::2], (*tokens[1::2], ""), strict=True):
            if text and links > 0:
                link_chars += len(text.strip())
            links += _LINK_STEPS.get(mark, 0)
            furniture += _ASIDE_STEPS.get(mark, 0)
        if block := normalize_space("".join(tokens[::2])):
            yield block, min(link_chars, len(block)), furniture > 0
