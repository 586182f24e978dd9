"""`lease`: who may be asked next, and when."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from heapq import heapify, heappop, heappush

from django.db.backends.utils import CursorWrapper

from backend.apps.runners.crawl_store.hosts import READY, HostBook, HostRow, ready_parameters
from backend.apps.runners.crawl_store.letters import Letter, Row, letter_to
from backend.apps.runners.crawl_store.retiring import skip_queue
from backend.apps.runners.crawl_store.returning import ask_expired, return_leases
from backend.apps.runners.crawl_store.sql import Moment, is_postgres
from backend.apps.runners.crawl_store.state import ask_for_lock, read_state, save_state
from backend.apps.runners.crawl_store.urls import SELECT, TABLE, TYPES, UrlRow, url_row
from backend.apps.runners.models import UrlState
from crawler_node.contracts import Lease, LeaseBatch, StopReason, TargetKind, Wish
from crawler_node.frontier import FrontierOptions
from crawler_node.frontier.limits import PATIENCE_SECONDS, fair_share
from crawler_node.frontier.suspects import is_suspect
from crawler_node.politeness.pace import HORIZON_SECONDS

SHORTEST_WAIT_SECONDS = 0.05
SPARE = 4  # so many times the URLs that are wanted are looked at: not every host has its share
WIDER = 8  # so many times more hosts are looked at where those that come first have too little
CHANGING = {name: TYPES[name] for name in ("state", "attempt", "fence", "worker", "expires_at")}
HELD = (
    f"SELECT host_id, worker = %s, max(broken) FROM {TABLE}"  # noqa: S608
    f" WHERE runner_id = %s AND state = {UrlState.LEASED.value} GROUP BY 1, 2"
)
OPEN = (
    f"SELECT host_id, count(*) FROM {TABLE} WHERE runner_id = %s AND state = {UrlState.LEASED.value} GROUP BY host_id"  # noqa: S608
)
QUEUE = (
    f"{SELECT} WHERE host_id = {{host}} AND state = {UrlState.QUEUED.value} AND available_at <= {{now}}"
    " ORDER BY rank, id LIMIT {limit} OFFSET %s"
)
QUEUES = (
    "WITH h AS MATERIALIZED (SELECT id FROM runners_crawlhost WHERE {ready})"
    " SELECT u.* FROM h CROSS JOIN LATERAL ({queue}) AS u"
)
SHARE = f"greatest({SPARE}, {SPARE} * %s / (SELECT greatest(count(*), 1) FROM h))"  # noqa: S608


@dataclass(slots=True)
class _Queue:
    """The best URLs of a host, as many as we looked at; `is_cut`: there may be more."""

    rows: list[UrlRow]
    is_cut: bool
    place: int = 0


class Leasing:
    """One call of `lease`, inside its transaction: read, choose, write."""

    def __init__(
        self,
        cursor: CursorWrapper,
        runner_id: int,
        options: FrontierOptions,
        *,
        worker: str,
        moment: Moment,
        chance: Callable[[], float],
    ) -> None:
        self._cursor = cursor
        self._runner_id = runner_id
        self._options = options
        self._worker = worker
        self._moment = moment
        self._chance = chance
        self._taken: list[UrlRow] = []
        self._open: dict[int, int] = {}
        self._withheld: set[int] = set()
        self.hosts = HostBook(cursor, runner_id)
        self.now = 0.0

    def run(self, limit: int) -> LeaseBatch:
        self._read(max(limit, 0))
        batch = self._choose(limit)
        self._write()
        return batch

    # --- reading

    def _read(self, limit: int) -> None:
        """Lock first, then look: who waited for the lock must not act on the past."""
        letter = Letter(self._cursor)
        state = ask_for_lock(letter, self._runner_id)
        expired = ask_expired(letter, self._runner_id, self._moment)
        most = 2 * limit
        self._ask_ready(letter, limit, most)
        self._state = read_state(self._runner_id, state)
        self._state_as_read = repr(self._state)
        if expired:
            return_leases(self._cursor, self._state, self._options, self.hosts, expired, now=self.now)
            self._ask_ready(letter, limit, most)
        while len(self._ready) >= most and self._sees_less_than(limit):
            most *= WIDER
            self._ask_ready(letter, limit, most)

    def _sees_less_than(self, limit: int) -> bool:
        """Whether the hosts that were looked at cannot fill the lease: their pages wait, and may hide others."""
        mine = (self._rows.get(host.id, ()) for host in self._ready if not self._is_taken(host))
        return sum(not is_suspect(row.broken) for rows in mine for row in rows) < limit

    def _ask_ready(self, letter: Letter, limit: int, most: int) -> None:
        held = letter.ask(HELD, [self._worker, self._runner_id])
        has_budget = self._options.pace.max_pages_per_host is not None
        leased = letter.ask(OPEN, [self._runner_id]) if has_budget else []
        ready = self.hosts.ask_ready(letter, self._moment, most)
        queued = self._ask_queues(letter, limit, most) if is_postgres() else None
        clock = letter.ask(f"SELECT {self._moment.sql}", self._moment.parameters)  # the last: no slot is ahead of it
        letter.send()
        self.now = float(clock[0][0])
        self._held = {host_id for host_id, is_own, _ in held if not is_own}
        self._own_breaks = [broken for _, is_own, broken in held if is_own]
        self._open = dict(leased)
        self._ready = self.hosts.read(ready)
        self._share = max(SPARE, SPARE * limit // max(len(ready), 1))
        self._rows = self._rows_of_each() if queued is None else _by_host(queued)

    def _ask_queues(self, letter: Letter, limit: int, most: int) -> list[Row]:
        """The best URLs of every host that is ready, in one statement."""
        now = self._moment
        queue = QUEUE.format(host="h.id", now=now.sql, limit=SHARE)
        parameters = [*ready_parameters(self._runner_id, now, most), *now.parameters, limit, 0]
        return letter.ask(QUEUES.format(ready=READY.format(now=now.sql), queue=queue), parameters)

    def _rows_of_each(self) -> dict[int, list[UrlRow]]:
        return {host.id: self._look(host, self._share, skip=0) for host in self._ready if not self._is_taken(host)}

    def _look(self, host: HostRow, most: int, *, skip: int) -> list[UrlRow]:
        """The host's best URLs that need not wait for a retry."""
        with letter_to(self._cursor) as letter:
            statement = QUEUE.format(host="%s", now="%s", limit="%s")
            rows = letter.ask(statement, [host.id, self.now, most, skip])
        return [url_row(row) for row in rows]

    # --- choosing

    def _choose(self, limit: int) -> LeaseBatch:
        state = self._state
        if state.wish is Wish.RUN:
            state.wall.begin(self.now)
        stop = state.stop(self._options, self.now)
        if stop is not None:
            return self._ended(stop)
        quota = self._quota(limit)
        leases = self._take(quota)
        if leases:
            return LeaseBatch(leases)
        wait = self._next_chance(has_quota=quota > 0)
        if state.statistics.leased == 0 and state.statistics.queued == 0:
            return self._ended(StopReason.EXHAUSTED)
        if state.statistics.leased == 0 and wait > PATIENCE_SECONDS:
            return replace(self._ended(StopReason.ASKED_TO_WAIT), retry_after_seconds=wait)
        is_dry = state.statistics.queued == 0
        return LeaseBatch((), retry_after_seconds=wait, others_work=bool(self._held), is_dry=is_dry)

    def _ended(self, stop: StopReason) -> LeaseBatch:
        """Nothing more, and time does not count any more."""
        self._state.wall.rest(self.now)
        return LeaseBatch((), stop=stop)

    def _quota(self, limit: int) -> int:
        """How many leases may go out without the chance of a page too many."""
        counts = self._state.statistics
        if any(map(is_suspect, self._own_breaks)):
            return 0
        limit = fair_share(limit, counts.queued)
        if self._options.max_pages is None:
            return limit
        return min(limit, self._options.max_pages - counts.pages - counts.leased)

    def _take(self, limit: int) -> tuple[Lease, ...]:
        """The host whose slot comes first goes first; among equals, the one with the best URL. Suspects go alone."""
        if limit <= 0:
            return ()
        queues = {host.id: self._queue(host) for host in self._ready if not self._is_taken(host)}
        ready = [entry for host_id in queues if (entry := self._entry(host_id, queues[host_id], limit))]
        heapify(ready)
        leases: list[Lease] = []
        suspects: list[tuple[HostRow, UrlRow]] = []
        while ready and len(leases) < limit:
            _, _, _, host_id, row = heappop(ready)
            host = self.hosts.by_id(host_id)
            if is_suspect(row.broken):
                suspects.append((host, row))
                continue
            leases.append(self._grant(host, row))
            if host.may_be_asked(self.now) and (entry := self._entry(host_id, queues[host_id], limit)):
                heappush(ready, entry)
        if suspects and not leases and not self._own_breaks:
            return (self._grant(*suspects[0]),)
        self._withheld = {host.id for host, _ in suspects}
        return tuple(sorted(leases, key=lambda lease: lease.wait_seconds))

    def _is_taken(self, host: HostRow) -> bool:
        """A host that wants a gap is one worker's at a time: only one that sends all its requests can keep the gap."""
        return host.id in self._held and host.pace.gap_seconds(self._options.pace) > 0

    def _has_room(self, host: HostRow) -> bool:
        return host.pace.has_room(self._options.pace, leased=self._open.get(host.id, 0))

    def _is_free(self, host: HostRow) -> bool:
        """Whether it does not wait for a page that is out: the last of its budget, another's, or before a suspect."""
        return self._has_room(host) and not self._is_taken(host) and host.id not in self._withheld

    def _queue(self, host: HostRow) -> _Queue:
        """A host that must be asked for its rules gives one URL."""
        rows = self._rows.get(host.id, [])
        if self._options.respect_robots and host.must_ask_robots(self.now):
            return _Queue(rows[:1], is_cut=False)
        return _Queue(rows, is_cut=len(rows) >= self._share)

    def _entry(self, host_id: int, queue: _Queue, limit: int) -> tuple[float, float, int, int, UrlRow] | None:
        host = self.hosts.by_id(host_id)
        if not self._has_room(host):
            return None
        if queue.place == len(queue.rows) and queue.is_cut:
            known = {row.id for row in queue.rows}  # what need not wait any more since the first look shifts the others
            queue.rows += [row for row in self._look(host, limit, skip=len(known)) if row.id not in known]
            queue.is_cut = False
        if queue.place == len(queue.rows):
            return None
        row = queue.rows[queue.place]
        queue.place += 1
        return max(host.pace.next_slot, self.now), row.rank, row.id, host_id, row

    def _grant(self, host: HostRow, row: UrlRow) -> Lease:
        asks = self._options.respect_robots and host.must_ask_robots(self.now)
        gap, requests = host.pace.gap_seconds(self._options.pace), 2 if asks else 1
        host.pace.hand_over(gap, now=self.now, is_new_owner=host.owner not in ("", self._worker))
        host.owner = self._worker
        slot = host.pace.reserve(self._options.pace, now=self.now, chance=self._chance(), requests=requests)
        slot = self.now if slot is None else slot
        row.expires_at = slot + requests * (self._options.page_deadline_seconds + gap)
        row.state, row.worker, row.fence = UrlState.LEASED, self._worker, self._state.next_fence()
        row.attempt += 1
        host.asking_until = row.expires_at if asks else host.asking_until
        host.queued -= 1
        host.is_changed = True
        self._taken.append(row)
        self._open[host.id] = self._open.get(host.id, 0) + 1
        self._state.statistics.queued -= 1
        self._state.statistics.leased += 1
        return Lease(
            url=row.url,
            key=row.key,
            host=host.host,
            depth=row.depth,
            attempt=row.attempt,
            wait_seconds=slot - self.now,
            fence=row.fence,
            kind=TargetKind(row.kind),
            hops=row.hops,
            delay_seconds=gap,
            asks_robots=asks,
            etag=row.etag,
            last_modified=row.last_modified,
        )

    def _next_chance(self, *, has_quota: bool) -> float:
        """How long nothing can be leased, unless somebody commits. Leases that expire free hosts and the quota.

        What came to a host after its budget was used up (a redirect, a lease that was lost) is skipped here.
        """
        now = self.now
        with letter_to(self._cursor) as letter:
            expiry = letter.ask(
                f"SELECT min(expires_at) FROM {TABLE} WHERE runner_id = %s AND state = 1",  # noqa: S608
                [self._runner_id],
            )
            retries = letter.ask(
                f"SELECT host_id, count(*), min(available_at) FROM {TABLE}"  # noqa: S608
                " WHERE runner_id = %s AND state = 0 AND available_at > 0.0 AND available_at > %s GROUP BY host_id",
                [self._runner_id, now],
            )
            waiting = self.hosts.ask_waiting(letter)
        moments = [row[0] for row in expiry if row[0] is not None]
        later = {host_id: (count, first) for host_id, count, first in retries}
        wanted = [host for host in self.hosts.read(waiting) if not self._retire(host)]
        free = [host for host in wanted if has_quota and self._is_free(host)]
        for host in free:
            count, first = later.get(host.id, (0, 0.0))
            available = first if count >= host.queued else 0.0
            moments.append(max(host.pace.next_slot - HORIZON_SECONDS, host.asking_until, available))
        return max(min(moments, default=now) - now, SHORTEST_WAIT_SECONDS)

    def _retire(self, host: HostRow) -> bool:
        return skip_queue(self._cursor, self._state, host, self._options.pace) is not None

    # --- writing

    def _write(self) -> None:
        with letter_to(self._cursor) as letter:
            rows = [[row.state, row.attempt, row.fence, row.worker, row.expires_at, row.id] for row in self._taken]
            letter.update(TABLE, CHANGING, rows)
            self.hosts.save(letter)
            if repr(self._state) != self._state_as_read:
                self._state.wall.note(self.now)
                save_state(letter, self._state)


def _by_host(rows: list[Row]) -> dict[int, list[UrlRow]]:
    found: dict[int, list[UrlRow]] = {}
    for row in map(url_row, rows):
        found.setdefault(row.host_id, []).append(row)
    return found
