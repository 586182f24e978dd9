"""HTML from a page made safe to show: no scripts, no styles, no forms, links absolute."""

from copy import deepcopy

import nh3
from lxml import etree

from crawler_node.extract.links import join_url
from crawler_node.extract.text import INVISIBLE
from crawler_node.extract.values.addresses import image_of

_SCHEMES = {"http", "https", "mailto", "tel"}
# What is inside of them would be left as text; that of <noscript> with all its tags.
_UNSEEN = set(INVISIBLE - nh3.ALLOWED_TAGS)


def inner_html(node: etree._Element) -> str:
    """What is written between the tags of `node`; images that wait for a script have the address it gives them."""
    if any(_awaited(image) for image in node.iter("img")):
        node = deepcopy(node)
        for image in node.iter("img"):
            image.set("src", _awaited(image) or image.get("src") or "")
    parts = [_escape(node.text or "")]
    parts += [etree.tostring(child, encoding="unicode", method="html", with_tail=True) for child in node]
    return "".join(parts).strip()


def sanitize(html: str, base_url: str) -> str:
    """`html` with only what is safe to show; its relative addresses made absolute."""
    return nh3.clean(
        html, clean_content_tags=_UNSEEN, url_schemes=_SCHEMES, url_relative=lambda href: join_url(base_url, href)
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
