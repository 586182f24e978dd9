"""The crawl store of one runner on SQL."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from django.db.backends.utils import CursorWrapper

from backend.apps.runners.crawl_store.committing import Committing
from backend.apps.runners.crawl_store.documents import DocumentDesk
from backend.apps.runners.crawl_store.earlier import EarlierRun, earlier_run
from backend.apps.runners.crawl_store.hosts import HostBook
from backend.apps.runners.crawl_store.leasing import Leasing
from backend.apps.runners.crawl_store.pages import PageDesk, sums_of, write_log, write_minute
from backend.apps.runners.crawl_store.returning import fail_leased, release_leases
from backend.apps.runners.crawl_store.sql import Clock, database_clock, one_transaction
from backend.apps.runners.crawl_store.state import LockedState, lock_state, save_state
from backend.apps.runners.models import CrawlState, Runner, UrlState
from crawler_node.contracts import Candidate, LeaseBatch, LogLine, Outcome, Progress, Statistics, Wish
from crawler_node.frontier import FrontierOptions


class SqlCrawlStore:
    """`CrawlControl` on the database. One instance a worker: it remembers what that worker was told of hosts."""

    def __init__(
        self,
        runner: Runner,
        options: FrontierOptions,
        *,
        clock: Clock = database_clock,
        chance: Callable[[], float] | None = None,
    ) -> None:
        self.runner = runner
        self._runner_id: int = runner.pk
        self._options = options
        self._clock = clock
        self._chance = chance or random.SystemRandom().random
        self._told: dict[str, int] = {}
        CrawlState.objects.get_or_create(runner=runner)
        earlier = Runner.objects.filter(crawler_id=runner.crawler_id, number__lt=runner.number)
        self._is_first_run = not earlier.exists()
        self._earlier_run = None if self._is_first_run else earlier_run(runner)

    # --- the worker's side

    def lease(self, *, worker: str, limit: int) -> LeaseBatch:
        with one_transaction() as cursor:
            state, now = self._begin(cursor)
            leasing = Leasing(cursor, state, self._options, worker=worker, now=now, chance=self._chance)
            batch = leasing.run(limit)
            save_state(cursor, state)
        return self._with_news(batch, leasing.hosts, now)

    def commit(self, *, worker: str, outcomes: Sequence[Outcome], log: Sequence[LogLine] = ()) -> Progress:  # noqa: ARG002
        with one_transaction() as cursor:
            state, now = self._begin(cursor)
            before = sums_of(state.statistics)
            committing = self._committing(cursor, state, now)
            accepted = committing.commit(outcomes)
            write_log(cursor, self._runner_id, [*log, *committing.log], now=now)
            write_minute(cursor, self._runner_id, before, state.statistics, now=now)
            save_state(cursor, state)
        self._told |= {host.host: host.news for host in committing.hosts if _was_visited(host.host, outcomes)}
        return Progress(state.statistics, accepted, state.stop(self._options, now))

    # --- the supervisor's side

    def plant(self, candidates: Sequence[Candidate]) -> int:
        with one_transaction() as cursor:
            state, now = self._begin(cursor)
            new = self._committing(cursor, state, now).plant(candidates)
            save_state(cursor, state)
        return new

    def wish(self, wish: Wish) -> None:
        with one_transaction() as cursor:
            state, now = self._begin(cursor)
            state.set_wish(wish, now)
            save_state(cursor, state)

    def release(self, *, worker: str) -> int:
        with one_transaction() as cursor:
            state, _ = self._begin(cursor)
            hosts = HostBook(cursor, self._runner_id)
            count = release_leases(cursor, state, self._options, hosts, worker=worker)
            save_state(cursor, state)
        return count

    def retry_failed(self) -> int:
        with one_transaction() as cursor:
            state, _ = self._begin(cursor)
            count = self._requeue_failed(cursor)
            state.statistics.failed -= count
            state.statistics.queued += count
            save_state(cursor, state)
        return count

    def statistics(self) -> Statistics:
        with one_transaction() as cursor:
            return self._begin(cursor)[0].statistics

    # --- parts

    def _begin(self, cursor: CursorWrapper) -> tuple[LockedState, float]:
        """Lock first, then look at the clock: who waited for the lock must not act in the past."""
        state = lock_state(cursor, self._runner_id)
        return state, self._clock(cursor)

    def _committing(self, cursor: CursorWrapper, state: LockedState, now: float) -> Committing:
        documents = DocumentDesk(
            cursor,
            crawler_id=self.runner.crawler_id,
            project_id=self.runner.crawler.project_id,
            runner_id=self._runner_id,
            now=now,
            is_first_run=self._is_first_run,
        )
        pages = PageDesk(cursor, self._runner_id, now=now)
        return Committing(
            cursor,
            state,
            self._options,
            now=now,
            documents=documents,
            pages=pages,
            earlier=EarlierRun(cursor, self._earlier_run),
        )

    def _requeue_failed(self, cursor: CursorWrapper) -> int:
        failed = f"runner_id = %s AND state = {UrlState.FAILED.value}"
        cursor.execute(
            f"UPDATE runners_crawlhost SET queued = queued + (SELECT count(*) FROM runners_crawlurl AS u"  # noqa: S608
            f" WHERE u.host_id = runners_crawlhost.id AND u.{failed}) WHERE runner_id = %s",
            [self._runner_id, self._runner_id],
        )
        cursor.execute(
            f"UPDATE runners_crawlurl SET state = {UrlState.QUEUED.value}, attempt = 0, broken = 0, available_at = 0"  # noqa: S608
            f" WHERE {failed}",
            [self._runner_id],
        )
        return int(cursor.rowcount)

    def _with_news(self, batch: LeaseBatch, hosts: HostBook, now: float) -> LeaseBatch:
        """What this worker was not told yet about the hosts it is sent to."""
        robots, cookies = {}, {}
        for name in {lease.host for lease in batch.leases}:
            host = hosts.by_name(name)
            if self._told.get(name) == host.news:
                continue
            self._told[name] = host.news
            if (record := host.robots(now)) is not None:
                robots[name] = record
            if host.cookies:
                cookies[name] = host.cookies
        return replace(batch, robots=robots, cookies=cookies) if robots or cookies else batch


def release_leases_of(runner: Runner, *, worker: str) -> int:
    """Queue again what a dead worker held, at once instead of at expiry."""
    return SqlCrawlStore(runner, FrontierOptions()).release(worker=worker)


def fail_page(runner: Runner, *, url: str, sentence: str) -> bool:
    """A page that held its worker for too long fails for good; False when nobody holds it any more."""
    store = SqlCrawlStore(runner, FrontierOptions())
    with one_transaction() as cursor:
        state, now = store._begin(cursor)
        is_failed = fail_leased(cursor, state, url=url, sentence=sentence, now=now)
        if is_failed:
            write_log(cursor, runner.pk, [LogLine("error", sentence, url)], now=now)
        save_state(cursor, state)
    return is_failed


def _was_visited(host: str, outcomes: Sequence[Outcome]) -> bool:
    """A worker knows itself what it has just learnt of a host."""
    return any(outcome.lease.host == host for outcome in outcomes)
