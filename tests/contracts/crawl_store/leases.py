"""Whose a page is: fences, expiry, retries, pages given back."""

from dataclasses import replace

import pytest

from crawler_node.contracts import (
    HostFacts,
    Outcome,
    PageRecord,
    PageState,
    Refusal,
    RobotsRecord,
    StopReason,
)
from crawler_node.frontier import CrawlControl, FrontierOptions
from crawler_node.frontier.suspects import SUSPECT_AFTER
from crawler_node.frontier.tally import BROKEN_SENTENCE
from crawler_node.politeness import PaceRules
from tests.contracts.crawl_store.case import StoreCase
from tests.contracts.crawl_store.making import NO_ROBOTS, FakeClock, candidate, document, done, failed, given_back


class LeasesContract(StoreCase):
    def test_an_expired_lease_passes_on_and_the_late_outcome_is_dropped_whole(
        self, store: CrawlControl, clock: FakeClock
    ) -> None:
        store.plant([candidate("/a")])
        (late,) = store.lease(worker="slow", limit=1).leases
        clock.now += 59
        assert store.lease(worker="quick", limit=1).leases == ()
        clock.now += 2
        (lease,) = store.lease(worker="quick", limit=1).leases
        assert (lease.url, lease.attempt) == (late.url, 1)
        assert lease.fence > late.fence
        progress = store.commit(worker="slow", outcomes=[done(late, [candidate("/b")], [document("one")])])
        assert progress.accepted == frozenset()
        assert (progress.statistics.pages, progress.statistics.links_collected) == (0, 0)
        assert self.documents(store) == []
        assert store.commit(worker="quick", outcomes=[done(lease)]).accepted == {lease.fence}

    def test_a_late_outcome_counts_while_nobody_took_the_lease(self, store: CrawlControl, clock: FakeClock) -> None:
        store.plant([candidate("/a"), candidate("/b")])
        late, _ = store.lease(worker="slow", limit=2).leases
        clock.now += 61
        store.lease(worker="quick", limit=0)
        assert store.commit(worker="slow", outcomes=[done(late)]).accepted == {late.fence}
        leases = store.lease(worker="quick", limit=5).leases
        assert late.url not in [lease.url for lease in leases]
        assert store.statistics().queued == 0

    def test_a_late_outcome_is_one_of_the_tries(self, clock: FakeClock) -> None:
        store = self.make_store(replace(NO_ROBOTS, retries=0), clock)
        store.plant([candidate("/a"), candidate("/b")])
        tried, unused = store.lease(worker="slow", limit=2).leases
        clock.now += 61
        store.lease(worker="quick", limit=0)
        store.commit(worker="slow", outcomes=[failed(tried, can_retry=True), given_back(unused)])
        assert self.state(store, tried.url) == (PageState.FAILED, None)
        (again,) = store.lease(worker="quick", limit=5).leases
        assert (again.url, again.attempt) == (unused.url, 1)

    def test_the_same_outcome_twice_counts_once(self, store: CrawlControl) -> None:
        store.plant([candidate("/a"), candidate("/b")])
        one, other = store.lease(worker="w", limit=2).leases
        outcomes = [done(one, documents=[document("x")]), failed(other, can_retry=True)]
        first = store.commit(worker="w", outcomes=outcomes)
        again = store.commit(worker="w", outcomes=outcomes)
        assert first.accepted == {one.fence, other.fence}
        assert again.accepted == frozenset()
        assert again.statistics == first.statistics

    def test_a_lease_given_back_is_leased_again_as_if_never_tried(self, store: CrawlControl) -> None:
        store.plant([candidate("/a")])
        (lease,) = store.lease(worker="w", limit=1).leases
        progress = store.commit(worker="w", outcomes=[given_back(lease)])
        assert progress.statistics.retries == 0
        (again,) = store.lease(worker="v", limit=1).leases
        assert (again.url, again.attempt) == (lease.url, 1)

    def test_a_failure_worth_a_retry_comes_back_later_and_later_and_then_fails(self, clock: FakeClock) -> None:
        store = self.make_store(replace(NO_ROBOTS, retries=2), clock)
        store.plant([candidate("/a")])
        for attempt, wait in ((1, 2.0), (2, 8.0)):
            (lease,) = store.lease(worker="w", limit=1).leases
            assert lease.attempt == attempt
            store.commit(worker="w", outcomes=[failed(lease, can_retry=True)])
            batch = store.lease(worker="w", limit=1)
            assert batch.leases == ()
            assert batch.retry_after_seconds == pytest.approx(wait, abs=0.01)
            clock.now += wait + 0.01
        (lease,) = store.lease(worker="w", limit=1).leases
        progress = store.commit(worker="w", outcomes=[failed(lease, can_retry=True)])
        assert self.state(store, lease.url) == (PageState.FAILED, None)
        assert (progress.statistics.retries, progress.statistics.failed) == (2, 1)
        assert progress.statistics.http_codes == {"500": 3}
        assert progress.statistics.failures == {"error status": 1}
        assert store.lease(worker="w", limit=1).stop is StopReason.EXHAUSTED

    def test_failed_pages_can_be_tried_again_on_wish(self, store: CrawlControl) -> None:
        store.plant([candidate("/a"), candidate("/b")])
        one, other = store.lease(worker="w", limit=2).leases
        store.commit(worker="w", outcomes=[failed(one, can_retry=False, status=404), done(other)])
        assert store.lease(worker="w", limit=1).stop is StopReason.EXHAUSTED
        assert store.retry_failed() == 1
        (lease,) = store.lease(worker="w", limit=5).leases
        assert (lease.url, lease.attempt) == (one.url, 1)
        assert (store.statistics().failed, store.statistics().failures) == (0, {})

    def test_a_host_that_is_well_again_is_asked_for_all_it_was_left_alone_with(self, store: CrawlControl) -> None:
        store.plant([candidate(f"/{number}") for number in range(100)])
        for lease in store.lease(worker="w", limit=20).leases:
            found = store.commit(worker="w", outcomes=[failed(lease, can_retry=False)]).statistics
        assert (found.failed, found.skipped, found.urls_refused) == (20, 80, {"bad host": 80})
        assert store.retry_failed() == 100
        assert store.plant([candidate("/new")]) == 1
        while leases := store.lease(worker="w", limit=7).leases:
            assert {lease.attempt for lease in leases} == {1}
            for lease in leases:
                found = store.commit(worker="w", outcomes=[done(lease)]).statistics
        assert (found.pages, found.failed, found.skipped, found.queued) == (101, 0, 0, 0)
        assert (found.failures, found.urls_refused) == ({}, {})

    def test_a_host_that_could_not_say_what_it_allows_is_asked_again_on_wish(self, clock: FakeClock) -> None:
        store = self.make_store(FrontierOptions(retries=0), clock)
        store.plant([candidate("/a"), candidate("/b", refusal=Refusal.ROBOTS), candidate("/c")])
        (lease,) = store.lease(worker="w", limit=5).leases
        silent = HostFacts(lease.host, robots=RobotsRecord(None), is_failure=True)
        store.commit(worker="w", outcomes=[replace(failed(lease, can_retry=False), host=silent)])
        assert store.retry_failed() == 2
        assert self.state(store, "https://site.example/b") == (PageState.SKIPPED, Refusal.ROBOTS)
        (lease,) = store.lease(worker="w", limit=5).leases
        assert lease.asks_robots
        store.commit(worker="w", outcomes=[done(lease)])
        assert len(store.lease(worker="w", limit=5).leases) == 1

    def test_a_host_whose_budget_is_used_up_is_not_asked_again(self, clock: FakeClock) -> None:
        store = self.make_store(replace(NO_ROBOTS, pace=PaceRules(max_pages_per_host=1)), clock)
        store.plant([candidate("/a"), candidate("/b"), candidate("https://other.example/")])
        for _ in range(2):
            leases = store.lease(worker="w", limit=9).leases
            outcomes = [done(lease) if lease.url.endswith("b") else failed(lease, can_retry=False) for lease in leases]
            store.commit(worker="w", outcomes=outcomes)
        assert (store.statistics().pages, store.statistics().failed) == (1, 2)
        assert store.retry_failed() == 1
        assert self.state(store, "https://site.example/a") == (PageState.SKIPPED, Refusal.OVER_BUDGET)
        (lease,) = store.lease(worker="w", limit=9).leases
        assert lease.host == "other.example"
        found = store.commit(worker="w", outcomes=[done(lease)]).statistics
        assert (found.failed, found.skipped, found.urls_refused) == (0, 1, {"over budget": 1})
        assert store.lease(worker="w", limit=9).stop is StopReason.EXHAUSTED

    def test_a_dead_workers_leases_return_at_once(self, store: CrawlControl) -> None:
        store.plant([candidate("/a"), candidate("/b"), candidate("/c")])
        held = store.lease(worker="dead", limit=2).leases
        store.lease(worker="alive", limit=1)
        assert store.release(worker="dead") == 2
        again = store.lease(worker="alive", limit=5).leases
        assert sorted(lease.url for lease in again) == sorted(lease.url for lease in held)
        assert [lease.attempt for lease in again] == [1, 1]

    def test_a_page_that_breaks_every_worker_is_given_up(self, clock: FakeClock) -> None:
        store = self.make_store(replace(NO_ROBOTS, max_broken_leases=3), clock)
        poison = candidate("/poison")
        store.plant([poison])
        for _ in range(4):
            (late,) = store.lease(worker="w", limit=1).leases
            store.release(worker="w")
        assert store.lease(worker="w", limit=1).stop is StopReason.EXHAUSTED
        assert self.state(store, poison.url) == (PageState.FAILED, None)
        assert self.sentence(store, poison.url) == BROKEN_SENTENCE
        assert self.log_lines(store) == [BROKEN_SENTENCE]
        found = store.commit(worker="w", outcomes=[done(late)]).statistics
        assert (found.failed, found.failures, found.leased, found.pages) == (1, {"extraction": 1}, 0, 0)

    def test_no_page_pays_for_one_that_breaks_every_worker(self, clock: FakeClock) -> None:
        store = self.make_store(NO_ROBOTS, clock)
        store.plant([candidate("/poison"), *(candidate(f"/{number}") for number in range(30))])
        lives = 0
        while (batch := store.lease(worker="w", limit=20)).stop is None:
            if any(lease.url.endswith("poison") for lease in batch.leases):
                store.release(worker="w")
                lives += 1
            else:
                store.commit(worker="w", outcomes=[done(lease) for lease in batch.leases])
        assert (store.statistics().pages, store.statistics().failed, lives) == (30, 1, 6)
        assert self.sentence(store, "https://site.example/poison") == BROKEN_SENTENCE

    def test_a_suspect_comes_last_and_goes_alone(self, clock: FakeClock) -> None:
        store = self.make_store(NO_ROBOTS, clock)
        suspects = [candidate("/a"), candidate("https://other.example/b")]
        store.plant(suspects)
        for _ in range(SUSPECT_AFTER):
            assert len(store.lease(worker="w", limit=2).leases) == 2
            store.release(worker="w")
        store.plant([candidate("/c"), candidate("/d")])
        innocent = store.lease(worker="w", limit=9).leases
        assert [lease.url for lease in innocent] == ["https://site.example/c", "https://site.example/d"]
        store.commit(worker="w", outcomes=[done(innocent[0])])
        waits = store.lease(worker="w", limit=9)
        assert (tuple(waits.leases), waits.stop) == ((), None)
        assert (waits.retry_after_seconds or 0.0) > 30
        store.commit(worker="w", outcomes=[done(innocent[1])])
        (alone,) = store.lease(worker="w", limit=9).leases
        (elsewhere,) = store.lease(worker="another", limit=9).leases
        assert {alone.url, elsewhere.url} == {suspect.url for suspect in suspects}
        store.plant([candidate("/e")])
        assert not store.lease(worker="w", limit=9).leases
        store.commit(worker="w", outcomes=[done(alone)])
        (last,) = store.lease(worker="w", limit=9).leases
        assert last.url == "https://site.example/e"

    def test_a_suspect_that_broke_its_worker_alone_goes_behind_the_others(self, clock: FakeClock) -> None:
        store = self.make_store(NO_ROBOTS, clock)
        store.plant([candidate("/a"), candidate("/b")])
        for _ in range(SUSPECT_AFTER):
            store.lease(worker="w", limit=2)
            store.release(worker="w")
        asked = []
        for _ in range(3):
            (lease,) = store.lease(worker="w", limit=2).leases
            asked.append(lease.url.rpartition("/")[2])
            store.release(worker="w")
        assert asked == ["a", "b", "a"]

    def test_a_suspect_that_is_found_nearer_to_the_seeds_still_comes_last(self, store: CrawlControl) -> None:
        store.plant([candidate("/suspect", depth=5)])
        for _ in range(SUSPECT_AFTER):
            store.lease(worker="w", limit=1)
            store.release(worker="w")
        store.plant([candidate("/a", depth=6), candidate("/suspect", depth=1)])
        (lease,) = store.lease(worker="w", limit=5).leases
        assert lease.url == "https://site.example/a"
        store.commit(worker="w", outcomes=[done(lease)])
        (lease,) = store.lease(worker="w", limit=5).leases
        assert (lease.url, lease.depth) == ("https://site.example/suspect", 1)
        store.commit(worker="w", outcomes=[done(lease)])
        assert store.lease(worker="w", limit=5).stop is StopReason.EXHAUSTED

    def test_a_suspect_that_is_given_back_untried_is_still_one(self, store: CrawlControl) -> None:
        store.plant([candidate("/suspect")])
        for _ in range(SUSPECT_AFTER):
            store.lease(worker="w", limit=1)
            store.release(worker="w")
        (lease,) = store.lease(worker="w", limit=5).leases
        store.commit(worker="w", outcomes=[given_back(lease)])
        store.plant([candidate("/a")])
        assert [lease.url for lease in store.lease(worker="w", limit=5).leases] == ["https://site.example/a"]

    def test_a_page_whose_lease_only_ever_expires_is_given_up_with_the_reason(self, clock: FakeClock) -> None:
        store = self.make_store(replace(NO_ROBOTS, max_broken_leases=0), clock)
        store.plant([candidate("/poison")])
        store.lease(worker="w", limit=1)
        clock.now += 61
        assert store.lease(worker="w", limit=1).stop is StopReason.EXHAUSTED
        assert self.sentence(store, "https://site.example/poison") == BROKEN_SENTENCE

    def test_a_redirect_that_set_cookies_may_ask_for_the_same_page_again(self, store: CrawlControl) -> None:
        store.plant([candidate("/a")])
        (lease,) = store.lease(worker="w", limit=1).leases
        page = PageRecord(PageState.REDIRECTED, status=302, target=lease.url)
        target = candidate("/a", hops=1, retarget=True)
        progress = store.commit(worker="w", outcomes=[Outcome(lease, page, candidates=[target])])
        assert progress.statistics.redirects == 1
        (again,) = store.lease(worker="w", limit=1).leases
        assert (again.url, again.hops) == (lease.url, 1)
        store.commit(worker="w", outcomes=[done(again)])
        store.plant([target])
        assert store.lease(worker="w", limit=1).stop is StopReason.EXHAUSTED

    def test_a_redirect_to_another_spelling_asks_for_the_same_page_under_that_one(self, store: CrawlControl) -> None:
        store.plant([candidate("/index.html")])
        (lease,) = store.lease(worker="w", limit=1).leases
        page = PageRecord(PageState.REDIRECTED, status=301, target="https://site.example/")
        target = candidate("/", hops=1, retarget=True)
        assert target.key == lease.key
        store.commit(worker="w", outcomes=[Outcome(lease, page, candidates=[target])])
        (again,) = store.lease(worker="w", limit=1).leases
        assert (again.url, again.key, again.hops, again.attempt) == (target.url, lease.key, 1, 1)
        store.commit(worker="w", outcomes=[done(again)])
        assert self.state(store, "https://site.example/") == (PageState.DONE, None)
        assert store.lease(worker="w", limit=1).stop is StopReason.EXHAUSTED

    @pytest.mark.parametrize("before", [PageState.REDIRECTED, PageState.SKIPPED])
    def test_another_spelling_may_be_at_another_host(self, store: CrawlControl, before: PageState) -> None:
        """As with and without `www.`, where a crawler takes these for one."""
        bare = candidate("/a", depth=9, refusal=Refusal.TOO_DEEP if before is PageState.SKIPPED else None)
        www = replace(bare, url="https://www.site.example/a", host="www.site.example", depth=0, refusal=None)
        store.plant([bare])
        if before is PageState.REDIRECTED:
            (lease,) = store.lease(worker="w", limit=1).leases
            page = PageRecord(before, status=301, target=www.url)
            again = replace(www, hops=1, retarget=True)
            store.commit(worker="w", outcomes=[Outcome(lease, page, candidates=[again])])
        else:
            store.plant([www])
        (lease,) = store.lease(worker="w", limit=5).leases
        assert (lease.url, lease.host) == (www.url, "www.site.example")
        store.commit(worker="w", outcomes=[done(lease)])
        assert store.lease(worker="w", limit=1).stop is StopReason.EXHAUSTED
        assert (store.statistics().queued, store.statistics().skipped) == (0, 0)

    def test_a_page_that_is_found_nearer_under_another_spelling_stays_at_its_host(self, store: CrawlControl) -> None:
        far = candidate("/a", depth=5)
        store.plant([far])
        store.plant([replace(far, url="https://www.site.example/a", host="www.site.example", depth=1)])
        (lease,) = store.lease(worker="w", limit=5).leases
        assert (lease.url, lease.host, lease.depth) == (far.url, far.host, 1)
