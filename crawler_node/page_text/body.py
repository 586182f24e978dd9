"""The main text of a page: what its reader came for, without menus, and how much of the page that is.

Blocks that are mostly links are furniture, as in Kohlschütter et al., "Boilerplate Detection using Shallow Text
Features" (2010): link density alone finds most of it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

from crawler_node.extract.text import BLOCKS, INVISIBLE, is_hidden, may_hide, normalize_space, visible_text

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


@dataclass(slots=True)
class Block:
    """A run of text that a reader sees as one, and how much of it is links."""

    pieces: list[str]
    link_chars: int = 0
    is_furniture: bool = False


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
    for block in _blocks(root):
        text = normalize_space("".join(block.pieces))
        if not text:
            continue
        everything.append(text)
        link_chars += min(block.link_chars, len(text))
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


def _blocks(root: etree._Element) -> list[Block]:
    """The visible text in runs between block boundaries; depth costs no recursion."""
    block = Block([])
    blocks = [block]
    anchors = furniture = 0
    stack: list[tuple[Iterator[etree._Element], etree._Element]] = []
    children: Iterator[etree._Element] = iter(root)
    while True:
        for child in children:
            tag = child.tag
            if tag in INVISIBLE or ((keys := child.keys()) and may_hide(keys) and is_hidden(child)):
                _add(block, child.tail, anchors)
                continue
            is_block = tag in BLOCKS
            if is_block and block.pieces:
                block = Block([])
                blocks.append(block)
            anchors += tag == "a"
            if tag in _FURNITURE:
                furniture += 1
            block.is_furniture = furniture > 0
            _add(block, child.text, anchors)
            if len(child):
                stack.append((children, child))
                children = iter(child)
                break
            block, anchors, furniture = _leave(child, blocks, anchors, furniture)
        else:
            if not stack:
                return blocks
            children, parent = stack.pop()
            block, anchors, furniture = _leave(parent, blocks, anchors, furniture)


def _leave(node: etree._Element, blocks: list[Block], anchors: int, furniture: int) -> tuple[Block, int, int]:
    """What holds after the end of an element; its tail belongs to what is around it."""
    tag = node.tag
    anchors -= tag == "a"
    furniture -= tag in _FURNITURE
    block = blocks[-1]
    if tag in BLOCKS and block.pieces:
        block = Block([], is_furniture=furniture > 0)
        blocks.append(block)
    _add(block, node.tail, anchors)
    return block, anchors, furniture


def _add(block: Block, text: str | None, anchors: int) -> None:
    if text:
        block.pieces.append(text)
        if anchors:
            block.link_chars += len(text)
