"""Documents as crawls leave them, put on the shelf by tests."""

import hashlib
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from backend.apps.crawlers.models import Crawler
from backend.apps.documents.models import Document, DocumentVersion, Page, PageContent
from backend.apps.documents.sequences import leave_tombstones, take_sequence
from backend.apps.projects.models import Project
from backend.apps.runners.crawl_store.pages import pack_features
from backend.apps.runners.models import Runner
from crawler_node.contracts import PageFeatures


class Shelf:
    """Writes documents with their pages and sequence numbers, a transaction each."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.crawlers = {crawler.name: crawler for crawler in project.crawlers.all()}
        self._runners: dict[int, Runner] = {}

    @transaction.atomic
    def put(self, crawler: str, name: str, values: dict[str, Any], **features: Any) -> Document:
        """Add a document of a crawler under a name of its own, or change it."""
        owner, now = self.crawlers[crawler], timezone.now()
        key = hashlib.md5(f"{crawler}/{name}".encode(), usedforsecurity=False).digest()
        runner = self._runner(owner)
        url = f"http://{crawler.lower()}.example/{name}"
        known = Document.objects.filter(crawler=owner, identity=key).first()
        document = known or Document(project=self.project, crawler=owner, identity=key, first_seen_at=now)
        document.page_key, document.url, document.last_seen_at, document.gone_at = key, url, now, None
        document.version_number = document.version_number + 1 if known else 1
        document.sequence, document.last_runner = self._next(), runner
        document.save()
        document.versions.update(is_current=False)
        sha1 = hashlib.sha1(repr(values).encode(), usedforsecurity=False).digest()
        DocumentVersion.objects.create(
            document=document,
            runner=runner,
            number=document.version_number,
            fields=values,
            sha1=sha1,
            extracted_at=now,
        )
        self._page(runner, key, url, PageFeatures(**features))
        return document

    def gone(self, document: Document) -> None:
        """The page has the document no longer."""
        with transaction.atomic():
            Document.objects.filter(pk=document.pk).update(gone_at=timezone.now(), sequence=self._next())

    def copy_of(self, document: Document, original: Document) -> None:
        """The document turns out to repeat another."""
        with transaction.atomic():
            Document.objects.filter(pk=document.pk).update(duplicate_of=original, sequence=self._next())

    def delete(self, document: Document) -> None:
        """A person deleted what it came from."""
        with transaction.atomic():
            leave_tombstones([document.pk])
            DocumentVersion.objects.filter(document=document).delete()
            Document.objects.filter(pk=document.pk).delete()

    def fill(self, count: int, crawler: str = "Shop", **more: Any) -> list[Document]:
        """Many products: “SSD 0” for 10 euros, “SSD 1” for 11, …"""
        return [
            self.put(crawler, str(number), product(f"SSD {number}", 10 + number, **more)) for number in range(count)
        ]

    def _next(self) -> int:
        with connection.cursor() as cursor:
            return take_sequence(cursor, self.project.pk, 1) + 1

    def _runner(self, crawler: Crawler) -> Runner:
        if crawler.pk not in self._runners:
            number = crawler.runners.count() + 1
            self._runners[crawler.pk] = Runner.objects.create(crawler=crawler, number=number, specification={})
        return self._runners[crawler.pk]

    def _page(self, runner: Runner, key: bytes, url: str, features: PageFeatures) -> None:
        facts = {"url": url, "fetched_at": timezone.now(), "http_status": 200}
        page, _ = Page.objects.update_or_create(runner=runner, key=key, defaults=facts)
        PageContent.objects.update_or_create(page=page, defaults={"features": pack_features(features)})


def product(name: str, price: float, **more: Any) -> dict[str, Any]:
    """The values of a product of the first shop."""
    return {"name": name, "price": {"amount": price, "currency": "EUR"}, **more}


def artikel(titel: str, preis: float, **more: Any) -> dict[str, Any]:
    """The values of a product of the second shop."""
    return {"titel": titel, "preis": {"amount": preis, "currency": "EUR"}, **more}
