"""`commit`: what became of the leases, and the URLs their pages propose."""

from collections.abc import Sequence

from django.db.backends.utils import CursorWrapper

from backend.apps.runners.crawl_store.documents import DocumentDesk
from backend.apps.runners.crawl_store.earlier import EarlierRun
from backend.apps.runners.crawl_store.hosts import HostBook, HostRow
from backend.apps.runners.crawl_store.letters import Letter, letter_to
from backend.apps.runners.crawl_store.pages import PageDesk, sums_of, write_log, write_minute
from backend.apps.runners.crawl_store.patterns import PatternBook
from backend.apps.runners.crawl_store.retiring import skip_queue
from backend.apps.runners.crawl_store.sql import Moment
from backend.apps.runners.crawl_store.state import ask_for_lock, read_state, save_state
from backend.apps.runners.crawl_store.urls import STATES, UrlBook, UrlRow, new_row
from backend.apps.runners.models import Runner, UrlState
from crawler_node.contracts import (
    Candidate,
    LogLine,
    Outcome,
    PageState,
    Progress,
    Refusal,
    StopReason,
    TargetKind,
)
from crawler_node.frontier import FrontierOptions
from crawler_node.frontier.backoff import backoff_seconds
from crawler_node.frontier.documents import clash_line
from crawler_node.frontier.ranking import rank
from crawler_node.frontier.suspects import is_suspect
from crawler_node.frontier.tally import Effect, count_outcome, count_refused, keep_within_budget
from crawler_node.politeness.pace import is_silent

REVIVABLE = {str(Refusal.TOO_DEEP), str(Refusal.NOFOLLOW)}


class Committing:
    """One call of `commit` (or `plant`), inside its transaction: load, apply in order, write."""

    def __init__(
        self,
        cursor: CursorWrapper,
        runner: Runner,
        options: FrontierOptions,
        *,
        moment: Moment,
        is_first_run: bool,
        earlier: EarlierRun,
    ) -> None:
        self._cursor = cursor
        self._runner = runner
        self._options = options
        self._moment = moment
        self._earlier = earlier
        self._urls = UrlBook(runner.pk)
        self._patterns = PatternBook(runner.pk)
        self._documents = DocumentDesk(
            cursor,
            crawler_id=runner.crawler_id,
            project_id=runner.crawler.project_id,
            runner_id=runner.pk,
            is_first_run=is_first_run,
        )
        self._pages = PageDesk(cursor, runner.pk)
        self._log: list[LogLine] = []
        self.hosts = HostBook(cursor, runner.pk)
        self.now = 0.0

    def commit(self, outcomes: Sequence[Outcome], log: Sequence[LogLine]) -> Progress:
        """`accepted` are the fences of the outcomes that were remembered; those whose lease passed on are dropped."""
        outcomes = self._earlier.complete(outcomes)
        self._read(outcomes, [candidate for outcome in outcomes for candidate in outcome.candidates])
        before = sums_of(self._state.statistics)
        current = [outcome for outcome in outcomes if self._is_current(outcome)]
        self.hosts.add_missing(candidate.host for outcome in current for candidate in outcome.candidates)
        self._documents.read(list(filter(_may_touch_documents, current)), now=self.now)
        accepted = set()
        for outcome in current:
            row = self._urls.rows[outcome.lease.key]
            if row.fence == outcome.lease.fence and self._has_room(row, outcome):
                accepted.add(outcome.lease.fence)
                self._apply(row, outcome)
        stop = self._stop()
        self._write(before, [*log, *self._log])
        return Progress(self._state.statistics, frozenset(accepted), stop)

    def plant(self, candidates: Sequence[Candidate]) -> int:
        self._read((), candidates)
        self._documents.read((), now=self.now)
        self.hosts.add_missing(candidate.host for candidate in candidates)
        new = sum(self._propose(candidate, found_on=None) for candidate in candidates)
        self._write(sums_of(self._state.statistics), ())
        return new

    def _read(self, outcomes: Sequence[Outcome], candidates: Sequence[Candidate]) -> None:
        """Lock first, then look: who waited for the lock must not act on the past."""
        letter = Letter(self._cursor)
        state = ask_for_lock(letter, self._runner.pk)
        clock = letter.ask(f"SELECT {self._moment.sql}", self._moment.parameters)
        keys = [outcome.lease.key for outcome in outcomes] + [candidate.key for candidate in candidates]
        urls = self._urls.ask(letter, keys)
        names = {outcome.lease.host for outcome in outcomes} | {candidate.host for candidate in candidates}
        hosts = self.hosts.ask_names(letter, names)
        patterns = self._patterns.ask(letter, (candidate.pattern for candidate in candidates if candidate.pattern))
        finished = [outcome for outcome in outcomes if outcome.page.state is PageState.DONE]
        self._documents.ask(letter, list(filter(_may_touch_documents, outcomes)))
        hashes = self._pages.ask_hashes(letter, finished)
        letter.send()
        self._state = read_state(self._runner.pk, state)
        self.now = float(clock[0][0])
        self._urls.read(urls)
        self.hosts.read(hosts)
        self._patterns.read(patterns)
        self._pages.read_hashes(hashes)

    def _stop(self) -> StopReason | None:
        """Why it ends; from then on time does not count any more."""
        state = self._state
        state.wall.note(self.now)
        stop = state.stop(self._options, self.now)
        if stop is not None:
            state.wall.rest(self.now)
        return stop

    def _is_current(self, outcome: Outcome) -> bool:
        row = self._urls.rows.get(outcome.lease.key)
        return row is not None and row.fence == outcome.lease.fence

    def _has_room(self, row: UrlRow, outcome: Outcome) -> bool:
        """Whether a page may count: one that comes late may not where the last that may went out in its stead."""
        if row.state != UrlState.QUEUED or outcome.page.state is not PageState.DONE:
            return True
        counts, most = self._state.statistics, self._options.max_pages
        return most is None or counts.pages + counts.leased < most

    def _write(self, before: Sequence[float], log: Sequence[LogLine]) -> None:
        self._earlier.fill_in(row for row in self._urls.rows.values() if row.id == 0)
        with letter_to(self._cursor) as letter:
            self._urls.save(letter, self.now)
            self._patterns.save(letter)
            self.hosts.save(letter)
            self._documents.save(letter)
            self._pages.save(letter, now=self.now)
            write_log(letter, self._runner.pk, log, now=self.now)
            write_minute(letter, self._runner.pk, before, self._state.statistics, now=self.now)
            save_state(letter, self._state)

    # --- one outcome

    def _apply(self, row: UrlRow, outcome: Outcome) -> None:
        host = self.hosts.by_id(row.host_id)
        counts = self._state.statistics
        outcome, line = keep_within_budget(counts, outcome, keep_bytes=self._options.keep_bytes)
        self._log.extend([line] if line is not None else [])
        if row.state == UrlState.QUEUED:  # it had expired, and nobody took it yet
            counts.queued -= 1
            host.queued -= 1
        else:
            counts.leased -= 1
        row.worker, row.fence, row.is_changed = "", self._state.next_fence(), True
        row.attempt = outcome.lease.attempt  # a lease that had expired was one all the same
        row.broken = row.broken if outcome.page.is_given_back else 0
        state = self._settle(row, host, outcome)
        effect = self._effect(row, outcome, state)
        count_outcome(counts, outcome, effect)
        self._pages.remember(row, outcome, state, effect, features=self._earlier.features.get(row.key))
        self._teach(host, outcome, state)
        self._retire(host)

    def _settle(self, row: UrlRow, host: HostRow, outcome: Outcome) -> PageState:
        """The state the URL ends in, with its place in the queue where it goes on."""
        page = outcome.page
        if page.state is not PageState.QUEUED:
            row.state, row.refusal = STATES[page.state], str(page.refusal or "")
            self._state.statistics.skipped += page.state is PageState.SKIPPED
            return page.state
        if page.is_given_back:
            row.attempt -= 1
            if row.key in self._earlier.lost:
                row.ask_whole()
            self._enqueue(row, host, available_at=0.0)
            return PageState.QUEUED
        if row.attempt > self._options.retries:
            row.state = UrlState.FAILED
            return PageState.FAILED
        wish = outcome.host.retry_after_seconds if outcome.host is not None else None
        wait = backoff_seconds(row.attempt, retry_after_seconds=wish)
        self._enqueue(row, host, available_at=self.now + wait)
        return PageState.QUEUED

    def _effect(self, row: UrlRow, outcome: Outcome, state: PageState) -> Effect:
        links_new = sum(self._propose(candidate, found_on=row.id) for candidate in outcome.candidates)
        if state is not PageState.DONE:
            self._documents.page_gone(row, outcome)
            return Effect(state, links_new)
        room = None
        if self._options.max_documents is not None:
            room = max(self._options.max_documents - self._state.statistics.documents, 0)
        counts = self._documents.put(row, outcome, room=room)
        if self._documents.clash and counts.clashing and not self._state.statistics.clashing_documents:
            self._log.append(clash_line(self._documents.clash, _key_names(self._runner)))
        is_duplicate = self._pages.is_known_content(outcome.page.sha1)
        return Effect(state, links_new, *counts, is_duplicate_page=is_duplicate)

    def _teach(self, host: HostRow, outcome: Outcome, state: PageState) -> None:
        host.asking_until = 0.0
        host.is_changed = True
        if outcome.host is not None:
            host.learn(outcome.host, self._options.pace, self.now)
        if state is PageState.DONE and outcome.lease.kind is TargetKind.PAGE:
            host.pace.pages += 1
        if state is PageState.FAILED and is_silent(outcome.host):
            host.shut = str(Refusal.BAD_HOST)

    def _retire(self, host: HostRow) -> None:
        """Skip what a host still has in its queue when it is bad or used up."""
        if not host.shut and host.pace.is_bad(self._options.pace):
            host.shut = str(Refusal.BAD_HOST)
        reason = skip_queue(self._cursor, self._state, host, self._options.pace)
        if reason is None:
            return
        for row in self._urls.rows.values():
            if row.host_id == host.id and row.state == UrlState.QUEUED:
                row.state, row.refusal, row.fence, row.is_changed = UrlState.SKIPPED, str(reason), 0, True

    # --- candidates

    def _propose(self, candidate: Candidate, *, found_on: int | None) -> bool:
        """Enter a candidate; True when it became a new row that is not refused."""
        known = self._urls.rows.get(candidate.key)
        host = self.hosts.by_name(candidate.host)
        if known is not None:
            return self._meet_again(known, host, candidate)
        row = new_row(candidate, host_id=host.id, rank=self._rank(candidate), found_on=found_on)
        self._urls.rows[candidate.key] = row
        return self._admit(row, host, candidate)

    def _admit(self, row: UrlRow, host: HostRow, candidate: Candidate) -> bool:
        refusal = candidate.refusal or self._budget_refusal(host, candidate)
        if refusal is not None:
            row.state, row.refusal = UrlState.SKIPPED, str(refusal)
            self._state.statistics.skipped += 1
            count_refused(self._state.statistics, refusal)
            return candidate.refusal is None
        row.refusal = ""
        self._enqueue(row, host, available_at=0.0)
        return True

    def _budget_refusal(self, host: HostRow, candidate: Candidate) -> Refusal | None:
        reason = host.refusal(self._options.pace)
        if (
            reason is None
            and candidate.pattern
            and not self._patterns.take(candidate.pattern, candidate.pattern_budget)
        ):
            return Refusal.TRAP
        return reason

    def _meet_again(self, row: UrlRow, host: HostRow, candidate: Candidate) -> bool:
        """A URL found once more: nearer to the seeds, no longer refused, or asked for again by a redirect."""
        if row.state == UrlState.QUEUED and candidate.refusal is None and candidate.depth < row.depth:
            row.retarget(candidate, row.rank if is_suspect(row.broken) else self._rank(candidate))
        elif row.state == UrlState.SKIPPED and row.refusal in REVIVABLE and candidate.refusal is None:
            self._state.statistics.skipped -= 1
            count_refused(self._state.statistics, Refusal(row.refusal), -1)
            row.retarget(candidate, self._rank(candidate))
            row.respell(candidate, host.id)
            return self._admit(row, host, candidate)
        elif row.state == UrlState.REDIRECTED and candidate.retarget:
            row.retarget(candidate, row.rank)
            row.respell(candidate, host.id)
            row.attempt = 0
            self._enqueue(row, host, available_at=0.0)
        return False

    def _enqueue(self, row: UrlRow, host: HostRow, *, available_at: float) -> None:
        row.state, row.available_at, row.is_changed = UrlState.QUEUED, available_at, True
        host.queued += 1
        host.is_changed = True
        self._state.statistics.queued += 1

    def _rank(self, candidate: Candidate) -> float:
        return rank(self._options.strategy, depth=candidate.depth, priority=candidate.priority, kind=candidate.kind)


def _may_touch_documents(outcome: Outcome) -> bool:
    return outcome.page.state is PageState.DONE or outcome.page.is_gone


def _key_names(runner: Runner) -> list[str]:
    inspectors = runner.specification.get("template", {}).get("inspectors", ())
    return [inspector["name"] for inspector in inspectors if inspector.get("key")]
