"""The main text of a page: what its reader came for, without menus, and how much of the page that is.

Blocks that are mostly links are furniture, as in Kohlschütter et al., "Boilerplate Detection using Shallow Text
Features" (2010): link density alone finds most of it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from lxml import etree

from crawler_node.extract.text import BLOCKS, INVISIBLE, Marks, marked_text, normalize_space, visible_text

MAX_HEADINGS = 100
MAX_HEADING_CHARS = 300
MAX_TEXT_CHARS = 500_000
MAX_LINK_SHARE = 0.5
MIN_MAIN_SHARE = 0.2
ENOUGH_MAIN_CHARS = 100
# So many blocks of links in a row are a menu; fewer are values that happen to be links.
MENU_BLOCKS = 4

_FURNITURE = frozenset({"nav", "footer", "aside", "select", "button", "menu"})
_HEADINGS = ("h1", "h2", "h3", "h4")
# Control characters that no text has: where a block ends, where links and furniture begin and end.
_BREAK, _LINK, _LINK_END, _ASIDE, _ASIDE_END = "\x1e", "\x11", "\x12", "\x13", "\x14"
_MARKS: Marks = {
    **dict.fromkeys(BLOCKS, (_BREAK, _BREAK)),
    **dict.fromkeys(_FURNITURE, (_BREAK + _ASIDE, _BREAK + _ASIDE_END)),
    **dict.fromkeys(INVISIBLE),
    "a": (_LINK, _LINK_END),
}
_MARK = re.compile(f"([{_BREAK}{_LINK}{_LINK_END}{_ASIDE}{_ASIDE_END}])")


class Block(NamedTuple):
    """A run of text that a reader sees as one, how many characters of it are links, and whether it is furniture."""

    text: str
    link_chars: int
    is_furniture: bool


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
    for block in _blocks(marked_text(root, _MARKS)):
        text = block.text
        everything.append(text)
        link_chars += block.link_chars
        if block.is_furniture:
            continue
        if block.link_chars > len(text) * MAX_LINK_SHARE:
            menu.append(text)
            continue
        main += [*(menu if len(menu) < MENU_BLOCKS else ()), text]
        menu = []
    visible_chars = sum(map(len, everything))
    is_whole = sum(map(len, main)) < min(visible_chars * MIN_MAIN_SHARE, ENOUGH_MAIN_CHARS)
    text = "\n".join(everything if is_whole else main)
    return Body(text[:MAX_TEXT_CHARS], _headings(root), visible_chars, link_chars)


def _headings(root: etree._Element) -> tuple[str, ...]:
    found = []
    for node in root.iter(*_HEADINGS):
        text = visible_text(node)[:MAX_HEADING_CHARS]
        if text:
            found.append(text)
        if len(found) >= MAX_HEADINGS:
            break
    return tuple(found)


def _blocks(marked: str) -> Iterator[Block]:
    """The text between breaks; links and furniture may span several blocks."""
    pieces: list[str] = []
    links = furniture = link_chars = 0
    tokens = _MARK.split(marked)
    for text, mark in zip(tokens[::2], (*tokens[1::2], _BREAK), strict=True):
        if text:
            pieces.append(text)
            if links > 0:
                link_chars += len(" ".join(text.split()))
        if mark == _BREAK:
            block = normalize_space("".join(pieces)) if pieces else ""
            if block:
                yield Block(block, min(link_chars, len(block)), furniture > 0)
            pieces = []
            link_chars = 0
        elif mark == _LINK:
            links += 1
        elif mark == _LINK_END:
            links -= 1
        else:
            furniture += 1 if mark == _ASIDE else -1
