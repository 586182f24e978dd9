"""A crawler whose documents tests make as they need them."""

from dataclasses import dataclass
from itertools import count
from typing import Any

import pytest
from django.utils import timezone

from backend.apps.accounts.models import User
from backend.apps.crawlers.models import Crawler
from backend.apps.documents.models import Document, DocumentVersion
from backend.apps.project_files import import_into_project
from backend.apps.projects.models import Project
from backend.apps.projects.services import create_project
from backend.apps.runners.models import Runner
from tests.integration.project_files.samples import SHOP_FILE


@dataclass
class Shop:
    owner: User
    project: Project
    crawler: Crawler

    def __post_init__(self) -> None:
        self._numbers = count(1)

    def run(self) -> Runner:
        return Runner.objects.create(crawler=self.crawler, number=self.crawler.runners.count() + 1)

    def document(self, runner: Runner, name: Any, *, price: Any = None, **columns: Any) -> Document:
        number = next(self._numbers)
        document = Document.objects.create(
            project=runner.crawler.project,
            crawler=runner.crawler,
            identity=number.to_bytes(16),
            url=f"http://shop.example/{number}",
            first_seen_at=timezone.now(),
            last_seen_at=timezone.now(),
            last_runner=runner,
            **columns,
        )
        self.version(document, runner, name, price=price)
        return document

    def version(self, document: Document, runner: Runner, name: Any, *, price: Any = None) -> None:
        """New values that this run found."""
        document.versions.update(is_current=False)
        number = document.versions.count() + 1
        fields = {"name": name, "price": price}
        DocumentVersion.objects.create(
            document=document, runner=runner, number=number, fields=fields, sha1=b"s", extracted_at=timezone.now()
        )
        Document.objects.filter(pk=document.pk).update(last_runner=runner, version_number=number)


@pytest.fixture
def shop(db: Any) -> Shop:
    owner = User.objects.create_user("owner", password="a long enough password")
    project = create_project(owner=owner, name="Shops")
    import_into_project(project=project, file=SHOP_FILE)
    return Shop(owner, project, project.crawlers.get())
