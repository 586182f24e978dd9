"""One worker: leases ahead, fetches when slots come, commits in batches, and leaves nothing behind when it stops."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import ceil
from typing import TypeVar

from crawler_node.contracts import (
    CrawlStore,
    Failure,
    Lease,
    LeaseBatch,
    LogLine,
    Outcome,
    Progress,
    Statistics,
    StopReason,
)
from crawler_node.engine.browsing import Browsing
from crawler_node.engine.gate import HostGate
from crawler_node.engine.journal import Journal
from crawler_node.engine.outcomes import broken, give_back, may_bring_work
from crawler_node.engine.pages import Lane, PageWork
from crawler_node.engine.seen import SeenFilter
from crawler_node.engine.shelf import Appetite, Patience, Shelf
from crawler_node.errors import BrowserBusyError, StoreError
from crawler_node.reasons import Refusal
from crawler_node.robots import RobotsBook

_T = TypeVar("_T")
_STORE_TRIES = 6
_FIRST_STORE_WAIT_SECONDS = 0.2
# What a candidate takes, about: pages that list thousands are not collected by the hundred.
_CANDIDATE_BYTES = 500
# Leases of a host that closed for longer than this are given back: someone may use them later.
_HOLD_SECONDS = 5.0
# A lease that could not be begun for so long is given back: it would expire here while somebody else has time for it.
_LATE_SECONDS = 20.0
# Ends that what a worker still has in hand may prevent.
_WHEN_IDLE = frozenset({StopReason.EXHAUSTED, StopReason.ASKED_TO_WAIT})


@dataclass(frozen=True, slots=True)
class WorkerOptions:
    """`threads` pages are worked on at once.

    Outcomes are committed when `batch_size` of them or `batch_bytes` are there, when the first is `batch_seconds` old,
    or, where the worker has hardly anything left to do, `starving_seconds`: their links may be all there is to go on.
    A lease is of `lease_size` URLs, or as many as were used up in the last `lease_seconds`, at most `batch_size`.
    """

    threads: int = 8
    batch_size: int = 200
    batch_bytes: int = 16_000_000
    batch_seconds: float = 1.5
    starving_seconds: float = 0.1
    lease_size: int = 50
    lease_seconds: float = 4.0
    grace_seconds: float = 10.0


@dataclass(frozen=True, slots=True)
class WorkerReport:
    """How a worker ended: why, and the runner's counts at that moment.

    `sentence` is what a person is needed for, or why the runner waits: for so many seconds.
    """

    stop: StopReason
    statistics: Statistics
    pages: int = 0
    sentence: str = ""
    wait_seconds: float | None = None


def _asked_to_wait(batch: LeaseBatch) -> str:
    """For how long nothing may be asked for; '' when the runner stops for something else."""
    if batch.stop is not StopReason.ASKED_TO_WAIT:
        return ""
    minutes = ceil((batch.retry_after_seconds or 0.0) / 60)
    return f"The server asks us to wait {minutes:,} min before the next page. The run goes on by itself then."


class Worker:
    """Works on one runner until it ends or `stop` is called.

    A worker that is killed loses nothing but its leases, which expire. The store is called from one thread of its own,
    so a slow disk never holds up the network; `close_store` is called last in that thread.
    """

    def __init__(
        self,
        *,
        name: str,
        store: CrawlStore,
        pages: PageWork,
        lane: Lane,
        robots: RobotsBook,
        seen: SeenFilter,
        gate: HostGate,
        options: WorkerOptions | None = None,
        on_progress: Callable[[Progress], None] | None = None,
        close_store: Callable[[], None] | None = None,
    ) -> None:
        self._name = name
        self._store = store
        self._pages = pages
        self._lane = lane
        self._robots = robots
        self._seen = seen
        self._gate = gate
        self._options = options or WorkerOptions()
        self._on_progress = on_progress
        self._close_store = close_store
        self._journal = Journal()
        self._shelf = Shelf()
        self._tasks: dict[asyncio.Task[None], Lease] = {}
        self._browsing = Browsing(lane, pages, self._shelf)
        self._buffer: list[Outcome] = []
        self._buffer_since = 0.0
        self._buffer_bytes = 0
        self._stop: StopReason | None = None
        self._wake = asyncio.Event()
        self._statistics = Statistics()
        self._lease_at = 0.0
        self._appetite = Appetite()
        self._patience = Patience()
        self._commit_task: asyncio.Task[None] | None = None
        self._lease_task: asyncio.Task[None] | None = None
        self._fault: BaseException | None = None
        self._page_count = 0
        self._sentence = ""
        self._wait_seconds: float | None = None

    def stop(self, reason: StopReason = StopReason.STOPPED) -> None:
        """End soon: pages in work are finished within the grace, unused leases given back. Safe to call twice."""
        self._stop = self._stop or reason
        self._wake.set()

    @property
    def urls_in_work(self) -> list[str]:
        """The addresses of the pages that are worked on at this moment."""
        return [lease.url for lease in list(self._tasks.values())]

    @property
    def is_stopping(self) -> bool:
        return self._stop is not None

    async def run(self) -> WorkerReport:
        """Work until the runner ends; raises StoreError when the store stays away."""
        with ThreadPoolExecutor(1, thread_name_prefix="crawl-store") as executor:
            self._executor = executor
            try:
                while self._stop is None and self._fault is None:
                    self._turn()
                    await self._rest()
            finally:
                await self._wind_up()
                if self._close_store is not None:
                    await asyncio.get_running_loop().run_in_executor(executor, self._close_store)
        if self._fault is not None:
            raise self._fault
        stop = self._stop or StopReason.STOPPED
        return WorkerReport(stop, self._statistics, self._page_count, self._sentence, self._wait_seconds)

    def note(self, line: LogLine) -> None:
        """Put a line into the runner's log with the next commit."""
        self._journal.add(line)

    # --- the loop

    def _turn(self) -> None:
        """Start whatever can start now."""
        self._wake.clear()
        now = time.monotonic()
        self._dispatch(now)
        if self._wants_leases(now):
            self._lease_task = asyncio.create_task(self._guard(self._lease()))
        if self._wants_commit(now):
            self._commit_task = asyncio.create_task(self._guard(self._commit()))

    async def _rest(self) -> None:
        """Sleep until something happens or the next moment comes."""
        now = time.monotonic()
        moments = [now + 1.0]
        if self._shelf.heap and len(self._tasks) < self._options.threads and not self._is_choked():
            moments.append(self._shelf.heap[0][0])
        if self._buffer and self._commit_task is None:
            moments.append(self._buffer_since + self._patience_seconds)
        if self._lease_task is None and len(self._shelf) < self._low_water:
            moments.append(self._lease_at)
        timeout = min(moments) - now
        if timeout > 0 and not self._wake.is_set():
            try:
                async with asyncio.timeout(timeout):
                    await self._wake.wait()
            except TimeoutError:
                return
        else:
            await asyncio.sleep(0)

    async def _guard(self, work: Awaitable[None]) -> None:
        """Run a background step; a fault ends the worker instead of vanishing."""
        try:
            await work
        except BaseException as error:  # noqa: BLE001 - kept and raised by run()
            self._fault = self._fault or error
        finally:
            self._wake.set()

    # --- pages

    def _dispatch(self, now: float) -> None:
        shelf, threads = self._shelf, self._options.threads
        while shelf.heap and shelf.heap[0][0] <= now and len(self._tasks) < threads and not self._is_choked():
            lease = shelf.pop()
            free_at = self._gate.free_at(lease.host)
            if shelf.lateness(lease, now) > _LATE_SECONDS:
                self._give_back(lease)
            elif free_at > now:
                shelf.put(lease, free_at)
            elif self._gate.is_full(lease.host):
                shelf.park(lease)
            elif not self._browsing.park(lease):
                self._start(lease)

    def _is_choked(self) -> bool:
        """Whether so much waits for the store that fetching more would only fill memory."""
        return len(self._buffer) >= 2 * self._options.batch_size or self._buffer_bytes >= 2 * self._options.batch_bytes

    def _give_back(self, lease: Lease) -> None:
        self._shelf.let_go(lease)
        self._keep(give_back(lease))

    def _start(self, lease: Lease) -> None:
        self._shelf.let_go(lease)
        self._gate.enter(lease.host, gap_seconds=lease.delay_seconds, browser=self._browsing.begin(lease))
        task = asyncio.create_task(self._work(lease))
        self._tasks[task] = lease
        task.add_done_callback(self._finished)

    async def _work(self, lease: Lease) -> None:
        try:
            outcome = await self._pages.work(lease)
        except BrowserBusyError:
            outcome = give_back(lease)
        except Exception as error:  # noqa: BLE001 - our own bug costs one page, not the runner
            outcome = broken(lease, error)
        if outcome.host is not None and (outcome.host.retry_after_seconds or outcome.host.is_overloaded):
            self._close_host(lease.host, outcome.host.retry_after_seconds or lease.delay_seconds)
        self._journal.note(outcome)
        self._keep(outcome)
        if outcome.page.failure is Failure.WALL:
            self._sentence = outcome.page.sentence
            self.stop(StopReason.PERSON)

    def _finished(self, task: "asyncio.Task[None]") -> None:
        lease = self._tasks.pop(task)
        self._gate.leave(lease.host, fence=lease.fence, gap_seconds=lease.delay_seconds)
        self._shelf.unpark(lease.host, 0.0)
        self._browsing.end(lease)
        if task.cancelled():
            self._keep(give_back(lease))
        elif (error := task.exception()) is not None:
            self._fault = self._fault or error
        self._wake.set()

    def _keep(self, outcome: Outcome) -> None:
        if not self._buffer:
            self._buffer_since = time.monotonic()
        self._buffer.append(outcome)
        self._buffer_bytes += len(outcome.page.raw) + len(outcome.links) + _CANDIDATE_BYTES * len(outcome.candidates)

    def _close_host(self, host: str, seconds: float) -> None:
        self._gate.close(host, seconds=seconds)
        if seconds > _HOLD_SECONDS:
            for lease in self._shelf.take(lambda lease: lease.host == host):
                self._keep(give_back(lease))

    # --- leasing

    @property
    def _low_water(self) -> int:
        return max(self._options.threads, self._appetite.low_water)

    def _wants_leases(self, now: float) -> bool:
        return self._lease_task is None and now >= self._lease_at and len(self._shelf) < self._low_water

    async def _lease(self) -> None:
        options, now = self._options, time.monotonic()
        least = max(3 * options.threads, options.lease_size)
        wanted = self._appetite.wanted(shelf=len(self._shelf), now=now, seconds=options.lease_seconds)
        limit = max(least, min(wanted, options.batch_size)) - len(self._shelf)
        try:
            batch = await self._call(lambda: self._store.lease(worker=self._name, limit=limit))
        finally:
            self._lease_task = None
        self._learn(batch)
        now = time.monotonic()
        for lease in batch.leases:
            self._shelf.put(lease, now + lease.wait_seconds)
        self._appetite.feed(len(batch.leases), shelf=len(self._shelf), now=now)
        is_busy = bool(self._tasks or self._buffer or len(self._shelf))
        if batch.stop in _WHEN_IDLE and is_busy:
            self._lease_at = now + 0.05
        elif batch.stop is not None:
            self._sentence = self._sentence or _asked_to_wait(batch)
            self._wait_seconds = batch.retry_after_seconds
            self.stop(batch.stop)
        elif not batch.leases:
            self._lease_at = now + self._patience.wait_seconds(batch)
        else:
            self._patience.reset()

    def _learn(self, batch: LeaseBatch) -> None:
        for host, record in batch.robots.items():
            self._robots.learn(host, record)
        for text in batch.cookies.values():
            self._lane.cookies.learn(text)

    # --- committing

    def _wants_commit(self, now: float) -> bool:
        if self._commit_task is not None or not (self._buffer or self._journal):
            return False
        is_idle = not self._tasks and not self._shelf.heap
        is_due = now >= self._buffer_since + self._patience_seconds
        is_full = len(self._buffer) >= self._options.batch_size or self._buffer_bytes >= self._options.batch_bytes
        return is_full or is_due or is_idle

    @property
    def _patience_seconds(self) -> float:
        """How old an outcome may get here: others wait for its links the more, the less there is to do."""
        has_room = len(self._tasks) < self._options.threads
        is_starving = has_room and not self._shelf.heap and self._lease_task is None
        return self._options.starving_seconds if is_starving else self._options.batch_seconds

    async def _commit(self) -> None:
        try:
            await self._commit_once()
        finally:
            self._commit_task = None

    async def _commit_once(self) -> None:
        outcomes, self._buffer, self._buffer_bytes = self._buffer, [], 0
        lines = self._journal.take()
        progress = await self._call(lambda: self._store.commit(worker=self._name, outcomes=outcomes, log=lines))
        self._statistics = progress.statistics
        self._page_count += len(progress.accepted)
        if not len(self._shelf) or any(map(may_bring_work, outcomes)):
            self._lease_at = 0.0
        self._remember(outcomes, progress)
        if self._on_progress is not None:
            self._on_progress(progress)
        if progress.stop is not None:
            self.stop(progress.stop)

    def _remember(self, outcomes: list[Outcome], progress: Progress) -> None:
        for outcome in outcomes:
            if outcome.lease.fence in progress.accepted:
                for candidate in outcome.candidates:
                    if candidate.refusal is not Refusal.NOFOLLOW and not candidate.retarget:
                        self._seen.add(candidate.key, candidate.depth)

    async def _call(self, ask: Callable[[], _T]) -> _T:
        """Call the store in its thread; a call that failed may be made again, for a commit counts only once."""
        loop = asyncio.get_running_loop()
        wait = _FIRST_STORE_WAIT_SECONDS
        for left in reversed(range(_STORE_TRIES)):
            try:
                return await loop.run_in_executor(self._executor, ask)
            except StoreError as error:
                if not left:
                    raise
                self._journal.add(LogLine("warning", f"The database did not answer, trying again. {error}"))
                await asyncio.sleep(wait)
                wait *= 2
        raise AssertionError("unreachable")

    # --- the end

    def _give_back_all(self) -> None:
        for lease in self._shelf.take(lambda _: True):
            self._keep(give_back(lease))

    async def _wind_up(self) -> None:
        """Finish pages in work, give back what was not begun, and commit it all."""
        self._give_back_all()
        for task in (self._lease_task, self._commit_task):
            if task is not None:
                await asyncio.wait([task])
        self._give_back_all()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=self._options.grace_seconds)
        for task in list(self._tasks):
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)
        await asyncio.sleep(0)
        if self._buffer or self._journal:
            await self._guard(self._commit_once())
