"""When a crawl ends, and why."""

from dataclasses import replace

import pytest

from crawler_node.contracts import (
    PageRecord,
    PageState,
    StopReason,
    Wish,
)
from crawler_node.frontier import CrawlControl
from crawler_node.frontier.options import Inefficiency
from crawler_node.politeness import PaceRules
from tests.contracts.crawl_store.case import StoreCase
from tests.contracts.crawl_store.making import NO_ROBOTS, FakeClock, candidate, document, done, failed


class StopsContract(StoreCase):
    def test_exhausted_only_when_nobody_works_any_more(self, store: CrawlControl) -> None:
        store.plant([candidate("/a")])
        (lease,) = store.lease(worker="w", limit=1).leases
        waiting = store.lease(worker="v", limit=1)
        assert (waiting.leases, waiting.stop) == ((), None)
        assert (waiting.others_work, waiting.is_dry) == (True, True)
        store.commit(worker="w", outcomes=[done(lease)])
        assert store.lease(worker="v", limit=1).stop is StopReason.EXHAUSTED

    def test_who_waits_is_told_how_long_and_whether_others_may_change_that(self, clock: FakeClock) -> None:
        store = self.make_store(replace(NO_ROBOTS, pace=PaceRules(delay_seconds=20.0, jitter=0.0)), clock)
        store.plant([candidate(f"/{number}") for number in range(10)])
        assert len(store.lease(worker="w", limit=9).leases) == 2
        mine = store.lease(worker="w", limit=9)
        assert (mine.retry_after_seconds, mine.others_work) == (pytest.approx(10.0, abs=0.01), False)
        theirs = self.another(store).lease(worker="v", limit=9)
        assert (theirs.retry_after_seconds, theirs.others_work) == (pytest.approx(80.0, abs=0.01), True)
        assert not theirs.is_dry

    def test_who_waits_because_the_maximum_is_in_work_waits_for_that_work(self, clock: FakeClock) -> None:
        store = self.make_store(replace(NO_ROBOTS, max_pages=2), clock)
        store.plant([candidate(f"/{number}") for number in range(9)])
        assert len(store.lease(worker="w", limit=9).leases) == 2
        waiting = store.lease(worker="w", limit=9)
        assert (waiting.retry_after_seconds, waiting.others_work) == (pytest.approx(60.0, abs=0.01), False)
        assert not waiting.is_dry

    def test_who_waits_because_the_budget_of_the_host_is_in_work_waits_for_that_work(self, clock: FakeClock) -> None:
        store = self.make_store(replace(NO_ROBOTS, pace=PaceRules(max_pages_per_host=2)), clock)
        store.plant([candidate(f"/{number}") for number in range(9)])
        assert len(store.lease(worker="w", limit=9).leases) == 2
        assert store.lease(worker="w", limit=9).retry_after_seconds == pytest.approx(60.0, abs=0.01)

    def test_never_a_page_more_than_the_maximum(self, clock: FakeClock) -> None:
        store = self.make_store(replace(NO_ROBOTS, max_pages=5), clock)
        store.plant([candidate(f"/{number}") for number in range(20)])
        first = store.lease(worker="w", limit=3).leases
        second = store.lease(worker="v", limit=9).leases
        assert (len(first), len(second)) == (3, 2)
        assert store.lease(worker="u", limit=9).stop is None
        store.commit(worker="w", outcomes=[done(lease) for lease in first])
        store.commit(worker="v", outcomes=[failed(second[0], can_retry=False), done(second[1])])
        (last,) = store.lease(worker="w", limit=9).leases
        progress = store.commit(worker="w", outcomes=[done(last)])
        assert progress.stop is StopReason.MAX_PAGES
        assert store.lease(worker="w", limit=9).stop is StopReason.MAX_PAGES
        assert progress.statistics.pages == 5

    def test_a_page_that_comes_late_does_not_count_beside_the_last_that_went_out_in_its_stead(
        self, clock: FakeClock
    ) -> None:
        store = self.make_store(replace(NO_ROBOTS, max_pages=2), clock)
        store.plant([candidate("/first"), candidate("/late")])
        (first,) = store.lease(worker="slow", limit=1).leases
        store.commit(worker="slow", outcomes=[done(first)])
        (late,) = store.lease(worker="slow", limit=1).leases
        store.plant([candidate("/better", priority=0.9)])
        store.release(worker="slow")
        (instead,) = store.lease(worker="quick", limit=5).leases
        assert instead.url != late.url
        progress = store.commit(worker="slow", outcomes=[done(late, documents=[document("one")])])
        assert (progress.accepted, progress.statistics.pages, progress.stop) == (frozenset(), 1, None)
        progress = store.commit(worker="quick", outcomes=[done(instead)])
        assert (progress.accepted, progress.statistics.pages) == ({instead.fence}, 2)
        assert progress.stop is StopReason.MAX_PAGES
        assert self.documents(store) == []

    def test_a_page_that_comes_late_counts_as_long_as_there_is_room(self, clock: FakeClock) -> None:
        store = self.make_store(replace(NO_ROBOTS, max_pages=2), clock)
        store.plant([candidate("/a"), candidate("/b")])
        (late,) = store.lease(worker="w", limit=1).leases
        clock.now += 30
        (other,) = store.lease(worker="w", limit=1).leases
        clock.now += 35
        store.lease(worker="v", limit=0)
        progress = store.commit(worker="w", outcomes=[done(other), done(late)])
        assert (progress.accepted, progress.stop) == ({other.fence, late.fence}, StopReason.MAX_PAGES)
        assert progress.statistics.pages == 2

    def test_never_a_document_more_than_the_maximum(self, clock: FakeClock) -> None:
        store = self.make_store(replace(NO_ROBOTS, max_documents=5), clock)
        store.plant([candidate("/a"), candidate("/b"), candidate("/c")])
        leases = store.lease(worker="w", limit=2).leases
        outcomes = [
            done(lease, documents=[document(f"{lease.url} {number}") for number in range(4)]) for lease in leases
        ]
        progress = store.commit(worker="w", outcomes=outcomes)
        assert progress.stop is StopReason.MAX_DOCUMENTS
        assert progress.statistics.documents == 5
        assert len(self.documents(store)) == 5

    def test_wall_time_does_not_run_while_paused(self, clock: FakeClock) -> None:
        store = self.make_store(replace(NO_ROBOTS, wall_seconds=100), clock)
        store.plant([candidate(f"/{number}") for number in range(9)])
        store.lease(worker="w", limit=1)
        clock.now += 60
        store.wish(Wish.PAUSE)
        assert store.lease(worker="w", limit=1).stop is StopReason.PAUSED
        clock.now += 5_000
        store.wish(Wish.RUN)
        assert len(store.lease(worker="w", limit=1).leases) == 1
        clock.now += 39
        assert store.lease(worker="w", limit=1).stop is None
        clock.now += 2
        assert store.lease(worker="w", limit=1).stop is StopReason.WALL_TIME

    def test_wall_time_does_not_run_after_the_end(self, clock: FakeClock) -> None:
        store = self.make_store(replace(NO_ROBOTS, wall_seconds=1_800, page_deadline_seconds=9_999), clock)
        store.plant([candidate("/a")])
        (lease,) = store.lease(worker="w", limit=1).leases
        clock.now += 50
        store.commit(worker="w", outcomes=[failed(lease, can_retry=False)])
        assert store.lease(worker="w", limit=1).stop is StopReason.EXHAUSTED
        assert store.lease(worker="v", limit=1).stop is StopReason.EXHAUSTED
        clock.now += 7_200
        assert store.retry_failed() == 1
        assert len(store.lease(worker="w", limit=1).leases) == 1
        assert self.seconds_to_the_end(store, clock) == 1_750

    def test_wall_time_runs_while_workers_wait(self, clock: FakeClock) -> None:
        store = self.make_store(replace(NO_ROBOTS, wall_seconds=1_000, page_deadline_seconds=9_999), clock)
        store.plant([candidate("/a")])
        assert len(store.lease(worker="w", limit=1).leases) == 1
        assert self.seconds_to_the_end(store, clock) == 1_000

    def seconds_to_the_end(self, store: CrawlControl, clock: FakeClock) -> float:
        """How long workers that ask now and then are told to wait, until they are told that their time is over."""
        began = clock.now
        while (stop := store.lease(worker="v", limit=1).stop) is None:
            clock.now += 5
        assert stop is StopReason.WALL_TIME
        return clock.now - began

    def test_wall_time_does_not_run_while_nobody_is_there(self, clock: FakeClock) -> None:
        store = self.make_store(replace(NO_ROBOTS, wall_seconds=3_600), clock)
        store.plant([candidate("/a")])
        store.lease(worker="killed with all others", limit=1)
        clock.now += 50_000
        assert len(store.lease(worker="w", limit=1).leases) == 1

    def test_the_users_wish_reaches_workers_with_their_next_call(self, store: CrawlControl) -> None:
        store.plant([candidate("/a"), candidate("/b")])
        (lease,) = store.lease(worker="w", limit=1).leases
        self.another(store).wish(Wish.STOP)
        assert store.commit(worker="w", outcomes=[done(lease)]).stop is StopReason.STOPPED
        assert store.lease(worker="w", limit=1).stop is StopReason.STOPPED
        self.another(store).wish(Wish.RUN)
        assert len(store.lease(worker="w", limit=1).leases) == 1

    @pytest.mark.parametrize(
        ("rules", "reason"),
        [
            (Inefficiency(pages_without_new_document=3), StopReason.NO_NEW_DOCUMENTS),
            (Inefficiency(pages_only_duplicate=2), StopReason.ALL_DUPLICATE),
            (Inefficiency(error_rate=0.5, error_rate_after=4), StopReason.ERROR_RATE),
        ],
    )
    def test_an_inefficient_runner_stops(self, clock: FakeClock, rules: Inefficiency, reason: StopReason) -> None:
        store = self.make_store(replace(NO_ROBOTS, inefficiency=rules), clock)
        store.plant([candidate(f"/{number}") for number in range(20)])
        page = PageRecord(PageState.DONE, status=200, sha1=b"same" * 5)
        stops = []
        for number in range(4):
            (lease,) = store.lease(worker="w", limit=1).leases
            outcome = failed(lease, can_retry=False) if number % 2 and rules.error_rate else done(lease, page=page)
            stops.append(store.commit(worker="w", outcomes=[outcome]).stop)
            if stops[-1]:
                break
        assert stops[-1] is reason
        assert stops[:-1] == [None] * (len(stops) - 1)
        assert len(stops) >= 3
