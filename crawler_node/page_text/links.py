"""The links of a page as it writes them, with what they are called."""

from collections.abc import Iterable, Sequence

from lxml import etree

from crawler_node.contracts import Link
from crawler_node.extract.selectors import Selector
from crawler_node.extract.text import normalize_space, visible_text

MAX_ANCHOR_CHARS = 300
MAX_LINKS = 50_000
"""So many count. One more is read where there are more, so that whoever takes them can tell."""

_LEAD_ON = "/h"
"""Most addresses begin so, and none of those that lead nowhere."""
_LEAD_NOWHERE = ("#", "javascript:", "mailto:", "tel:", "data:", "about:", "blob:", "sms:", "callto:", "skype:")


def find_links(root: etree._Element, scope: Sequence[Selector] = ()) -> list[Link]:
    """Links in page order, each as often as it is written; with a scope only those inside what its selectors find."""
    if not scope:
        return _links_of(root.iter("a", "area", "frame"))
    links: list[Link] = []
    seen: set[etree._Element] = set()
    for selector in scope:
        for match in selector.select(root):
            if isinstance(match, str):
                links += [Link(match.strip())] if match.strip() else []
            else:
                fresh = [node for node in match.iter("a", "area", "frame") if node not in seen]
                seen.update(fresh)
                links += _links_of(fresh)
    return links


def _links_of(nodes: Iterable[etree._Element]) -> list[Link]:
    links: list[Link] = []
    for node in nodes:
        href = node.get("href") or (node.get("src") if node.tag == "frame" else None)
        if not href or (href[0] not in _LEAD_ON and href.lstrip()[:11].lower().startswith(_LEAD_NOWHERE)):
            continue
        rel = node.get("rel")
        links.append(Link(href, anchor_text(node), rel is not None and "nofollow" in rel.lower()))
        if len(links) > MAX_LINKS:
            break
    return links


def anchor_text(node: etree._Element) -> str:
    """What a link is called: its text, or what its image or its title says."""
    plain = "" if len(node) else " ".join((node.text or "").split())
    if plain and plain.isprintable():  # as nearly all are
        return plain[:MAX_ANCHOR_CHARS]
    text = visible_text(node) or (_image_text(node) if len(node) else "")
    return (text or normalize_space(node.get("title") or node.get("alt") or ""))[:MAX_ANCHOR_CHARS]


def _image_text(node: etree._Element) -> str:
    return next((normalize_space(image.get("alt") or "") for image in node.iter("img") if image.get("alt")), "")
