"""The database connection is lost at any message of a commit: nothing is half remembered, lost or stored twice."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from django.db import OperationalError, connection

from backend.apps.documents.models import Document, DocumentVersion, Page
from backend.apps.runners.crawl_store import SqlCrawlStore
from backend.apps.runners.models import CrawlUrl, LogLine, Runner
from crawler_node.contracts import LogLine as Line
from crawler_node.contracts import Outcome
from crawler_node.errors import StoreError
from crawler_node.frontier import FrontierOptions
from tests.contracts.crawl_store import candidate, document, done
from tests.integration.runners.test_sql_crawl_store import make_runner

pytestmark = pytest.mark.django_db(transaction=True)
OPTIONS = FrontierOptions(respect_robots=False)
PATHS = ("/a", "/b", "/c")


def break_connection() -> None:
    """PostgreSQL ends our session."""
    pid = connection.connection.info.backend_pid
    chosen = connection.get_connection_params()
    names = {name: chosen[name] for name in ("host", "port", "user", "password", "dbname") if chosen.get(name)}
    with psycopg.connect(**names, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])


@contextmanager
def interrupted() -> Iterator[None]:
    """SQLite, which has no connection to lose, gives up in the middle of a statement."""
    connection.connection.set_progress_handler(lambda: 1, 1)
    try:
        yield
    finally:
        connection.connection.set_progress_handler(None, 0)


class BreakAt:
    """Loses the connection before the nth message."""

    def __init__(self, number: int) -> None:
        self._left = number
        self.is_broken = False

    def __call__(self, execute: Callable[..., Any], *arguments: Any) -> Any:
        self._left -= 1
        if self._left == 0:
            self.is_broken = True
            if connection.vendor != "postgresql":
                with interrupted():
                    return execute(*arguments)
            break_connection()
        return execute(*arguments)


@contextmanager
def at_commit(step: Callable[[Callable[[], None]], None]) -> Iterator[None]:
    """Does something else where the transaction is to be committed."""
    commit = connection._commit
    connection._commit = lambda: step(commit)
    try:
        yield
    finally:
        connection._commit = commit


def begin() -> tuple[SqlCrawlStore, list[Outcome]]:
    """A runner with three pages in work, and what became of them."""
    store = SqlCrawlStore(make_runner(), OPTIONS)
    store.plant([candidate(path) for path in PATHS])
    leases = store.lease(worker="w", limit=3).leases
    links = [candidate("/next", depth=1), *(candidate(path, depth=1) for path in PATHS)]
    return store, [done(lease, links, [document(lease.url)]) for lease in leases]


def remembered(runner: Runner) -> tuple[int, ...]:
    mine = DocumentVersion.objects.filter(runner=runner)
    return (
        Page.objects.filter(runner=runner).count(),
        Document.objects.filter(crawler=runner.crawler).count(),
        mine.count(),
        CrawlUrl.objects.filter(runner=runner).count(),
        LogLine.objects.filter(runner=runner).count(),
    )


def commit(store: SqlCrawlStore, outcomes: list[Outcome]) -> Any:
    return store.commit(worker="w", outcomes=outcomes, log=[Line("info", "Three pages.")])


def test_a_connection_lost_at_any_statement_leaves_nothing_and_the_next_try_remembers_all() -> None:
    broken = 0
    for number in range(1, 100):
        store, outcomes = begin()
        breaking = BreakAt(number)
        try:
            with connection.execute_wrapper(breaking):
                commit(store, outcomes)
        except StoreError:
            assert remembered(store.runner) == (0, 0, 0, 3, 0)
            assert commit(store, outcomes).accepted == {outcome.lease.fence for outcome in outcomes}
            broken += 1
        statistics = store.statistics()
        assert remembered(store.runner) == (3, 3, 3, 4, 1)
        assert (statistics.pages, statistics.documents, statistics.queued, statistics.leased) == (3, 3, 1, 0)
        if not breaking.is_broken:
            break
    assert broken >= (2 if connection.vendor == "postgresql" else 10)


def test_a_connection_lost_while_committing_leaves_nothing() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite commits in this process: it has no connection to lose.")
    store, outcomes = begin()

    def lose(commit_now: Callable[[], None]) -> None:
        break_connection()
        commit_now()

    with at_commit(lose), pytest.raises(StoreError):
        commit(store, outcomes)
    assert remembered(store.runner) == (0, 0, 0, 3, 0)
    commit(store, outcomes)
    assert remembered(store.runner) == (3, 3, 3, 4, 1)


def test_a_commit_whose_answer_was_lost_counts_once_when_it_is_sent_again() -> None:
    store, outcomes = begin()

    def lose_answer(commit_now: Callable[[], None]) -> None:
        commit_now()
        raise OperationalError("the connection was lost before the answer came")

    with at_commit(lose_answer), pytest.raises(StoreError):
        commit(store, outcomes)
    assert remembered(store.runner)[:4] == (3, 3, 3, 4)
    progress = commit(store, outcomes)
    assert progress.accepted == frozenset()
    assert remembered(store.runner)[:4] == (3, 3, 3, 4)
    assert (progress.statistics.pages, progress.statistics.documents) == (3, 3)
