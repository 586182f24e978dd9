"""The address an element stands for: of a link, of an image, wherever pages hide them."""

import re
from collections.abc import Iterator

from lxml import etree

from crawler_node.extract.links import join_url

LINK_ATTRIBUTES = {"a": "href", "area": "href", "link": "href", "base": "href"} | {
    "form": "action",
    "iframe": "src",
    "frame": "src",
    "embed": "src",
    "object": "data",
    "meta": "content",
    "input": "value",
    "option": "value",
}
_LAZY = ("data-src", "data-original", "data-lazy-src", "data-lazy", "data-image", "data-hi-res-src", "data-large_image")
_SRCSETS = ("srcset", "data-srcset", "data-lazy-srcset")
_PLACEHOLDER = re.compile(
    r"data:|about:blank|(?:.*/)?(?:blank|spacer|pixel|placeholder|transparent|loading|loader|lazy|empty|gr[ae]y|1x1)"
    r"[\w\-]*\.(?:gif|png|svg)",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"[\s,]*+(\S++)")
_SIZE = re.compile(r"(?<!\S)(\d+(?:\.\d+)?)[wx](?!\S)")
# Only in quotes may an address hold parentheses.
_BACKGROUND = re.compile(r"background(?:-image)?\s*:[^;]*?url\(\s*(?:\"([^\"]+)|'([^']+)|([^\"')]+))", re.IGNORECASE)
_SRCSET = re.compile(r"\S\s+\d+(?:\.\d+)?[wx]\s*(?:,|\Z)")
MAX_STYLE_CHARS = 4_000
MAX_SRCSET_CHARS = 20_000
_NO_LINKS = ("javascript:", "data:", "about:", "blob:")


def link_of(node: etree._Element) -> str:
    """The address an element links to, '' when neither it nor anything in it, nor a link around it, has one."""
    attribute = LINK_ATTRIBUTES.get(str(node.tag))
    if attribute:
        return node.get(attribute) or ""
    inside = next((anchor for anchor in node.iter("a", "area") if anchor.get("href")), None)
    if inside is None:
        inside = next(node.iterancestors("a"), None)
    return (inside.get("href") or "") if inside is not None else ""


def image_of(node: etree._Element) -> str:
    """The address of the image an element shows; the largest of a srcset, the real one behind a lazy placeholder."""
    if node.tag in {"img", "source", "input", "amp-img"}:
        return _image_source(node)
    if node.tag in {"meta", "link", "a", "video", "object"}:
        own = {"meta": "content", "link": "href", "video": "poster", "object": "data"}.get(str(node.tag), "")
        if own and node.get(own):
            return node.get(own) or ""
    for image in node.iter("img", "source", "amp-img", "video"):
        found = _image_inside(image)
        if found:
            return found
    return _background(node) or (node.get("href") or "" if node.tag == "a" else "")


def image_named(text: str) -> str:
    """The address that a text stands for: the text itself, or the largest of what is a srcset."""
    return largest_of_srcset(text) if _SRCSET.search(text[:MAX_SRCSET_CHARS]) else text


def absolute_link(href: str, base_url: str) -> str | None:
    """`href` as an absolute URL, None for what leads nowhere (scripts, embedded data)."""
    stripped = href.strip()
    if not stripped or stripped.lower().startswith(_NO_LINKS):
        return None
    joined = join_url(base_url, stripped)
    # Joining takes out what hides a script from the look above: java&#10;script:
    return None if joined is None or joined.startswith(_NO_LINKS) else joined


def _image_inside(node: etree._Element) -> str:
    """What an element shows to who looks at what is around it: of a film its poster, never the film or its sound."""
    tag = node.tag
    if tag == "video":
        return (node.get("poster") or "").strip()
    if tag == "source" and (parent := node.getparent()) is not None and parent.tag in {"video", "audio"}:
        return ""
    return _image_source(node)


def _image_source(node: etree._Element) -> str:
    source = (node.get("src") or "").strip()
    if source and not _PLACEHOLDER.match(source[:300]):
        return source
    for attribute in _LAZY:
        value = (node.get(attribute) or "").strip()
        if value:
            return value
    for attribute in _SRCSETS:
        value = largest_of_srcset(node.get(attribute) or "")
        if value:
            return value
    return source if source and not source.lower().startswith("data:") else ""


def largest_of_srcset(srcset: str) -> str:
    """The address of the widest (or densest) candidate of a srcset, '' when it has none."""
    candidates = _srcset_candidates(srcset[:MAX_SRCSET_CHARS])
    return max(candidates, key=lambda candidate: candidate[0], default=(1.0, ""))[1]


def _srcset_candidates(srcset: str) -> Iterator[tuple[float, str]]:
    """Sizes and addresses as the HTML standard parts them: an address ends at white space, its size at a comma.

    A size that is no number counts as none.
    """
    place = 0
    while match := _ADDRESS.match(srcset, place):
        place, address = match.end(), match[1]
        size = None
        if not address.endswith(","):
            comma = srcset.find(",", place)
            end = comma if comma >= 0 else len(srcset)
            size = _SIZE.search(srcset, place, end)
            place = end
        yield float(size[1]) if size else 1.0, address.rstrip(",")


def _background(node: etree._Element) -> str:
    match = _BACKGROUND.search((node.get("style") or "")[:MAX_STYLE_CHARS])
    return (match[1] or match[2] or match[3]).strip() if match else ""
