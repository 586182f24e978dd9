"""Reading a page in one pass: documents by the compiled template, links, and what the page says about itself."""

import json
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b, sha1

from lxml import etree

from crawler_node.contracts import Document, FetchedPage, Link, PageFeatures, PageReading
from crawler_node.extract.errors import ExtractError
from crawler_node.extract.extraction import ExtractedDocument
from crawler_node.extract.parsing import ParsedPage, parse_page
from crawler_node.extract.selectors import Selector, compile_selector
from crawler_node.extract.template import CompiledTemplate

_MAX_ANCHOR_CHARACTERS = 300
Features = Callable[[ParsedPage], PageFeatures]


class TemplateReader:
    """A `PageReader` for one template. `links_scope` are XPaths of the places whose links are followed; none means all.

    `features` computes what search wants to know of a page; without it that costs nothing.
    """

    def __init__(
        self,
        template: CompiledTemplate | None,
        *,
        links_scope: Sequence[str] = (),
        product: str = "gleaner",
        features: Features | None = None,
    ) -> None:
        self._template = template
        self._scopes = [compile_selector(text) for text in links_scope if text.strip()]
        self._robot_names = frozenset({"robots", product.lower()})
        self._features = features

    def __call__(self, page: FetchedPage) -> PageReading:
        try:
            parsed = parse_page(page.body, url=page.url, content_type=page.headers.get("content-type", ""))
            documents = self._documents(parsed, page)
            links = list(self._links(parsed.root))
        except ExtractError as error:
            return PageReading(page.url, failure=str(error))
        wishes = self._wishes(parsed.root, page)
        return PageReading(
            parsed.base_url,
            documents,
            links,
            canonical=_canonical(parsed.root, page),
            noindex="noindex" in wishes or "none" in wishes,
            nofollow="nofollow" in wishes or "none" in wishes,
            features=self._features(parsed) if self._features else None,
        )

    def _documents(self, parsed: ParsedPage, page: FetchedPage) -> list[Document]:
        if self._template is None:
            return []
        has_items = self._template.item_scope is not None
        names = self._template.key_names
        found = self._template.extract(parsed).documents
        return [make_document(each, page.url, names, has_items=has_items) for each in found]

    def _links(self, root: etree._Element) -> Iterator[Link]:
        if not self._scopes:
            return links_below(root)
        return (link for scope in self._scopes for link in _links_of_scope(scope, root))

    def _wishes(self, root: etree._Element, page: FetchedPage) -> set[str]:
        """The words of `<meta name=robots>` and X-Robots-Tag that are meant for us."""
        texts = [_header_wishes(page.headers.get("x-robots-tag", ""), self._robot_names)]
        for meta in root.iter("meta"):
            if (meta.get("name") or "").strip().lower() in self._robot_names:
                texts.append(meta.get("content") or "")
        return {word.strip().lower() for text in texts for word in text.split(",")}


def make_document(found: ExtractedDocument, page_url: str, key_names: Sequence[str], *, has_items: bool) -> Document:
    """A document with its fingerprint and its identity.

    Identity is the values of the key inspectors; without any it is the page's URL, and where a page has many items
    also the item's own values (so a changed item is another document, and has no history).
    """
    text = json.dumps(found.values, sort_keys=True, ensure_ascii=False, default=str, separators=(",", ":"))
    fingerprint = sha1(text.encode("utf-8", "replace"), usedforsecurity=False).digest()
    keys = [found.values.get(name) for name in key_names]
    if any(value is not None for value in keys):
        name = json.dumps(["key", *keys], ensure_ascii=False, default=str).encode("utf-8", "replace")
    else:
        name = page_url.encode() + (b"\0" + fingerprint if has_items else b"")
    return Document(found.values, fingerprint, blake2b(name, digest_size=16).digest(), found.missing)


def links_below(root: etree._Element) -> Iterator[Link]:
    """Every link of a part of a page, in page order."""
    for element in root.iter("a", "area"):
        href = element.get("href")
        if href:
            rel = element.get("rel")
            yield Link(href, _anchor(element), rel is not None and "nofollow" in rel.lower().split())
    for element in root.iter("iframe", "frame"):
        source = element.get("src")
        if source:
            yield Link(source)


def _anchor(element: etree._Element) -> str:
    text = "".join(map(str, element.itertext())) if len(element) else element.text or element.get("alt") or ""
    return " ".join(text.split())[:_MAX_ANCHOR_CHARACTERS]


def _links_of_scope(scope: Selector, root: etree._Element) -> Iterator[Link]:
    for match in scope.select(root):
        if isinstance(match, str):
            yield Link(match)
        else:
            yield from links_below(match)


def _canonical(root: etree._Element, page: FetchedPage) -> str:
    for link in root.iter("link"):
        if "canonical" in (link.get("rel") or "").lower().split():
            return link.get("href") or ""
    header = page.headers.get("link", "")
    target, _, rest = header.partition(">")
    return target.strip().lstrip("<") if 'rel="canonical"' in rest.partition(",")[0].lower() else ""


def _header_wishes(header: str, names: frozenset[str]) -> str:
    """X-Robots-Tag may begin with the name of a robot; words for others are not ours."""
    name, colon, words = header.partition(":")
    if colon and "," not in name:
        return words if name.strip().lower() in names else ""
    return header
