"""The documents of a page: those that were last found on it, else what became of those that it gave."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from django.db.models import F, QuerySet

from backend.apps.documents.models import Document, Page
from crawler_node.extract.extraction import ExtractedDocument
from crawler_node.extract.identity import identity
from crawler_node.extract.spec import TemplateSpec

MAX_DOCUMENTS: Final = 10
"""So many are followed further; a listing has hundreds."""
MAX_LOOKED_FOR: Final = 500


class PageDocuments(NamedTuple):
    """A few of the documents, those first that can be found; how many there are, and how many of them are not gone."""

    shown: Sequence[Document]
    total: int
    present: int

    @property
    def can_be_found(self) -> list[Document]:
        return [document for document in self.shown if document.gone_at is None]

    @property
    def more_sentence(self) -> str:
        more = self.present - len(self.can_be_found)
        return f" {len(self.can_be_found):,} of them are followed here; there are {more:,} more." if more > 0 else ""


def documents_of(crawler_id: int, page_key: bytes) -> PageDocuments:
    """Those that were last found on the page."""
    return _few(Document.objects.filter(crawler=crawler_id, page_key=page_key))


def documents_elsewhere(
    crawler_id: int, page: Page, template: TemplateSpec, reading: Sequence[ExtractedDocument] | None
) -> PageDocuments:
    """Those of the kept page that another page had later; none where the page was not kept."""
    wanted = list(by_identity(page, template, reading or ()))[:MAX_LOOKED_FOR]
    return _few(Document.objects.filter(crawler=crawler_id, identity__in=wanted))


def by_identity(
    page: Page, template: TemplateSpec, reading: Sequence[ExtractedDocument]
) -> Mapping[bytes, ExtractedDocument]:
    """What was read on the page, as the crawl tells documents apart."""
    keys = [each.name for each in template.inspectors if each.key]
    is_item = bool(template.item_scope)
    return {identity(page.url, found.values, keys=keys, is_item=is_item): found for found in reading}


def _few(rows: QuerySet[Document]) -> PageDocuments:
    first = rows.order_by(F("gone_at").asc(nulls_first=True), F("duplicate_of").asc(nulls_first=True), "pk")
    shown = sorted(first[:MAX_DOCUMENTS], key=lambda document: document.pk)
    return PageDocuments(shown, rows.count(), rows.filter(gone_at=None).count())
