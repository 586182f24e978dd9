"""The SQL crawl store keeps every promise of the contract, on whatever database the tests run."""

import re
from dataclasses import replace
from typing import Any
from urllib.request import urlopen

import pytest
from django.db import connection

from backend.apps.accounts.models import User
from backend.apps.crawlers.models import Crawler
from backend.apps.documents.models import Document, Page
from backend.apps.projects.services import create_project
from backend.apps.runners.crawl_store import SqlCrawlStore
from backend.apps.runners.crawl_store import store as crawl_store
from backend.apps.runners.crawl_store.urls import PAGE_STATES
from backend.apps.runners.models import CrawlUrl, LogLine, Runner, RunnerMinute
from backend.apps.templates.models import Template
from backend.demo_site import DemoSite
from crawler_node.contracts import FetchedPage, PageState, Refusal
from crawler_node.contracts import LogLine as Line
from crawler_node.extract.compiler import compile_template
from crawler_node.extract.reader import TemplateReader
from crawler_node.extract.spec import parse_template
from crawler_node.frontier import FrontierOptions
from tests.contracts.crawl_store import CANONICALIZER, CrawlStoreContract, FakeClock, candidate, document, done, failed
from tests.unit.crawler_node.engine.crawling import TITLE
from tests.unit.crawler_node.engine.test_sieve import make_sieve


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

    def sentence(self, store: Any, url: str) -> str:
        return Page.objects.get(runner=store.runner, url=url).failure

    def documents(self, store: Any) -> list[dict[str, object]]:
        rows = Document.objects.filter(crawler=store.runner.crawler, duplicate_of=None, gone_at=None)
        return [row.versions.get(is_current=True).fields for row in rows.order_by("sequence")]

    def addresses(self, store: Any) -> list[str]:
        rows = Document.objects.filter(crawler=store.runner.crawler, duplicate_of=None, gone_at=None)
        return list(rows.order_by("sequence").values_list("url", flat=True))

    def next_run(self, store: Any) -> SqlCrawlStore:
        runner = store.runner
        return self._open(Runner.objects.create(crawler=runner.crawler, number=runner.number + 1))

    def log_lines(self, store: Any) -> list[str]:
        return list(LogLine.objects.filter(runner=store.runner).order_by("id").values_list("message", flat=True))

    def test_the_lane_that_a_page_was_fetched_in_is_kept(self, store: Any) -> None:
        store.plant([candidate("/a"), candidate("/b")])
        for lane, lease in zip(("http", "browser"), store.lease(worker="w", limit=2).leases, strict=True):
            outcome = done(lease)
            store.commit(worker="w", outcomes=[replace(outcome, page=replace(outcome.page, lane=lane))])
        pages = Page.objects.filter(runner=store.runner).order_by("url")
        assert list(pages.values_list("lane", flat=True)) == ["http", "browser"]

    def test_a_page_that_is_given_up_is_in_the_minutes_too(self, clock: FakeClock) -> None:
        store = self.make_store(FrontierOptions(respect_robots=False, max_broken_leases=0), clock)
        store.plant([candidate("/expires"), candidate("/dies"), candidate("/hangs")])
        store.lease(worker="dead", limit=1)
        store.release(worker="dead")
        (lease,) = store.lease(worker="w", limit=1).leases
        store.fail_page(worker="w", url=lease.url, sentence="It hung.")
        store.lease(worker="w", limit=1)
        clock.now += 61
        store.lease(worker="w", limit=1)
        minutes = RunnerMinute.objects.filter(runner=store.runner).values_list("failed", flat=True)
        assert (sum(minutes), store.statistics().failed) == (3, 3)

    @pytest.mark.django_db(transaction=True)
    def test_what_no_column_takes_costs_its_page_and_not_the_batch(self, store: Any) -> None:
        store.plant([candidate(path) for path in ("/a", "/b", "/c")])
        a, b, c = store.lease(worker="w", limit=3).leases
        vast = candidate("/vast", depth=2**70)
        outcomes = [done(a, [candidate("/from-a", depth=1)]), done(b, [vast]), done(c, documents=[document("one")])]
        progress = store.commit(worker="w", outcomes=outcomes, log=[Line("info", "A line.")])
        assert progress.accepted == {a.fence, b.fence, c.fence}
        assert [self.state(store, lease.url)[0] for lease in (a, b, c)] == [
            PageState.DONE,
            PageState.FAILED,
            PageState.DONE,
        ]
        assert (progress.statistics.pages, progress.statistics.failed, progress.statistics.documents) == (2, 1, 1)
        assert self.state(store, "https://site.example/from-a")[0] is PageState.QUEUED
        told = self.log_lines(store)
        assert told[0] == "A line."
        assert told[1].startswith("The database cannot keep what is on this page (")
        assert Page.objects.get(runner=store.runner, key=b.key).failure == told[1]

    def test_a_worker_is_told_again_of_hosts_that_it_may_have_forgotten(
        self, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It asked for their robots.txt anew with every page, in a crawl of more hosts than it remembers."""
        monkeypatch.setattr(crawl_store, "MOST_TOLD", 3)
        store = self.make_store(FrontierOptions(), clock)
        hosts = [f"host{number}.example" for number in range(5)]
        told = []
        for path in ("/a", "/b", "/c"):
            for host in hosts:
                store.plant([candidate(f"https://{host}{path}")])
                batch = store.lease(worker="w", limit=9)
                told.append([*batch.robots])
                store.commit(worker="w", outcomes=[done(lease) for lease in batch.leases])
        assert told[:5] == [[]] * 5
        assert told[5:] == [[host] for host in (*hosts, *hosts)]

    @pytest.mark.parametrize("path", ["/hostile/links/long-host", "/hostile/links/long-base", "/hostile/links/odd"])
    def test_the_links_of_hostile_pages_are_all_taken(self, store: Any, path: str) -> None:
        """Whatever a page links to, the page is kept, and nothing is said about the database."""
        with DemoSite() as site, urlopen(site.url + path) as answer:
            body = answer.read()
        store.plant([candidate(path)])
        (lease,) = store.lease(worker="w", limit=1).leases
        reading = TemplateReader(compile_template(parse_template(TITLE)))(FetchedPage(lease.url, 200, {}, body))
        assert not reading.failure
        sifted = make_sieve().sift(reading, lease, body)
        store.commit(worker="w", outcomes=[done(lease, sifted.candidates)])
        assert self.state(store, lease.url)[0] is PageState.DONE
        assert self.log_lines(store) == []
        assert max(len(row.url) for row in CrawlUrl.objects.filter(runner=store.runner)) < 5_000

    @pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite tells its plan whatever the tables hold")
    def test_no_statement_reads_the_whole_queue(self, store: Any) -> None:
        told: list[tuple[str, Any]] = []

        def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
            if "runners_crawlurl" in sql and not many:
                told.append((sql, params))
            return execute(sql, params, many, context)

        with connection.execute_wrapper(note):
            store.plant([candidate(f"/{number}") for number in range(3)])
            leases = store.lease(worker="w", limit=3).leases
            store.lease(worker="v", limit=3)  # nothing is left: when may it ask again?
            store.commit(worker="w", outcomes=[done(leases[0], [candidate("/new")]), failed(leases[1], can_retry=True)])
            store.release(worker="w")
        plans = {sql: _plan(sql, params) for sql, params in told}
        assert any("crawl_url_waiting" in plan for plan in plans.values())
        assert [sql for sql, plan in plans.items() if WHOLE_QUEUE.search(plan)] == []

    @pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite tells its plan whatever the tables hold")
    def test_of_equal_documents_only_the_one_that_stands_for_them_is_read(self, store: Any) -> None:
        """However many pages say the same, a commit costs no more for it."""
        told: list[tuple[str, Any]] = []

        def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
            if "FROM documents_document " in sql and "sha1 IN" in sql:
                told.append((sql, params))
            return execute(sql, params, many, context)

        store.plant([candidate(f"/{number}") for number in range(20)])
        *leases, last = store.lease(worker="w", limit=20).leases
        store.commit(worker="w", outcomes=[done(each, documents=[document(each.url, value="same")]) for each in leases])
        with connection.execute_wrapper(note):
            store.commit(worker="w", outcomes=[done(last, documents=[document(last.url, value="same")])])
        ((sql, params),) = told
        with connection.cursor() as cursor:
            assert len(cursor.execute(sql, params).fetchall()) == 1
        assert "document_standing_by_values" in _plan(sql, params)
        assert store.statistics().duplicate_documents == 19


WHOLE_QUEUE = re.compile(r"SCAN runners_crawlurl|sqlite_autoindex_runners_crawlurl_1 \(runner_id=\?\)")


def _plan(sql: str, params: Any) -> str:
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {sql}", params)
        return " ".join(row[3] for row in cursor.fetchall())
