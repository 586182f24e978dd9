"""The SQL crawl store keeps every promise of the contract, on whatever database the tests run."""

from dataclasses import replace
from typing import Any

import pytest

from backend.apps.accounts.models import User
from backend.apps.crawlers.models import Crawler
from backend.apps.documents.models import Document, Page
from backend.apps.projects.services import create_project
from backend.apps.runners.crawl_store import SqlCrawlStore
from backend.apps.runners.crawl_store.urls import PAGE_STATES
from backend.apps.runners.models import CrawlUrl, LogLine, Runner
from backend.apps.templates.models import Template
from crawler_node.contracts import PageState, Refusal
from crawler_node.frontier import FrontierOptions
from tests.contracts.crawl_store import CANONICALIZER, CrawlStoreContract, FakeClock, candidate, done


def make_runner() -> Runner:
    owner, _ = User.objects.get_or_create(username="owner")
    number = User.objects.count() + Crawler.objects.count()
    project = create_project(owner=owner, name=f"Project {number}")
    template = Template.objects.create(project=project, name="Page")
    crawler = Crawler.objects.create(project=project, name="Crawler", template=template, seeds=["https://site.example"])
    return Runner.objects.create(crawler=crawler, number=1)


@pytest.mark.django_db
class TestSqlCrawlStore(CrawlStoreContract):
    def make_store(self, options: FrontierOptions, clock: FakeClock) -> SqlCrawlStore:
        self.options, self.clock = options, clock
        return self._open(make_runner())

    def another(self, store: Any) -> SqlCrawlStore:
        return self._open(Runner.objects.get(pk=store.runner.pk))

    def _open(self, runner: Runner) -> SqlCrawlStore:
        return SqlCrawlStore(runner, self.options, clock=lambda cursor: self.clock())

    def state(self, store: Any, url: str) -> tuple[PageState, Refusal | None]:
        found = CANONICALIZER.canonicalize(url)
        assert found is not None
        row = CrawlUrl.objects.get(runner=store.runner, key=found.key)
        return PAGE_STATES[row.state], Refusal(row.refusal) if row.refusal else None

    def documents(self, store: Any) -> list[dict[str, object]]:
        rows = Document.objects.filter(crawler=store.runner.crawler, duplicate_of=None, gone_at=None)
        return [row.versions.get(is_current=True).fields for row in rows.order_by("sequence")]

    def log_lines(self, store: Any) -> list[str]:
        return list(LogLine.objects.filter(runner=store.runner).order_by("id").values_list("message", flat=True))

    def test_the_lane_that_a_page_was_fetched_in_is_kept(self, store: Any) -> None:
        store.plant([candidate("/a"), candidate("/b")])
        for lane, lease in zip(("http", "browser"), store.lease(worker="w", limit=2).leases, strict=True):
            outcome = done(lease)
            store.commit(worker="w", outcomes=[replace(outcome, page=replace(outcome.page, lane=lane))])
        pages = Page.objects.filter(runner=store.runner).order_by("url")
        assert list(pages.values_list("lane", flat=True)) == ["http", "browser"]
