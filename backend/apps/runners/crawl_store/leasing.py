"""`lease`: who may be asked next, and when."""

from collections.abc import Callable, Iterator
from heapq import heapify, heappop, heappush

from django.db.backends.utils import CursorWrapper

from backend.apps.runners.crawl_store.hosts import HostBook, HostRow
from backend.apps.runners.crawl_store.returning import expire_leases
from backend.apps.runners.crawl_store.state import LockedState
from backend.apps.runners.crawl_store.urls import SELECT, UrlRow, save_rows, url_row
from backend.apps.runners.models import UrlState
from crawler_node.contracts import Lease, LeaseBatch, StopReason, TargetKind, Wish
from crawler_node.frontier import FrontierOptions
from crawler_node.politeness.pace import HORIZON_SECONDS

IDLE_SECONDS = 0.5
QUEUE = (
    f"{SELECT} WHERE host_id = %s AND state = {UrlState.QUEUED.value} AND available_at <= %s ORDER BY rank, id LIMIT %s"
)


class Leasing:
    """One call of `lease`, inside its transaction."""

    def __init__(
        self,
        cursor: CursorWrapper,
        state: LockedState,
        options: FrontierOptions,
        *,
        worker: str,
        now: float,
        chance: Callable[[], float],
    ) -> None:
        self._cursor = cursor
        self._state = state
        self._options = options
        self._worker = worker
        self._now = now
        self._chance = chance
        self.hosts = HostBook(cursor, state.runner_id)

    def run(self, limit: int) -> LeaseBatch:
        state = self._state
        if state.wish is Wish.RUN and state.running_since is None:
            state.running_since = self._now
        expire_leases(self._cursor, state, self._options, self.hosts, now=self._now)
        stop = state.stop(self._options, self._now)
        if stop is not None:
            return LeaseBatch((), stop=stop)
        leases = self._take(self._quota(limit))
        self.hosts.save()
        if leases:
            return LeaseBatch(leases)
        if state.statistics.leased == 0 and state.statistics.queued == 0:
            return LeaseBatch((), stop=StopReason.EXHAUSTED)
        return LeaseBatch((), retry_after_seconds=self._next_chance())

    def _quota(self, limit: int) -> int:
        """How many leases may go out without the chance of a page too many."""
        if self._options.max_pages is None:
            return limit
        counts = self._state.statistics
        return min(limit, self._options.max_pages - counts.pages - counts.leased)

    def _take(self, limit: int) -> tuple[Lease, ...]:
        """The host whose slot comes first goes first; among equals, the one with the best URL."""
        if limit <= 0:
            return ()
        held = self._held_by_others()
        hosts = [host for host in self.hosts.load_ready(self._now, 2 * limit) if not self._is_taken(host, held)]
        queues = {host.id: self._queue(host, limit) for host in hosts}
        ready = [entry for host_id in queues if (entry := self._entry(host_id, queues))]
        heapify(ready)
        taken: list[tuple[Lease, UrlRow]] = []
        while ready and len(taken) < limit:
            _, _, _, host_id, row = heappop(ready)
            host = self.hosts.by_id(host_id)
            taken.append((self._grant(host, row), row))
            if host.may_be_asked(self._now) and (entry := self._entry(host_id, queues)):
                heappush(ready, entry)
        save_rows(self._cursor, [row for _, row in taken])
        return tuple(sorted((lease for lease, _ in taken), key=lambda lease: lease.wait_seconds))

    def _held_by_others(self) -> set[int]:
        """The hosts of which another worker has leases."""
        self._cursor.execute(
            f"SELECT DISTINCT host_id FROM runners_crawlurl WHERE runner_id = %s AND state = {UrlState.LEASED.value}"  # noqa: S608
            " AND worker <> %s",
            [self._state.runner_id, self._worker],
        )
        return {row[0] for row in self._cursor.fetchall()}

    def _is_taken(self, host: HostRow, held: set[int]) -> bool:
        """A host that wants a gap is one worker's at a time: only one that sends all its requests can keep the gap."""
        return host.id in held and host.pace.gap_seconds(self._options.pace) > 0

    def _queue(self, host: HostRow, limit: int) -> Iterator[UrlRow]:
        """The host's best URLs that need not wait for a retry; a host that must be asked for its rules gives one."""
        asks = self._options.respect_robots and host.must_ask_robots(self._now)
        self._cursor.execute(QUEUE, [host.id, self._now, 1 if asks else limit])
        return iter([url_row(row) for row in self._cursor.fetchall()])

    def _entry(self, host_id: int, queues: dict[int, Iterator[UrlRow]]) -> tuple[float, float, int, int, UrlRow] | None:
        row = next(queues[host_id], None)
        if row is None:
            return None
        slot = max(self.hosts.by_id(host_id).pace.next_slot, self._now)
        return slot, row.rank, row.id, host_id, row

    def _grant(self, host: HostRow, row: UrlRow) -> Lease:
        asks = self._options.respect_robots and host.must_ask_robots(self._now)
        gap, requests = host.pace.gap_seconds(self._options.pace), 2 if asks else 1
        host.pace.hand_over(gap, now=self._now, is_new_owner=host.owner not in ("", self._worker))
        host.owner = self._worker
        slot = host.pace.reserve(self._options.pace, now=self._now, chance=self._chance(), requests=requests)
        slot = self._now if slot is None else slot
        row.expires_at = slot + requests * (self._options.page_deadline_seconds + gap)
        row.state, row.worker, row.fence = UrlState.LEASED, self._worker, self._state.next_fence()
        row.attempt += 1
        host.asking_until = row.expires_at if asks else host.asking_until
        host.queued -= 1
        host.is_changed = True
        self._state.statistics.queued -= 1
        self._state.statistics.leased += 1
        return Lease(
            url=row.url,
            key=row.key,
            host=host.host,
            depth=row.depth,
            attempt=row.attempt,
            wait_seconds=slot - self._now,
            fence=row.fence,
            kind=TargetKind(row.kind),
            hops=row.hops,
            delay_seconds=gap,
            asks_robots=asks,
            etag=row.etag,
            last_modified=row.last_modified,
        )

    def _next_chance(self) -> float:
        """How long nothing can be leased."""
        runner_id, now = self._state.runner_id, self._now
        self._cursor.execute(
            "SELECT min(expires_at) FROM runners_crawlurl WHERE runner_id = %s AND state = 1", [runner_id]
        )
        first_expiry = self._cursor.fetchone()[0]
        moments = [] if first_expiry is None else [first_expiry]
        self._cursor.execute(
            "SELECT host_id, count(*), min(available_at) FROM runners_crawlurl"
            " WHERE runner_id = %s AND state = 0 AND available_at > 0.0 AND available_at > %s GROUP BY host_id",
            [runner_id, now],
        )
        retries = {host_id: (count, first) for host_id, count, first in self._cursor.fetchall()}
        for host in self.hosts.load_waiting():
            count, first = retries.get(host.id, (0, 0.0))
            available = first if count >= host.queued else 0.0
            moments.append(max(host.pace.next_slot - HORIZON_SECONDS, host.asking_until, available))
        wait = max(min(moments, default=now) - now, 0.05)
        return min(wait, IDLE_SECONDS) if self._state.statistics.leased else wait
