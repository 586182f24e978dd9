"""When a host may be asked."""

from dataclasses import replace
from itertools import pairwise

import pytest

from crawler_node.contracts import (
    Failure,
    HostFacts,
    Outcome,
    PageRecord,
    PageState,
    Refusal,
    RobotsRecord,
    StopReason,
)
from crawler_node.frontier import CrawlControl, FrontierOptions
from crawler_node.politeness import PaceRules
from tests.contracts.crawl_store.case import StoreCase
from tests.contracts.crawl_store.making import NO_ROBOTS, FakeClock, candidate, done, failed


class PolitenessContract(StoreCase):
    def test_slots_of_a_host_keep_the_delay_over_all_workers(self, clock: FakeClock) -> None:
        store = self.make_store(replace(NO_ROBOTS, pace=PaceRules(delay_seconds=1.0)), clock)
        store.plant([candidate(f"/{number}") for number in range(100)])
        moments = []
        for step in range(60):
            seen = self.another(store) if step % 2 else store
            leases = seen.lease(worker=f"w{step % 3}", limit=5).leases
            assert all(lease.wait_seconds <= 30 for lease in leases)
            moments += [clock.now + lease.wait_seconds for lease in leases]
            clock.now += 0.7
        assert len(moments) > 50
        assert min(later - earlier for earlier, later in pairwise(sorted(moments))) >= 1.0

    def test_a_host_that_wants_a_gap_is_one_workers_at_a_time(self, clock: FakeClock) -> None:
        """Only who sends all requests of a host can keep the gap, however late the machine lets it send."""
        store = self.make_store(replace(NO_ROBOTS, pace=PaceRules(delay_seconds=2.0)), clock)
        store.plant([candidate(f"/{number}") for number in range(9)] + [candidate("https://other.example/")])
        (mine,) = store.lease(worker="w", limit=1).leases
        assert {lease.host for lease in self.another(store).lease(worker="v", limit=9).leases}.isdisjoint({mine.host})
        clock.now += 10.0
        store.commit(worker="w", outcomes=[done(mine)])
        handed_over = self.another(store).lease(worker="v", limit=1).leases
        assert [lease.host for lease in handed_over] == [mine.host]
        assert handed_over[0].wait_seconds >= 2.0

    def test_hosts_do_not_wait_for_each_other(self, clock: FakeClock) -> None:
        store = self.make_store(replace(NO_ROBOTS, pace=PaceRules(delay_seconds=10.0)), clock)
        store.plant([candidate(f"https://h{number}.example/{path}") for number in range(5) for path in "abcd"])
        leases = store.lease(worker="w", limit=5).leases
        assert [lease.wait_seconds for lease in leases] == [0.0] * 5
        assert len({lease.host for lease in leases}) == 5

    def test_nothing_is_leased_beyond_the_horizon(self, clock: FakeClock) -> None:
        store = self.make_store(replace(NO_ROBOTS, pace=PaceRules(delay_seconds=20.0, jitter=0.0)), clock)
        store.plant([candidate(f"/{number}") for number in range(10)])
        assert [lease.wait_seconds for lease in store.lease(worker="w", limit=10).leases] == [0.0, 20.0]
        batch = store.lease(worker="w", limit=10)
        assert batch.leases == ()
        assert batch.stop is None
        assert batch.retry_after_seconds is not None
        clock.now += 10.1
        assert len(store.lease(worker="w", limit=10).leases) == 1

    def test_retry_after_and_overload_close_a_host_for_everyone(self, store: CrawlControl, clock: FakeClock) -> None:
        store.plant([candidate("/a"), candidate("/b"), candidate("https://other.example/")])
        (lease,) = store.lease(worker="w", limit=1).leases
        outcome = failed(lease, can_retry=True, status=429, is_overloaded=True, retry_after_seconds=100.0)
        store.commit(worker="w", outcomes=[outcome])
        (elsewhere,) = self.another(store).lease(worker="v", limit=5).leases
        assert elsewhere.host == "other.example"
        store.commit(worker="v", outcomes=[done(elsewhere)])
        clock.now += 69.0
        assert self.another(store).lease(worker="v", limit=5).leases == ()
        clock.now += 1.5
        leases = store.lease(worker="v", limit=5).leases
        assert leases[0].wait_seconds == pytest.approx(29.5, abs=0.1)

    def test_a_host_that_asks_for_more_than_our_patience_is_not_asked_until_then(self, clock: FakeClock) -> None:
        store = self.make_store(NO_ROBOTS, clock)
        store.plant([candidate(f"/{number}") for number in range(30)] + [candidate("https://other.example/")])
        lease = next(lease for lease in store.lease(worker="w", limit=1).leases if lease.host == "site.example")
        wish = failed(lease, can_retry=True, status=429, is_overloaded=True, retry_after_seconds=3_600.0)
        store.commit(worker="w", outcomes=[wish])
        (elsewhere,) = store.lease(worker="w", limit=50).leases
        assert elsewhere.host == "other.example"
        assert self.another(store).lease(worker="v", limit=50).stop is None
        store.commit(worker="w", outcomes=[done(elsewhere)])
        batch = store.lease(worker="w", limit=50)
        assert (batch.leases, batch.stop) == ((), StopReason.ASKED_TO_WAIT)
        assert batch.retry_after_seconds == pytest.approx(3_570.0, abs=1.0)
        assert (store.statistics().queued, store.statistics().failed, store.statistics().skipped) == (30, 0, 0)
        clock.now += 3_000.0
        assert store.lease(worker="w", limit=50).stop is None
        clock.now += 600.0
        assert len(store.lease(worker="w", limit=50).leases) > 1

    def test_crawl_delay_is_kept_from_the_commit_on(self, store: CrawlControl) -> None:
        store.plant([candidate(f"/{number}") for number in range(9)])
        (lease,) = store.lease(worker="w", limit=1).leases
        store.commit(worker="w", outcomes=[done(lease, host=HostFacts(lease.host, crawl_delay_seconds=8.0))])
        leases = store.lease(worker="w", limit=9).leases
        waits = [lease.wait_seconds for lease in leases]
        assert len(waits) == 3
        assert min(later - earlier for earlier, later in pairwise([0.0, *waits])) >= 8.0
        assert leases[0].delay_seconds == 8.0

    def test_a_host_of_unknown_rules_gives_one_page_with_room_for_both_requests(self, clock: FakeClock) -> None:
        store = self.make_store(FrontierOptions(pace=PaceRules(delay_seconds=2.0)), clock)
        store.plant([candidate("/a"), candidate("/b"), candidate("/c")])
        (lease,) = store.lease(worker="w", limit=5).leases
        assert lease.asks_robots
        assert store.lease(worker="v", limit=5).leases == ()
        clock.now += 1.0
        store.commit(worker="w", outcomes=[done(lease)])
        leases = store.lease(worker="w", limit=5).leases
        assert [lease.asks_robots for lease in leases] == [False, False]
        assert leases[0].wait_seconds >= 3.0

    def test_what_one_worker_learnt_of_a_host_every_other_is_told_once(self, clock: FakeClock) -> None:
        store = self.make_store(FrontierOptions(), clock)
        store.plant([candidate(f"/{number}") for number in range(9)])
        batch = store.lease(worker="w", limit=5)
        facts = HostFacts("site.example", robots=RobotsRecord("User-agent: *"), cookies='{"a": 1}')
        store.commit(worker="w", outcomes=[done(batch.leases[0], host=facts)])
        clock.now += 100
        other = self.another(store)
        batch = other.lease(worker="v", limit=1)
        assert dict(batch.robots) == {"site.example": RobotsRecord("User-agent: *", age_seconds=pytest.approx(100))}
        assert dict(batch.cookies) == {"site.example": '{"a": 1}'}
        batch = other.lease(worker="v", limit=1)
        assert len(batch.leases) == 1
        assert (dict(batch.robots), dict(batch.cookies)) == ({}, {})

    def test_robots_rules_are_asked_for_again_after_a_day(self, clock: FakeClock) -> None:
        store = self.make_store(FrontierOptions(), clock)
        store.plant([candidate("/a"), candidate("/b"), candidate("/c")])
        (lease,) = store.lease(worker="w", limit=5).leases
        store.commit(worker="w", outcomes=[done(lease)])
        (lease,) = store.lease(worker="w", limit=1).leases
        assert not lease.asks_robots
        clock.now += 25 * 3600
        leases = store.lease(worker="w", limit=5).leases
        assert [lease.asks_robots for lease in leases] == [True]

    def test_a_host_that_never_says_what_it_allows_is_left_alone(self, clock: FakeClock) -> None:
        store = self.make_store(FrontierOptions(retries=0), clock)
        store.plant([candidate("/a"), candidate("/b"), candidate("https://other.example/")])
        lease = next(lease for lease in store.lease(worker="w", limit=5).leases if lease.host == "site.example")
        page = PageRecord(PageState.FAILED, failure=Failure.CONNECT, sentence="No robots.txt.")
        facts = HostFacts(lease.host, robots=RobotsRecord(None), is_failure=True)
        found = store.commit(worker="w", outcomes=[Outcome(lease, page, host=facts)]).statistics
        assert (found.failed, found.failures, found.urls_refused) == (1, {"no connection": 1}, {"bad host": 1})
        assert self.state(store, "https://site.example/b") == (PageState.SKIPPED, Refusal.BAD_HOST)
        store.plant([candidate("/c")])
        assert self.state(store, "https://site.example/c") == (PageState.SKIPPED, Refusal.BAD_HOST)

    def test_a_host_that_could_not_say_once_what_it_allows_is_asked_again(self, clock: FakeClock) -> None:
        store = self.make_store(FrontierOptions(retries=1), clock)
        store.plant([candidate("/a"), candidate("/b")])
        (lease,) = store.lease(worker="w", limit=5).leases
        page = PageRecord(PageState.QUEUED, failure=Failure.CONNECT, sentence="No robots.txt.", can_retry=True)
        facts = HostFacts(lease.host, robots=RobotsRecord(None), is_failure=True)
        store.commit(worker="w", outcomes=[Outcome(lease, page, host=facts)])
        assert store.statistics().queued == 2
        assert [lease.asks_robots for lease in store.lease(worker="w", limit=5).leases] == [True]

    def test_a_host_that_only_fails_is_left_alone(self, clock: FakeClock) -> None:
        pace = PaceRules(bad_host_requests=5, bad_host_ratio=0.8)
        store = self.make_store(replace(NO_ROBOTS, pace=pace), clock)
        store.plant([candidate(f"/{number}") for number in range(9)] + [candidate("https://good.example/")])
        for lease in store.lease(worker="w", limit=6).leases:
            outcome = failed(lease, can_retry=False) if lease.host == "site.example" else done(lease)
            store.commit(worker="w", outcomes=[outcome])
        left = store.lease(worker="w", limit=9).leases
        assert [lease.host for lease in left if lease.host != "good.example"] == []
        assert store.statistics().queued == 0
        assert store.statistics().urls_refused.get("bad host", 0) >= 3

    def test_a_host_has_a_budget(self, clock: FakeClock) -> None:
        store = self.make_store(replace(NO_ROBOTS, pace=PaceRules(max_pages_per_host=2)), clock)
        store.plant([candidate(f"/{number}") for number in range(4)])
        leases = store.lease(worker="w", limit=2).leases
        store.commit(worker="w", outcomes=[done(lease) for lease in leases])
        assert store.lease(worker="w", limit=9).stop is StopReason.EXHAUSTED
        assert store.statistics().urls_refused == {"over budget": 2}

    def test_the_budget_of_a_host_counts_pages_that_are_out(self, clock: FakeClock) -> None:
        store = self.make_store(replace(NO_ROBOTS, pace=PaceRules(max_pages_per_host=3)), clock)
        store.plant([candidate(f"/{number}") for number in range(9)] + [candidate("https://other.example/")])
        leases = store.lease(worker="v", limit=9).leases
        assert sorted(lease.host for lease in leases) == ["other.example", *["site.example"] * 3]
        assert store.lease(worker="w", limit=9).leases == ()
        ours = [lease for lease in leases if lease.host == "site.example"]
        store.commit(worker="v", outcomes=[failed(ours[0], can_retry=False), done(ours[1])])
        [again] = store.lease(worker="w", limit=9).leases
        store.commit(worker="w", outcomes=[done(again)])
        store.commit(worker="v", outcomes=[done(ours[2])])
        assert store.statistics().pages == 3
        assert store.statistics().urls_refused == {"over budget": 5}

    def test_who_comes_back_after_the_host_was_given_up_is_too_late(self, clock: FakeClock) -> None:
        store = self.make_store(replace(NO_ROBOTS, pace=PaceRules(bad_host_requests=2, bad_host_ratio=0.8)), clock)
        store.plant([candidate("/late")])
        (late,) = store.lease(worker="slow", limit=1).leases
        store.release(worker="slow")
        store.plant([candidate(f"/{number}", priority=0.5) for number in range(2)])
        leases = store.lease(worker="w", limit=2).leases
        store.commit(worker="w", outcomes=[failed(lease, can_retry=False) for lease in leases])
        assert self.state(store, late.url) == (PageState.SKIPPED, Refusal.BAD_HOST)
        progress = store.commit(worker="slow", outcomes=[done(late)])
        found = progress.statistics
        assert (progress.accepted, found.pages, found.skipped, found.leased) == (frozenset(), 0, 1, 0)
        assert store.lease(worker="w", limit=1).stop is StopReason.EXHAUSTED

    def test_an_outcome_of_the_batch_that_gave_its_host_up_is_too_late_as_well(self, clock: FakeClock) -> None:
        store = self.make_store(replace(NO_ROBOTS, pace=PaceRules(bad_host_requests=2, bad_host_ratio=0.8)), clock)
        store.plant([candidate("/late"), *(candidate(f"/{number}", priority=0.5) for number in range(2))])
        *bad, late = store.lease(worker="w", limit=3).leases
        store.release(worker="w")
        progress = store.commit(worker="w", outcomes=[*(failed(lease, can_retry=False) for lease in bad), done(late)])
        found = progress.statistics
        assert (found.pages, found.failed, found.skipped, found.leased, found.queued) == (0, 2, 1, 0, 0)
        assert store.lease(worker="w", limit=1).stop is StopReason.EXHAUSTED

    def test_a_redirect_to_a_host_whose_budget_is_used_up_ends_there(self, clock: FakeClock) -> None:
        """As from `site.example` to `www.site.example`, where a crawler takes these for one."""
        store = self.make_store(replace(NO_ROBOTS, pace=PaceRules(max_pages_per_host=1)), clock)
        store.plant([candidate("https://www.site.example/")])
        store.commit(worker="w", outcomes=[done(lease) for lease in store.lease(worker="w", limit=1).leases])
        bare = candidate("/a")
        store.plant([bare])
        (lease,) = store.lease(worker="w", limit=1).leases
        www = replace(bare, url="https://www.site.example/a", host="www.site.example", hops=1, retarget=True)
        page = PageRecord(PageState.REDIRECTED, status=301, target=www.url)
        store.commit(worker="w", outcomes=[Outcome(lease, page, candidates=[www])])
        assert store.lease(worker="w", limit=1).stop is StopReason.EXHAUSTED
        assert self.state(store, bare.url) == (PageState.SKIPPED, Refusal.OVER_BUDGET)
        found = store.statistics()
        assert (found.redirects, found.skipped, found.urls_refused) == (1, 1, {"over budget": 1})

    def test_a_lease_that_is_lost_after_the_budget_was_used_up_is_not_waited_for(self, clock: FakeClock) -> None:
        store = self.make_store(replace(NO_ROBOTS, pace=PaceRules(max_pages_per_host=1)), clock)
        store.plant([candidate("/late")])
        (late,) = store.lease(worker="slow", limit=1).leases
        store.release(worker="slow")
        store.plant([candidate("/lost", priority=0.5)])
        (lost,) = store.lease(worker="dead", limit=1).leases
        store.commit(worker="slow", outcomes=[done(late)])
        store.release(worker="dead")
        assert store.lease(worker="w", limit=1).stop is StopReason.EXHAUSTED
        assert self.state(store, lost.url) == (PageState.SKIPPED, Refusal.OVER_BUDGET)
