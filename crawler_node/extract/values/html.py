"""HTML from a page made safe to show: no scripts, no styles, no forms, links absolute."""

import nh3
from lxml import etree

from crawler_node.extract.links import join_url

_SCHEMES = {"http", "https", "mailto", "tel"}


def inner_html(node: etree._Element) -> str:
    """What is written between the tags of `node`."""
    parts = [_escape(node.text or "")]
    parts += [etree.tostring(child, encoding="unicode", method="html", with_tail=True) for child in node]
    return "".join(parts).strip()


def sanitize(html: str, base_url: str) -> str:
    """`html` with only what is safe to show; its relative addresses made absolute."""
    return nh3.clean(html, url_schemes=_SCHEMES, url_relative=lambda href: join_url(base_url, href)).strip()


def escape_text(text: str) -> str:
    """A plain text as HTML."""
    return _escape(text)


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
