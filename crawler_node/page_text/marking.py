"""The text of a page in one string, with marks where blocks, links and furniture begin and end.

libxslt walks the page four times as fast as Python does. Marks are Unicode's noncharacters, which no text has.
"""

from lxml import etree

from crawler_node.extract.text import BLOCKS, INVISIBLE, Marks, hidden_below, marked_text

BREAK, LINK, LINK_END, ASIDE, ASIDE_END = "\ufdd0", "\ufdd1", "\ufdd2", "\ufdd3", "\ufdd4"

_UNSEEN = "template"
_FURNITURE = frozenset({"nav", "footer", "aside", "select", "button", "menu"})
_MARKS: Marks = {
    **dict.fromkeys(BLOCKS, (BREAK, BREAK)),
    **dict.fromkeys(_FURNITURE, (BREAK + ASIDE, BREAK + ASIDE_END)),
    **dict.fromkeys(INVISIBLE),
    "a": (LINK, LINK_END),
}


def mark_up(root: etree._Element) -> str:
    """What a reader sees of the page, with marks; nothing of what is hidden."""
    hidden = [(node, node.tag) for node in hidden_below(root)]
    for node, _ in hidden:
        node.tag = _UNSEEN  # for as long as the walk takes: a condition on every element would double its cost
    try:
        return str(_transform(root))
    except etree.XSLTApplyError:  # nested deeper than libxslt goes
        return marked_text(root, _MARKS)
    finally:
        for node, tag in hidden:
            node.tag = tag


def _stylesheet() -> str:
    """One rule for each kind of mark; elements without one are inline."""
    kinds: dict[tuple[str, str] | None, list[str]] = {}
    for tag, mark in sorted(_MARKS.items()):
        kinds.setdefault(mark, []).append(tag)
    rules = [_rule("|".join(tags), *(mark or ("", "")), is_seen=mark is not None) for mark, tags in kinds.items()]
    shell = '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:output method="text"/>'
    return f"{shell}{''.join(rules)}</xsl:stylesheet>"


def _rule(tags: str, before: str, after: str, *, is_seen: bool) -> str:
    inner = f"{before}<xsl:apply-templates/>{after}" if is_seen else ""
    return f'<xsl:template match="{tags}">{inner}</xsl:template>'


_transform = etree.XSLT(etree.XML(_stylesheet()))
