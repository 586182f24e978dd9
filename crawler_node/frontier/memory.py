"""A crawl store in memory: for tests, previews and dry runs. The SQL store keeps the same promises for good."""

import copy
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from heapq import heapify, heappop, heappush

from crawler_node.contracts import (
    Candidate,
    Failure,
    Lease,
    LeaseBatch,
    LogLine,
    Outcome,
    PageRecord,
    PageState,
    Progress,
    Refusal,
    RobotsRecord,
    Statistics,
    StopReason,
    TargetKind,
    Wish,
)
from crawler_node.frontier.backoff import backoff_seconds
from crawler_node.frontier.documents import DocumentShelf, clash_line
from crawler_node.frontier.limits import PATIENCE_SECONDS, fair_share, stop_reason
from crawler_node.frontier.memory_rows import Host, Row
from crawler_node.frontier.options import FrontierOptions
from crawler_node.frontier.ranking import rank
from crawler_node.frontier.suspects import is_suspect, rank_after_break
from crawler_node.frontier.tally import (
    BROKEN_SENTENCE,
    Effect,
    count_given_up,
    count_outcome,
    count_refused,
    keep_within_budget,
)
from crawler_node.frontier.wall_time import WallTime
from crawler_node.politeness.pace import HORIZON_SECONDS, is_silent
from crawler_node.robots.book import keep_seconds

# A worker with nothing to do looks again this soon while others work: their pages may bring links.
_SHORTEST_WAIT_SECONDS = 0.05
_REVIVABLE = frozenset({Refusal.TOO_DEEP, Refusal.NOFOLLOW})


class MemoryCrawlStore:
    """`CrawlControl` in memory. The clock and the chance are injected; nothing else decides."""

    def __init__(
        self,
        options: FrontierOptions | None = None,
        *,
        clock: Callable[[], float],
        chance: Callable[[], float] | None = None,
        documents: DocumentShelf | None = None,
    ) -> None:
        """`documents` are those of the runs before."""
        self._options = options or FrontierOptions()
        self._clock = clock
        self._chance = chance or random.SystemRandom().random
        self.rows: dict[bytes, Row] = {}
        self._hosts: dict[str, Host] = {}
        self._leased: set[bytes] = set()
        self._told: dict[str, dict[str, tuple[RobotsRecord | None, str]]] = {}
        self._patterns: dict[int, int] = {}
        self._page_hashes: set[bytes] = set()
        self._fence = 0
        self._statistics = Statistics()
        self._wish = Wish.RUN
        self._wall = WallTime()
        self.documents = documents or DocumentShelf()
        self.documents.begin_run()
        self.log: list[LogLine] = []

    # --- the worker's side

    def lease(self, *, worker: str, limit: int) -> LeaseBatch:
        now = self._clock()
        if self._wish is Wish.RUN:
            self._wall.begin(now)
        self._expire(now)
        stop = self._stop(now)
        if stop is not None:
            return self._ended(stop, now)
        held = [row.broken for row in self._leased_rows() if row.worker == worker]
        quota = 0 if any(map(is_suspect, held)) else self._quota(limit)
        leases = self._take(worker, quota, now, suspects=False)
        if not leases and not held:
            leases = self._take(worker, min(quota, 1), now, suspects=True)
        if leases:
            robots, cookies = self._news(worker, {lease.host for lease in leases}, now)
            return LeaseBatch(leases, robots=robots, cookies=cookies)
        for host in self._hosts.values():  # what came after a budget was used up: a redirect, a lease that was lost
            self._retire_host(host)
        if not self._leased and self._statistics.queued == 0:
            return self._ended(StopReason.EXHAUSTED, now)
        wait = self._next_chance(worker, now, has_quota=quota > 0, suspects=not held)
        if not self._leased and wait > PATIENCE_SECONDS:
            return replace(self._ended(StopReason.ASKED_TO_WAIT, now), retry_after_seconds=wait)
        is_dry = self._statistics.queued == 0
        return LeaseBatch((), retry_after_seconds=wait, others_work=bool(self._foreign(worker)), is_dry=is_dry)

    def commit(self, *, worker: str, outcomes: Sequence[Outcome], log: Sequence[LogLine] = ()) -> Progress:
        now = self._clock()
        accepted = set()
        for outcome in outcomes:
            row = self.rows.get(outcome.lease.key)
            if row is not None and row.fence == outcome.lease.fence and self._has_room(row, outcome):
                accepted.add(outcome.lease.fence)
                self._apply(row, outcome, now)
                self._tell(worker, row.candidate.host)
        self.log.extend(log)
        self._wall.note(now)
        stop = self._stop(now)
        if stop is not None:
            self._wall.rest(now)
        return Progress(self.statistics(), frozenset(accepted), stop)

    # --- the supervisor's side

    def plant(self, candidates: Sequence[Candidate]) -> int:
        return sum(self._propose(candidate) for candidate in candidates)

    def wish(self, wish: Wish) -> None:
        self._wall.rest(self._clock())
        self._wish = wish

    def release(self, *, worker: str) -> int:
        held = [row for row in self._leased_rows() if row.worker == worker]
        for row in held:
            self._broken(row)
        self._told.pop(worker, None)
        return len(held)

    def retry_failed(self) -> int:
        again = [row for row in self.rows.values() if self._may_try_again(row)]
        for row in again:
            self._try_again(row)
        self._statistics.failures.clear()
        for host in self._hosts.values():
            host.shut = None
            host.pace.forget_failures()
            self._retire_host(host)
        return sum(row.state is PageState.QUEUED for row in again)

    def statistics(self) -> Statistics:
        self._statistics.leased = len(self._leased)
        return copy.deepcopy(self._statistics)

    # --- trying again

    def _may_try_again(self, row: Row) -> bool:
        if row.state is PageState.FAILED:
            return True
        host = self._hosts.get(row.candidate.host)
        is_left_out = row.state is PageState.SKIPPED and row.refusal is not None
        return is_left_out and host is not None and row.refusal is host.shut

    def _try_again(self, row: Row) -> None:
        if row.state is PageState.FAILED:
            self._statistics.failed -= 1
        elif row.refusal is not None:
            self._statistics.skipped -= 1
            count_refused(self._statistics, row.refusal, -1)
        row.attempt, row.broken, row.refusal = 0, 0, None
        self._enqueue(row, available_at=0.0)

    # --- leasing

    def _ended(self, stop: StopReason, now: float) -> LeaseBatch:
        """Nothing more, and time does not count any more."""
        self._wall.rest(now)
        return LeaseBatch((), stop=stop)

    def _quota(self, limit: int) -> int:
        """How many leases may go out without the chance of a page too many."""
        limit = fair_share(limit, self._statistics.queued)
        if self._options.max_pages is None:
            return limit
        return min(limit, self._options.max_pages - self._statistics.pages - len(self._leased))

    def _take(self, worker: str, limit: int, now: float, *, suspects: bool) -> list[Lease]:
        """The host whose slot comes first goes first; among equals, the one with the best URL."""
        leased, pace = self._leased_by_host(), self._options.pace
        ready = [
            (max(host.pace.next_slot, now), *host.queue[0], name)
            for name, host in self._free_hosts(worker).items()
            if host.queue and self._may_ask(host, now)
        ]
        heapify(ready)
        leases: list[Lease] = []
        while ready and len(leases) < limit:
            *_, name = heappop(ready)
            host = self._hosts[name]
            lease = self._take_one(worker, host, now, suspects=suspects)
            if lease is not None:
                leases.append(lease)
                leased[name] += 1
            may_go_on = lease is not None and host.pace.has_room(pace, leased=leased[name])
            if may_go_on and host.queue and self._may_ask(host, now):
                heappush(ready, (max(host.pace.next_slot, now), *host.queue[0], name))
        return sorted(leases, key=lambda lease: lease.wait_seconds)

    def _foreign(self, worker: str) -> set[str]:
        """The hosts of which other workers hold leases."""
        return {row.candidate.host for row in self._leased_rows() if row.worker != worker}

    def _leased_by_host(self) -> Counter[str]:
        return Counter(row.candidate.host for row in self._leased_rows())

    def _free_hosts(self, worker: str) -> dict[str, Host]:
        """Those that do not wait for a page that is out: it may be the last of the budget, or another worker's.

        A host that wants a gap is one worker's at a time.
        """
        foreign, leased, pace = self._foreign(worker), self._leased_by_host(), self._options.pace
        return {
            name: host
            for name, host in self._hosts.items()
            if host.pace.has_room(pace, leased=leased[name])
            if name not in foreign or host.pace.gap_seconds(pace) == 0
        }

    def _may_ask(self, host: Host, now: float) -> bool:
        return host.asking_until <= now and host.pace.next_slot - now <= HORIZON_SECONDS

    def _take_one(self, worker: str, host: Host, now: float, *, suspects: bool) -> Lease | None:
        row = self._pop_available(host, now, suspects=suspects)
        if row is None:
            return None
        must_ask = self._options.respect_robots and host.robots_until <= now
        gap = host.pace.gap_seconds(self._options.pace)
        host.pace.hand_over(gap, now=now, is_new_owner=host.owner not in ("", worker))
        host.owner = worker
        requests = 2 if must_ask else 1
        slot = host.pace.reserve(self._options.pace, now=now, chance=self._chance(), requests=requests) or now
        expires_at = slot + requests * (self._options.page_deadline_seconds + gap)
        if must_ask:
            host.asking_until = expires_at
        lease = self._grant(row, worker, expires_at)
        return replace(lease, wait_seconds=slot - now, delay_seconds=gap, asks_robots=must_ask)

    def _pop_available(self, host: Host, now: float, *, suspects: bool) -> Row | None:
        """The best URL of a host that need not wait for a retry, nor, unless `suspects` are wanted, to be alone."""
        waiting: list[tuple[float, int, bytes]] = []
        found: Row | None = None
        while host.queue and found is None:
            entry = heappop(host.queue)
            row = self.rows[entry[2]]
            if row.state is not PageState.QUEUED or entry[:2] != (row.rank, row.number):
                continue
            if row.available_at > now or (is_suspect(row.broken) and not suspects):
                waiting.append(entry)
            else:
                found = row
        for entry in waiting:
            heappush(host.queue, entry)
        return found

    def _grant(self, row: Row, worker: str, expires_at: float) -> Lease:
        row.state, row.fence, row.worker, row.expires_at = PageState.LEASED, self._next_fence(), worker, expires_at
        row.attempt += 1
        known = row.candidate
        self._leased.add(known.key)
        self._statistics.queued -= 1
        return Lease(
            known.url,
            known.key,
            known.host,
            known.depth,
            row.attempt,
            0.0,
            row.fence,
            kind=known.kind,
            hops=known.hops,
            etag=known.etag,
            last_modified=known.last_modified,
        )

    def _next_fence(self) -> int:
        self._fence += 1
        return self._fence

    def _news(self, worker: str, hosts: set[str], now: float) -> tuple[dict[str, RobotsRecord], dict[str, str]]:
        """What this worker was not told yet about the hosts it is sent to."""
        told = self._told.setdefault(worker, {})
        robots: dict[str, RobotsRecord] = {}
        cookies: dict[str, str] = {}
        for name in hosts:
            host = self._hosts[name]
            if told.get(name) == (host.robots, host.cookies):
                continue
            self._tell(worker, name)
            if host.robots is not None and host.robots_until > now:
                age = keep_seconds(host.robots) - (host.robots_until - now)
                robots[name] = RobotsRecord(host.robots.text, age)
            if host.cookies:
                cookies[name] = host.cookies
        return robots, cookies

    def _tell(self, worker: str, name: str) -> None:
        host = self._hosts[name]
        self._told.setdefault(worker, {})[name] = (host.robots, host.cookies)

    def _next_chance(self, worker: str, now: float, *, has_quota: bool, suspects: bool) -> float:
        """How long nothing can be leased, unless somebody commits. Leases that expire free hosts and the quota."""
        moments = [row.expires_at for row in self._leased_rows()]
        for host in self._free_hosts(worker).values() if has_quota else ():
            queued = [self.rows[key] for _, _, key in host.queue if self.rows[key].state is PageState.QUEUED]
            waiting = [row.available_at for row in queued if suspects or not is_suspect(row.broken)]
            if waiting:
                first = min(waiting)
                moments.append(max(host.pace.next_slot - HORIZON_SECONDS, host.asking_until, first))
        return max(min(moments, default=now) - now, _SHORTEST_WAIT_SECONDS)

    # --- applying outcomes

    def _has_room(self, row: Row, outcome: Outcome) -> bool:
        """Whether a page may count: one that comes late may not where the last that may went out in its stead."""
        if row.state is not PageState.QUEUED or outcome.page.state is not PageState.DONE:
            return True
        most = self._options.max_pages
        return most is None or self._statistics.pages + len(self._leased) < most

    def _apply(self, row: Row, outcome: Outcome, now: float) -> None:
        outcome, line = keep_within_budget(self._statistics, outcome, keep_bytes=self._options.keep_bytes)
        self.log.extend([line] if line is not None else [])
        page, host = outcome.page, self._hosts[row.candidate.host]
        self._leased.discard(row.candidate.key)
        self._statistics.queued -= row.state is PageState.QUEUED  # it had expired, and nobody took it yet
        row.worker, row.record, row.fence = "", page, self._next_fence()
        row.attempt = outcome.lease.attempt  # a lease that had expired was one all the same
        row.broken = row.broken if page.is_given_back else 0
        state = self._settle(row, page, now, outcome)
        effect = self._effect(row, outcome, state)
        count_outcome(self._statistics, outcome, effect)
        host.asking_until = 0.0
        self._learn(host, outcome, now)
        if state is PageState.DONE and row.candidate.kind is TargetKind.PAGE:
            host.pace.pages += 1
        if state is PageState.FAILED and is_silent(outcome.host):
            host.shut = Refusal.BAD_HOST
        self._retire_host(host)

    def _settle(self, row: Row, page: PageRecord, now: float, outcome: Outcome) -> PageState:
        """The state the URL ends in, with its queue entry where it goes on."""
        if page.state is not PageState.QUEUED:
            row.state, row.refusal = page.state, page.refusal
            self._statistics.skipped += page.state is PageState.SKIPPED
            return page.state
        if page.is_given_back:
            row.attempt -= 1
            self._enqueue(row, available_at=0.0)
            return PageState.QUEUED
        if row.attempt > self._options.retries:
            row.state = PageState.FAILED
            return PageState.FAILED
        wish = outcome.host.retry_after_seconds if outcome.host is not None else None
        self._enqueue(row, available_at=now + backoff_seconds(row.attempt, retry_after_seconds=wish))
        return PageState.QUEUED

    def _effect(self, row: Row, outcome: Outcome, state: PageState) -> Effect:
        links_new = sum(self._propose(candidate) for candidate in outcome.candidates)
        if state is not PageState.DONE:
            return Effect(state, links_new)
        sha1 = outcome.page.sha1
        is_duplicate = bool(sha1) and sha1 in self._page_hashes
        if sha1:
            self._page_hashes.add(sha1)
        room = None
        if self._options.max_documents is not None:
            room = max(self._options.max_documents - self._statistics.documents, 0)
        counts = self.documents.put(row.candidate.key, row.candidate.url, outcome.documents, room=room)
        if self.documents.clash and counts.clashing and not self._statistics.clashing_documents:
            self.log.append(clash_line(self.documents.clash))
        return Effect(state, links_new, *counts, is_duplicate_page=is_duplicate)

    def _learn(self, host: Host, outcome: Outcome, now: float) -> None:
        facts = outcome.host
        if facts is None:
            return
        host.pace.learn(facts, self._options.pace, now=now)
        if facts.robots is not None:
            host.robots, host.robots_until = facts.robots, now + keep_seconds(facts.robots) - facts.robots.age_seconds
        if facts.cookies is not None:
            host.cookies = facts.cookies

    def _retire_host(self, host: Host) -> None:
        """Skip what a host still has in its queue when it is bad or used up."""
        if host.shut is None and host.pace.is_bad(self._options.pace):
            host.shut = Refusal.BAD_HOST
        reason = host.shut or (Refusal.OVER_BUDGET if host.pace.is_over_budget(self._options.pace) else None)
        if reason is not None:
            for _, _, key in host.queue:
                self._skip(self.rows[key], reason)
            host.queue.clear()

    def _skip(self, row: Row, refusal: Refusal) -> None:
        if row.state is PageState.QUEUED:
            row.state, row.refusal, row.fence = PageState.SKIPPED, refusal, 0  # who comes back with it is too late
            self._statistics.queued -= 1
            self._statistics.skipped += 1
            count_refused(self._statistics, refusal)

    # --- candidates

    def _propose(self, candidate: Candidate) -> bool:
        """Enter a candidate; True when it became a new row that is not refused."""
        known = self.rows.get(candidate.key)
        if known is not None:
            return self._meet_again(known, candidate)
        row = Row(candidate, PageState.SKIPPED, self._rank(candidate), len(self.rows), candidate.refusal)
        self.rows[candidate.key] = row
        return self._admit(row)

    def _admit(self, row: Row) -> bool:
        refusal = row.candidate.refusal or self._budget_refusal(row.candidate)
        if refusal is not None:
            row.state, row.refusal = PageState.SKIPPED, refusal
            self._statistics.skipped += 1
            count_refused(self._statistics, refusal)
            return row.candidate.refusal is None
        row.refusal = None
        self._enqueue(row, available_at=0.0)
        return True

    def _budget_refusal(self, candidate: Candidate) -> Refusal | None:
        host = self._hosts.get(candidate.host)
        if host is not None and host.shut is not None:
            return host.shut
        if host is not None and host.pace.is_over_budget(self._options.pace):
            return Refusal.OVER_BUDGET
        if candidate.pattern:
            count = self._patterns.get(candidate.pattern, 0)
            if count >= candidate.pattern_budget:
                return Refusal.TRAP
            self._patterns[candidate.pattern] = count + 1
        return None

    def _meet_again(self, row: Row, candidate: Candidate) -> bool:
        """A URL found once more: nearer to the seeds, no longer refused, or asked for again by a redirect."""
        if row.state is PageState.QUEUED and candidate.refusal is None and candidate.depth < row.candidate.depth:
            row.candidate = replace(candidate, url=row.candidate.url, host=row.candidate.host)
            row.rank = row.rank if is_suspect(row.broken) else self._rank(candidate)
            heappush(self._hosts[row.candidate.host].queue, (row.rank, row.number, candidate.key))
        elif row.state is PageState.SKIPPED and row.refusal in _REVIVABLE and candidate.refusal is None:
            self._statistics.skipped -= 1
            count_refused(self._statistics, row.refusal, -1)
            row.candidate, row.rank = candidate, self._rank(candidate)
            return self._admit(row)
        elif row.state is PageState.REDIRECTED and candidate.retarget:
            row.candidate, row.attempt = candidate, 0
            self._enqueue(row, available_at=0.0)
        return False

    def _enqueue(self, row: Row, *, available_at: float) -> None:
        row.state, row.available_at = PageState.QUEUED, available_at
        host = self._hosts.setdefault(row.candidate.host, Host())
        heappush(host.queue, (row.rank, row.number, row.candidate.key))
        self._statistics.queued += 1

    def _rank(self, candidate: Candidate) -> float:
        return rank(self._options.strategy, depth=candidate.depth, priority=candidate.priority, kind=candidate.kind)

    # --- time

    def _expire(self, now: float) -> None:
        for row in self._leased_rows():
            if row.expires_at <= now:
                self._broken(row)

    def _broken(self, row: Row) -> None:
        """A lease that never came back: someone else gets the URL, but not for ever."""
        self._leased.discard(row.candidate.key)
        self._hosts[row.candidate.host].asking_until = 0.0
        row.broken += 1
        row.attempt -= 1
        row.rank = rank_after_break(row.rank, row.broken)
        if row.broken <= self._options.max_broken_leases:
            self._enqueue(row, available_at=0.0)
            return
        row.state, row.worker, row.fence = PageState.FAILED, "", self._next_fence()
        row.record = PageRecord(PageState.FAILED, failure=Failure.EXTRACTION, sentence=BROKEN_SENTENCE)
        count_given_up(self._statistics)
        self.log.append(LogLine("error", BROKEN_SENTENCE, row.candidate.url))

    def _leased_rows(self) -> list[Row]:
        return [self.rows[key] for key in self._leased]

    def _stop(self, now: float) -> StopReason | None:
        return stop_reason(self._options, self._statistics, wish=self._wish, ran_seconds=self._wall.until(now))
