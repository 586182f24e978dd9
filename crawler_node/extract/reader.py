"""One pass over a fetched page: documents, links, directives and, where asked for, page text."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from email.utils import parsedate_to_datetime

from crawler_node.contracts import Document, FetchedPage, Link, PageReading
from crawler_node.extract.errors import ExtractError
from crawler_node.extract.extraction import ExtractedDocument, Extraction
from crawler_node.extract.identity import fingerprint, identity
from crawler_node.extract.parsing import ParsedPage, parse_page
from crawler_node.extract.selectors import Selector
from crawler_node.extract.template import CompiledTemplate
from crawler_node.page_text.features import read_features
from crawler_node.page_text.head import Head, read_head
from crawler_node.page_text.links import find_links
from crawler_node.urls import Canonicalizer
from crawler_node.urls.queries import legacy_charset


@dataclass(frozen=True, slots=True)
class TemplateReader:
    """Reads pages with a template: the `PageReader` of the crawl engine, and of preview and test bench as well.

    Links are taken from `links_scope` where it names any part of the page. `with_features` adds page text for search.
    With `addresses` a page is told by the canonical form of its URL, as the crawl tells it: however it is spelled, its
    documents are the same.
    """

    template: CompiledTemplate
    links_scope: Sequence[Selector] = ()
    with_features: bool = False
    addresses: Canonicalizer | None = None

    def __call__(self, page: FetchedPage, *, now: datetime | None = None) -> PageReading:
        """All that the page holds; never raises for a page: `failure` says what went wrong.

        “Yesterday” on a page is relative to `now`, or without it to when the server says it answered.
        """
        try:
            parsed = parse_page(page.body, url=page.url, content_type=page.headers.get("content-type", ""))
            return self._read(page, parsed, now)
        except Exception as error:  # noqa: BLE001 - whatever one page does, the crawl goes on and says so
            return PageReading(page.url, failure=_sentence(error))

    def _read(self, page: FetchedPage, parsed: ParsedPage, now: datetime | None) -> PageReading:
        head = read_head(parsed, page.headers)
        if now is None and self.template.reads_dates:
            now = answered_at(page)
        extraction = self.template.extract(parsed, now=now)
        features = read_features(parsed, head, markup_bytes=len(page.body)) if self.with_features else None
        if features is not None and (unread := extraction.unread()):
            features = replace(features, unread=unread)
        return PageReading(
            base_url=parsed.base_url,
            documents=self.documents(page.url, extraction),
            links=self._links(parsed, head),
            canonical=head.canonical,
            noindex=head.noindex,
            nofollow=head.nofollow,
            features=features,
            notices=_told(extraction) if extraction.notices else (),
            charset=legacy_charset(parsed.charset),
        )

    def documents(self, url: str, extraction: Extraction) -> list[Document]:
        """The documents as the crawl remembers them: with fingerprint and identity."""
        address = self._address(url) if extraction.documents else url
        return [self._document(document, url, address) for document in extraction.documents]

    def _address(self, url: str) -> str:
        return (self.addresses.form(url) if self.addresses is not None else None) or url

    def _document(self, found: ExtractedDocument, url: str, address: str) -> Document:
        keys, is_item = self.template.key_names, self.template.item_scope is not None
        known_by = identity(address, found.values, keys=keys, is_item=is_item)
        former = known_by if address == url else identity(url, found.values, keys=keys, is_item=is_item)
        return Document(
            values=found.values,
            sha1=fingerprint(found.values),
            identity=known_by,
            missing=found.missing,
            fallbacks=tuple(name for name, fired in found.fired.items() if fired > 0),
            former=former if former != known_by else b"",
        )

    def _links(self, parsed: ParsedPage, head: Head) -> list[Link]:
        links = find_links(parsed.root, self.links_scope)
        if head.refresh:
            links.append(Link(head.refresh))
        return links


def _told(extraction: Extraction) -> list[str]:
    """What of a page is worth a line; of fields only where they are a document's: other pages have other texts."""
    return [
        f"“{notice.field}”: {notice.sentence}" if notice.field else notice.sentence
        for notice in extraction.notices
        if extraction.documents or not notice.field
    ]


def answered_at(page: FetchedPage) -> datetime | None:
    """When the server says it answered, None where it does not say."""
    try:
        return parsedate_to_datetime(page.headers["date"])
    except (KeyError, ValueError):
        return None


def _sentence(error: Exception) -> str:
    if isinstance(error, ExtractError):
        return str(error)
    return f"The page could not be read ({type(error).__name__}: {str(error)[:200]})."
