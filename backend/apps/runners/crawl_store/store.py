"""The crawl store of one runner on SQL."""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from django.db.backends.utils import CursorWrapper

from backend.apps.runners.crawl_store.committing import Committing
from backend.apps.runners.crawl_store.earlier import EarlierRun, LinkJudge, earlier_run
from backend.apps.runners.crawl_store.hosts import HostBook
from backend.apps.runners.crawl_store.leasing import Leasing
from backend.apps.runners.crawl_store.letters import letter_to
from backend.apps.runners.crawl_store.retrying import retry_failed
from backend.apps.runners.crawl_store.returning import fail_leased, release_leases
from backend.apps.runners.crawl_store.sql import UNSTORABLE, Clock, database_clock, moment_of, one_transaction
from backend.apps.runners.crawl_store.state import LockedState, lock_state, save_state
from backend.apps.runners.models import CrawlState, Runner
from crawler_node.contracts import (
    Candidate,
    HostFacts,
    LeaseBatch,
    LogLine,
    Outcome,
    Progress,
    Statistics,
    StopReason,
    Wish,
)
from crawler_node.engine.outcomes import unstorable
from crawler_node.frontier import FrontierOptions
from crawler_node.robots.book import MAX_HOSTS

# What a worker was told of a host is forgotten before the worker forgets it, the oldest first: then it is told again.
MOST_TOLD = MAX_HOSTS - 500


class SqlCrawlStore:
    """`CrawlControl` on the database, on its clock unless another is given.

    One instance a worker: it remembers what that worker was told of hosts.
    """

    def __init__(
        self,
        runner: Runner,
        options: FrontierOptions,
        *,
        clock: Clock | None = None,
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
        self._links = LinkJudge(options)

    # --- the worker's side

    def lease(self, *, worker: str, limit: int) -> LeaseBatch:
        with one_transaction() as cursor:
            leasing = Leasing(
                cursor,
                self._runner_id,
                self._options,
                worker=worker,
                moment=moment_of(self._clock, cursor),
                chance=self._chance,
            )
            batch = leasing.run(limit)
        return self._with_news(batch, leasing.hosts, leasing.now)

    def commit(self, *, worker: str, outcomes: Sequence[Outcome], log: Sequence[LogLine] = ()) -> Progress:  # noqa: ARG002
        try:
            return self._commit(outcomes, log)
        except UNSTORABLE:
            return self._commit_each(outcomes, log)

    def _commit(self, outcomes: Sequence[Outcome], log: Sequence[LogLine]) -> Progress:
        with one_transaction() as cursor:
            committing = self._committing(cursor)
            progress = committing.commit(outcomes, log)
        taught = {outcome.lease.host for outcome in outcomes if _has_taught(outcome.host)}
        self._told |= {host.host: host.news for host in committing.hosts if host.host in taught}
        return progress

    def _commit_each(self, outcomes: Sequence[Outcome], log: Sequence[LogLine]) -> Progress:
        """One by one: a page with something that no column takes costs that page, not the batch it came with."""
        progress = self._commit((), log)
        accepted: set[int] = set()
        for outcome in outcomes:
            try:
                progress = self._commit([outcome], ())
            except UNSTORABLE as error:
                given_up = unstorable(outcome.lease, error)
                line = LogLine("error", given_up.page.sentence, outcome.lease.url)
                progress = self._commit([given_up], [line])
            accepted |= progress.accepted
        return replace(progress, accepted=frozenset(accepted))

    # --- the supervisor's side

    def plant(self, candidates: Sequence[Candidate]) -> int:
        with one_transaction() as cursor:
            return self._committing(cursor).plant(candidates)

    def wish(self, wish: Wish) -> None:
        with self._locked() as (state, cursor):
            state.set_wish(wish, self._now(cursor))

    def release(self, *, worker: str) -> int:
        with self._locked() as (state, cursor):
            hosts = HostBook(cursor, self._runner_id)
            now = self._now(cursor)
            return release_leases(cursor, state, self._options, hosts, worker=worker, now=now)

    def fail_page(self, *, worker: str, url: str, sentence: str) -> bool:
        """The page that held the worker fails for good, its others are queued; False when it has no such page."""
        with self._locked() as (state, cursor):
            return fail_leased(cursor, state, worker=worker, url=url, sentence=sentence, now=self._now(cursor))

    def retry_failed(self) -> int:
        with self._locked() as (state, cursor):
            return retry_failed(cursor, state, self._options)

    def stop(self) -> StopReason | None:
        """Why the next worker would be sent away at once, None when it would not."""
        with self._locked() as (state, cursor):
            return state.stop(self._options, self._now(cursor))

    def statistics(self) -> Statistics:
        with self._locked() as (state, _):
            return state.statistics

    # --- parts

    @contextmanager
    def _locked(self) -> Iterator[tuple[LockedState, CursorWrapper]]:
        """The runner's state, for us alone, and written back."""
        with one_transaction() as cursor:
            state = lock_state(cursor, self._runner_id)
            yield state, cursor
            with letter_to(cursor) as letter:
                save_state(letter, state)

    def _now(self, cursor: CursorWrapper) -> float:
        return database_clock(cursor) if self._clock is None else self._clock(cursor)

    def _committing(self, cursor: CursorWrapper) -> Committing:
        return Committing(
            cursor,
            self.runner,
            self._options,
            moment=moment_of(self._clock, cursor),
            is_first_run=self._is_first_run,
            earlier=EarlierRun(cursor, self._earlier_run, self._links, this_run=self._runner_id),
        )

    def _with_news(self, batch: LeaseBatch, hosts: HostBook, now: float) -> LeaseBatch:
        """What this worker was not told yet about the hosts it is sent to."""
        robots, cookies = {}, {}
        for name in {lease.host for lease in batch.leases}:
            host = hosts.by_name(name)
            if self._told.get(name) == host.news:
                continue
            self._told.pop(name, None)
            self._told[name] = host.news
            if (record := host.robots(now)) is not None:
                robots[name] = record
            if host.cookies:
                cookies[name] = host.cookies
        for name in list(self._told)[: max(len(self._told) - MOST_TOLD, 0)]:
            del self._told[name]
        return replace(batch, robots=robots, cookies=cookies) if robots or cookies else batch


def release_leases_of(runner: Runner, *, worker: str) -> int:
    """Queue again what a dead worker held, at once instead of at expiry."""
    return SqlCrawlStore(runner, FrontierOptions()).release(worker=worker)


def fail_page(runner: Runner, *, worker: str, url: str, sentence: str) -> bool:
    """A page that held its worker for too long fails for good; what else a dead worker held is queued again.

    Nobody suspects the others: what the worker died of is known. False, and nothing happens, when it has no such page.
    """
    return SqlCrawlStore(runner, FrontierOptions()).fail_page(worker=worker, url=url, sentence=sentence)


def _has_taught(facts: HostFacts | None) -> bool:
    """Whether the worker has just learnt something of a host that need not be told to it."""
    return facts is not None and (facts.robots is not None or facts.cookies is not None)
