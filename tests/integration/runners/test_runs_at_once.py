"""Two runs of one crawler at the same time, each on a connection of its own: one document stays one document."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from contextlib import contextmanager, suppress
from dataclasses import replace
from threading import Event
from typing import Any

import pytest
from django.db import IntegrityError, connection

from backend.apps.documents.models import Document, DocumentVersion
from backend.apps.runners.crawl_store import SqlCrawlStore
from backend.apps.runners.crawl_store.sql import one_transaction
from backend.apps.runners.models import Runner
from backend.apps.runners.reextraction import reextract_runner
from crawler_node.contracts import Document as Found
from crawler_node.contracts import Outcome
from crawler_node.errors import StoreError
from crawler_node.extract.identity import fingerprint, identity
from crawler_node.frontier import FrontierOptions
from tests.contracts.crawl_store import candidate, document, done
from tests.integration.runners import kept_pages
from tests.integration.runners.test_sql_crawl_store import make_runner

pytestmark = pytest.mark.django_db(transaction=True)
OPTIONS = FrontierOptions(respect_robots=False)
# Whoever has to wait for us is certainly waiting by then; nothing is expected to happen within it.
A_WHILE_SECONDS = 3.0


class MeanwhileAt:
    """Between a look and a writing, lets another connection do something, or try to."""

    def __init__(self, mark: str, work: Callable[[], Any], apart: ThreadPoolExecutor) -> None:
        self._mark = mark
        self._work = work
        self._apart = apart
        self.meanwhile: Future[Any] | None = None
        self.is_over = Event()

    def __call__(self, execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if self.meanwhile is None and self._mark in sql:
            self.meanwhile = self._apart.submit(on_own_connection, self._work, self.is_over)
            wait_for([self.meanwhile], A_WHILE_SECONDS)
        return execute(sql, *rest)


def on_own_connection(work: Callable[[], Any], is_over: Event) -> Any:
    """As a worker does it, which makes a commit again that was not taken: SQLite in memory lets nobody wait."""
    try:
        with suppress(StoreError):
            return work()
        is_over.wait(60)
        return work()
    finally:
        connection.close()


@contextmanager
def meanwhile(work: Callable[[], Any], *, at: str = "INSERT INTO documents_document") -> Iterator[None]:
    """What is done in this block is about to write (documents, say) when `work` begins elsewhere; both end well."""
    with ThreadPoolExecutor(1) as apart:
        step = MeanwhileAt(at, work, apart)
        try:
            with connection.execute_wrapper(step):
                yield
        finally:
            step.is_over.set()
        assert step.meanwhile is not None
        step.meanwhile.result()


def begin(runner: Runner, path: str, *, name: str) -> tuple[SqlCrawlStore, Outcome]:
    """A run with one page in work, and what is on it."""
    store = SqlCrawlStore(runner, OPTIONS)
    store.plant([candidate(path)])
    (lease,) = store.lease(worker="w", limit=1).leases
    return store, done(lease, documents=[document(name, value="same")])


def commit(store: SqlCrawlStore, outcome: Outcome) -> None:
    assert store.commit(worker="w", outcomes=[outcome]).accepted == {outcome.lease.fence}


def two_runs() -> tuple[Runner, Runner]:
    first = make_runner()
    return first, Runner.objects.create(crawler=first.crawler, number=2)


def test_a_document_that_both_find_first_is_stored_once() -> None:
    first, second = two_runs()
    mine, theirs = begin(first, "/a", name="one"), begin(second, "/a", name="one")
    with meanwhile(lambda: commit(*theirs)):
        commit(*mine)
    assert Document.objects.get(crawler=first.crawler).last_runner == second
    assert DocumentVersion.objects.filter(document__crawler=first.crawler).count() == 1
    assert [store.statistics().documents for store, _ in (mine, theirs)] == [1, 1]


def test_of_two_equal_documents_one_repeats_the_other() -> None:
    first, second = two_runs()
    mine, theirs = begin(first, "/a", name="one"), begin(second, "/b", name="two")
    with meanwhile(lambda: commit(*theirs)):
        commit(*mine)
    originals = Document.objects.filter(crawler=first.crawler, duplicate_of=None)
    assert (originals.count(), Document.objects.filter(crawler=first.crawler).count()) == (1, 2)


def test_a_run_waits_for_an_extraction_from_the_pages_of_an_earlier_one() -> None:
    crawler = kept_pages.shop_crawler(keys=True)
    earlier = kept_pages.crawl(crawler, {"/a": "<h2>old</h2><b>new</b>"})
    crawler.template.inspectors.update(selector="//b")
    store, outcome = begin(Runner.objects.create(crawler=crawler, number=2), "/z", name="")
    outcome = replace(outcome, documents=[keyed({"name": "new"})])
    with meanwhile(lambda: commit(store, outcome)):
        reextract_runner(runner=earlier)
    assert Document.objects.get(crawler=crawler, gone_at=None).url == outcome.lease.url
    assert Document.objects.filter(crawler=crawler).count() == 2


def keyed(values: dict[str, object]) -> Found:
    return Found(values, fingerprint(values), identity("", values, keys=list(values), is_item=False))


def test_a_row_that_somebody_else_wrote_first_is_worth_another_try() -> None:
    statement = "INSERT INTO runners_crawlpattern (runner_id, pattern, count) VALUES (%s, 1, 1)"
    runner = make_runner()
    with pytest.raises(StoreError) as caught, one_transaction() as cursor:
        cursor.executemany(statement, [[runner.pk]] * 2)
    assert isinstance(caught.value.__cause__, IntegrityError)
