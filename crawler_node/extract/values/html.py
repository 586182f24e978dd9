"""HTML from a page made safe to show: no scripts, no styles, no forms, links absolute."""

import re
from copy import deepcopy
from typing import Any

import nh3
from lxml import etree

from crawler_node.extract.links import join_url
from crawler_node.extract.text import INVISIBLE, hidden_below
from crawler_node.extract.values.addresses import image_of

_SCHEMES = {"http", "https", "mailto", "tel"}
# What is inside of them would be left as text; that of <noscript> with all its tags.
_UNSEEN = set(INVISIBLE - nh3.ALLOWED_TAGS)
_KEPT = nh3.ALLOWED_TAGS | {"address", "main", "section", "tfoot"}
_ATTRIBUTES = nh3.ALLOWED_ATTRIBUTES | {"*": {"hidden"}}
# Without the tags around them, cells are no cells and lines no lines.
_AROUND = {
    "table": ("<table>", "</table>"),
    "thead": ("<table><thead>", "</thead></table>"),
    "tbody": ("<table><tbody>", "</tbody></table>"),
    "tfoot": ("<table><tfoot>", "</tfoot></table>"),
    "tr": ("<table><tbody><tr>", "</tr></tbody></table>"),
    "pre": ("<pre>", "</pre>"),
}
# Tags that go, and would leave the words at their sides as one.
_BOX = re.compile(r"(?<=<)(/?)(?:dialog|dir|fieldset|form|legend|menu|search)(?=[\s/>])")
# White space around an address is none of it, but libxml2 writes what stands behind it as %20.
_PADDED = etree.XPath("descendant::*/@href[normalize-space() != .] | descendant::*/@src[normalize-space() != .]")
_CONTROL = re.compile(r"(?=</?(?:button|input|textarea)[\s/>])")


def inner_html(node: etree._Element) -> str:
    """What is written between the tags of `node`, of a table or a part of one with what makes it a table.

    Images that wait for a script have the address it gives them; what a style hides is marked as hidden; addresses have
    no white space around them.
    """
    tree = _as_shown(node)
    parts = [_escape(tree.text or "")]
    parts += [etree.tostring(child, encoding="unicode", method="html", with_tail=True) for child in tree]
    inner = "".join(parts).strip()
    before, after = _AROUND.get(str(node.tag), ("", ""))
    return f"{before}{inner}{after}" if inner else ""


def _as_shown(node: etree._Element) -> etree._Element:
    """`node`, or a copy where something in it is to be written differently: other fields read the page as it is."""
    if not hidden_below(node) and not _padded(node) and not any(_awaited(image) for image in node.iter("img")):
        return node
    tree = deepcopy(node)
    for address in _padded(tree):
        address.getparent().set(address.attrname, address.strip())
    for element in hidden_below(tree):
        element.set("hidden", "")
    for image in tree.iter("img"):
        image.set("src", _awaited(image) or image.get("src") or "")
    return tree


def _padded(node: etree._Element) -> list[Any]:
    found: Any = _PADDED(node)
    return list(found)


def sanitize(html: str, base_url: str) -> str:
    """`html` with only what is safe to show; its relative addresses made absolute."""
    return nh3.clean(
        _CONTROL.sub(" ", _BOX.sub(r"\1div", html)),
        tags=_KEPT,
        attributes=_ATTRIBUTES,
        clean_content_tags=_UNSEEN,
        url_schemes=_SCHEMES,
        url_relative=lambda href: join_url(base_url, href),
    ).strip()


def escape_text(text: str) -> str:
    """A plain text as HTML."""
    return _escape(text)


def _awaited(image: etree._Element) -> str:
    """The address that a script, or the <noscript> beside it, gives an image; '' where it has its own."""
    shown = image_of(image)
    if not shown and (beside := image.getnext()) is not None and beside.tag == "noscript":
        shown = image_of(beside)
    return "" if shown == (image.get("src") or "").strip() else shown


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
