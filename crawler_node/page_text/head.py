"""What a page declares about itself: title, description, canonical address, wishes to crawlers."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from lxml import etree

from crawler_node.extract.links import join_url
from crawler_node.extract.parsing import ParsedPage
from crawler_node.extract.text import normalize_space
from crawler_node.urls.queries import in_charset, legacy_charset

PRODUCT_TOKEN = "gleaner"  # noqa: S105
MAX_TITLE_CHARS = 500
MAX_DESCRIPTION_CHARS = 2_000

_LINK_HEADER = re.compile(r"<([^<>]*)>((?:\s*;[^,<]*)*)")
_CANONICAL = re.compile(r";\s*+rel\s*+=\s*+\"?[^\";]*\bcanonical\b", re.IGNORECASE)
# Some wishes have values, and dates their hours: no crawler is called so.
_AGENT = re.compile(r"\s*(?!unavailable_after|max-(?:snippet|image-preview|video-preview))[a-z][a-z0-9._/-]*\s*")
_WISHES = frozenset({"noindex", "nofollow"})
_PARTS = re.compile(r"[\s;]+")
# Possessive: what is not found at once is not there, and pages may write a million digits.
_REFRESH = re.compile(r"\s*+\d*+(?:\.\d*+)?\s*+[;,]\s*+(?:url\s*+=\s*+)?[\"']?([^\"'\s][^\"']*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Head:
    """A page's word about itself; '' and False where it says nothing. `refresh` is where it sends its reader on."""

    title: str = ""
    description: str = ""
    canonical: str = ""
    noindex: bool = False
    nofollow: bool = False
    refresh: str = ""


def read_head(page: ParsedPage, headers: Mapping[str, str] | None = None) -> Head:
    """The declarations in the page and in its headers (lower-case names); wishes from both add up."""
    metas: dict[str, str] = {}
    canonical = title = ""
    wishes = _header_wishes((headers or {}).get("x-robots-tag", ""))
    for node in page.root.iter("meta", "link", "title"):
        if node.tag == "meta":
            name = (node.get("name") or node.get("property") or node.get("http-equiv") or "").strip().lower()
            content = node.get("content") or ""
            if name in {"robots", PRODUCT_TOKEN}:
                wishes |= _words(content)
            metas.setdefault(name, content)
        elif node.tag == "link":
            canonical = canonical or _canonical_of(node)
        elif not title and _is_page_title(node):
            title = normalize_space(node.text or "")
    canonical = canonical or _header_canonical((headers or {}).get("link", ""))
    refresh = _REFRESH.match(metas.get("refresh", ""))
    return Head(
        title=(title or normalize_space(metas.get("og:title", "")))[:MAX_TITLE_CHARS],
        description=_description(metas),
        canonical=_absolute(canonical, page) if canonical else "",
        noindex=bool(wishes & {"noindex", "none"}),
        nofollow=bool(wishes & {"nofollow", "none"}),
        refresh=refresh.group(1).strip() if refresh else "",
    )


def _description(metas: Mapping[str, str]) -> str:
    text = metas.get("description") or metas.get("og:description") or ""
    return normalize_space(text)[:MAX_DESCRIPTION_CHARS]


def _words(content: str) -> set[str]:
    """The wishes of a list; commas part them, but many a page only leaves blanks (`noindex nofollow`)."""
    words = {word.strip().lower() for word in content.split(",")}
    return words.union(*({*_PARTS.split(word)} & _WISHES for word in words if not word.isalpha()))


def _header_wishes(header: str) -> set[str]:
    """The wishes of X-Robots-Tag that are meant for everyone or for us (`otherbot: noindex` is not).

    A name counts to the end of its line.
    """
    wishes: set[str] = set()
    for line in header.lower().splitlines():
        is_ours = True
        for part in line.split(","):
            name, colon, wish = part.partition(":")
            if colon and _AGENT.fullmatch(name):
                is_ours = name.strip() == PRODUCT_TOKEN
            if is_ours:
                wishes |= _words(wish if colon else part)
    return wishes


def _absolute(href: str, page: ParsedPage) -> str:
    charset = legacy_charset(page.charset)
    return join_url(page.base_url, in_charset(href, charset) if charset else href) or ""


def _canonical_of(node: etree._Element) -> str:
    return (node.get("href") or "").strip() if "canonical" in (node.get("rel") or "").lower().split() else ""


def _header_canonical(header: str) -> str:
    for match in _LINK_HEADER.finditer(header):
        if _CANONICAL.search(match.group(2)):
            return match.group(1).strip()
    return ""


def _is_page_title(node: etree._Element) -> bool:
    parent = node.getparent()
    return parent is None or parent.tag not in {"svg", "symbol", "g"}
