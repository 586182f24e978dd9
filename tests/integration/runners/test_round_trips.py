"""What a lease and a commit cost in messages to the database: few, and no more for many pages than for one."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection
from psycopg.pq import TransactionStatus

from backend.apps.runners.crawl_store import SqlCrawlStore
from backend.apps.runners.crawl_store import store as crawl_store
from backend.apps.runners.crawl_store.sql import Moment, one_transaction
from backend.apps.runners.models import CrawlUrl, UrlState
from backend.config.worker_metrics import MeteredStore
from crawler_node.contracts import LogLine as Line
from crawler_node.contracts import Outcome
from crawler_node.errors import StoreError
from crawler_node.frontier import FrontierOptions
from tests.contracts.crawl_store import candidate, document, done
from tests.integration.runners.test_sql_crawl_store import make_runner

pytestmark = pytest.mark.django_db
COMMIT = 1


@pytest.fixture
def store() -> SqlCrawlStore:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite gets its statements one by one: no message to it has a way to go.")
    return SqlCrawlStore(make_runner(), FrontierOptions(respect_robots=False))


@contextmanager
def messages() -> Iterator[list[str]]:
    seen: list[str] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        seen.append(f"many times: {sql}" if many else sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield seen


def of_the_store(seen: list[str]) -> list[str]:
    """Without the savepoints of the test's own transaction."""
    return [sql for sql in seen if "SAVEPOINT" not in sql]


def outcomes_of(store: SqlCrawlStore, count: int) -> list[Outcome]:
    store.plant([candidate(f"/{number}") for number in range(count)])
    with messages() as seen:
        leases = store.lease(worker="w", limit=count).leases
    assert len(leases) == count
    assert len(of_the_store(seen)) == 2
    links = [candidate(f"/next/{number}", depth=1, pattern=7, pattern_budget=99) for number in range(30)]
    return [replace(done(lease, links, [document(lease.url)]), links=b"packed") for lease in leases]


@pytest.mark.parametrize("count", [1, 40])
def test_a_lease_is_two_messages_and_so_is_a_commit(store: SqlCrawlStore, count: int) -> None:
    outcomes = outcomes_of(store, count)
    with messages() as seen:
        progress = store.commit(worker="w", outcomes=outcomes, log=[Line("info", "All of them.")])
    assert progress.statistics.pages == count
    assert progress.statistics.documents == count
    assert len(of_the_store(seen)) == 2


def test_a_lease_over_many_hosts_is_two_messages_too(store: SqlCrawlStore) -> None:
    store.plant([candidate(f"https://host{host}.example/{page}") for host in range(20) for page in range(5)])
    with messages() as seen:
        assert len(store.lease(worker="w", limit=50).leases) == 50
    assert len(of_the_store(seen)) == 2


def test_what_is_counted_has_the_end_of_each_transaction(store: SqlCrawlStore) -> None:
    metered = MeteredStore(store)
    store.plant([candidate("/")])
    with messages() as seen:
        metered.lease(worker="w", limit=1)
    assert metered.frontier_queries == len(of_the_store(seen)) + COMMIT
    assert metered.round_trips >= metered.frontier_queries


def delete_and_fail(store: SqlCrawlStore) -> None:
    with one_transaction() as cursor:
        cursor.execute("DELETE FROM runners_crawlurl WHERE runner_id = %s", [store.runner.pk])
        assert connection.connection.info.transaction_status == TransactionStatus.INTRANS
        raise RuntimeError("in the middle")


def update_and_fail(rows: list[list[Any]]) -> None:
    with one_transaction() as cursor:
        cursor.executemany("UPDATE runners_crawlurl SET worker = %s WHERE runner_id = %s", rows)
        raise RuntimeError("in the middle")


@pytest.mark.django_db(transaction=True)
def test_a_transaction_begins_with_its_first_message_and_what_fails_in_it_leaves_nothing(store: SqlCrawlStore) -> None:
    with messages() as seen:
        store.plant([candidate("/a")])
    assert seen[0].startswith("BEGIN;")
    assert len(seen) == 3  # a host that is new costs one more
    with pytest.raises(RuntimeError, match="in the middle"):
        delete_and_fail(store)
    assert CrawlUrl.objects.filter(runner=store.runner).count() == 1
    with pytest.raises(StoreError), one_transaction() as cursor:
        cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
    assert len(store.lease(worker="w", limit=5).leases) == 1
    assert connection.get_autocommit()


@pytest.mark.django_db(transaction=True)
def test_a_transaction_that_asks_nothing_first_and_then_many_times_is_one_too(store: SqlCrawlStore) -> None:
    store.plant([candidate("/a"), candidate("/b")])
    rows = [[name, store.runner.pk] for name in ("one", "two")]
    with pytest.raises(RuntimeError, match="in the middle"):
        update_and_fail(rows)
    assert set(CrawlUrl.objects.filter(runner=store.runner).values_list("worker", flat=True)) == {""}


def test_a_page_whose_wait_ends_between_two_statements_makes_no_other_leased_twice(
    store: SqlCrawlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second look into a host's queue is a moment later than the first."""
    store.plant([candidate(f"/{number}", priority=0.5) for number in range(9)])
    store.plant([candidate(f"https://host{host}.example/") for host in range(9)])
    waiting = CrawlUrl.objects.filter(runner=store.runner, url="https://site.example/8")
    waiting.update(available_at=6.5, rank=-1.0)
    with connection.cursor() as cursor:  # a clock that ticks with every look: the seventh is after all that is read
        cursor.execute("CREATE TEMPORARY SEQUENCE ticks")
    monkeypatch.setattr(crawl_store, "moment_of", lambda *_: Moment("(SELECT nextval('ticks')::float8)"))
    leases = store.lease(worker="w", limit=8).leases
    with connection.cursor() as cursor:
        cursor.execute("SELECT last_value FROM ticks")
        assert cursor.fetchone() == (7,)
    assert len({lease.url for lease in leases}) == len(leases) == 8
    assert store.statistics().leased == CrawlUrl.objects.filter(runner=store.runner, state=UrlState.LEASED).count()
