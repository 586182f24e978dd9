"""The contract of every crawl store. Inherit `CrawlStoreContract`, say how to make a store and how to look into it."""

import random
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha1
from itertools import pairwise

import pytest

from crawler_node.contracts import (
    Candidate,
    Document,
    Failure,
    HostFacts,
    Lease,
    LogLine,
    Outcome,
    PageRecord,
    PageState,
    Refusal,
    RobotsRecord,
    StopReason,
    TargetKind,
    Wish,
)
from crawler_node.frontier import CrawlControl, FrontierOptions, Strategy
from crawler_node.frontier.options import Inefficiency
from crawler_node.politeness import PaceRules
from crawler_node.urls import Canonicalizer

CANONICALIZER = Canonicalizer()
NO_ROBOTS = FrontierOptions(respect_robots=False)


class FakeClock:
    """The store's clock, turned by hand."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def candidate(url: str, *, depth: int = 0, **what: object) -> Candidate:
    found = CANONICALIZER.canonicalize(url if "://" in url else f"https://site.example{url}")
    assert found is not None
    return Candidate(found.url, found.key, found.authority, depth, **what)  # type: ignore[arg-type]


def done(lease: Lease, links: Sequence[Candidate] = (), documents: Sequence[Document] = (), **what: object) -> Outcome:
    """A page that was fetched and read."""
    page = PageRecord(
        PageState.DONE, status=200, body_bytes=100, load_seconds=0.5, process_seconds=0.25, sha1=lease.key
    )
    refused: dict[Refusal, int] = {}
    for link in links:
        if link.refusal is not None:
            refused[link.refusal] = refused.get(link.refusal, 0) + 1
    facts = HostFacts(lease.host, robots=RobotsRecord("") if lease.asks_robots else None)
    outcome = Outcome(lease, page, documents, links, facts, links_found=len(links), links_refused=refused)
    return replace(outcome, **what)  # type: ignore[arg-type]


def failed(lease: Lease, *, can_retry: bool, status: int = 500, **facts: object) -> Outcome:
    state = PageState.QUEUED if can_retry else PageState.FAILED
    page = PageRecord(state, status=status, failure=Failure.HTTP, sentence="It failed.", can_retry=can_retry)
    return Outcome(lease, page, host=HostFacts(lease.host, is_failure=True, **facts))  # type: ignore[arg-type]


def given_back(lease: Lease) -> Outcome:
    return Outcome(lease, PageRecord(PageState.QUEUED))


def document(name: str, *, value: str = "", missing: tuple[str, ...] = ()) -> Document:
    digest = sha1((value or name).encode()).digest()
    return Document({"name": name, "value": value}, digest, sha1(name.encode()).digest()[:16], missing)


class CrawlStoreContract:
    """Everything a crawl store promises."""

    def make_store(self, options: FrontierOptions, clock: FakeClock) -> CrawlControl:
        """A new, empty store."""
        raise NotImplementedError

    def another(self, store: CrawlControl) -> CrawlControl:
        """The same store as another process sees it."""
        return store

    def state(self, store: CrawlControl, url: str) -> tuple[PageState, Refusal | None]:
        """What is remembered of a URL."""
        raise NotImplementedError

    def documents(self, store: CrawlControl) -> list[dict[str, object]]:
        """The newest values of all documents that repeat no other, in the order of their sequence numbers."""
        raise NotImplementedError

    def log_lines(self, store: CrawlControl) -> list[str]:
        """The messages of the log, the oldest first."""
        raise NotImplementedError

    @pytest.fixture
    def clock(self) -> FakeClock:
        return FakeClock()

    @pytest.fixture
    def store(self, clock: FakeClock) -> CrawlControl:
        return self.make_store(NO_ROBOTS, clock)

    # --- order

    @pytest.mark.parametrize(
        ("strategy", "order"), [(Strategy.BFS, ["/0", "/1b", "/1a", "/2"]), (Strategy.DFS, ["/2", "/1b", "/1a", "/0"])]
    )
    def test_levels_go_first_then_priority(self, clock: FakeClock, strategy: Strategy, order: list[str]) -> None:
        store = self.make_store(replace(NO_ROBOTS, strategy=strategy), clock)
        store.plant([candidate("/2", depth=2, priority=0.9), candidate("/1a", depth=1), candidate("/0")])
        store.plant([candidate("/1b", depth=1, priority=0.5)])
        leases = store.lease(worker="w", limit=10).leases
        assert [lease.url.removeprefix("https://site.example") for lease in leases] == order

    def test_sitemaps_go_before_pages(self, store: CrawlControl) -> None:
        store.plant([candidate("/page"), candidate("/sitemap.xml", kind=TargetKind.SITEMAP)])
        leases = store.lease(worker="w", limit=1).leases
        assert [(lease.url, lease.kind) for lease in leases] == [
            ("https://site.example/sitemap.xml", TargetKind.SITEMAP)
        ]

    def test_no_more_than_the_limit_is_leased(self, store: CrawlControl) -> None:
        store.plant([candidate(f"/{number}") for number in range(20)])
        assert len(store.lease(worker="w", limit=7).leases) == 7
        assert store.statistics().leased == 7
        assert store.statistics().queued == 13

    def test_a_lease_is_full_although_one_host_has_most_of_the_urls(self, store: CrawlControl) -> None:
        store.plant([candidate(f"https://large.example/{number}") for number in range(40)])
        store.plant([candidate(f"https://small{number}.example/") for number in range(20)])
        leases = store.lease(worker="w", limit=50).leases
        assert len({lease.url for lease in leases}) == 50

    def test_a_large_lease_leaves_the_others_their_half(self, store: CrawlControl) -> None:
        store.plant([candidate(f"/{number}") for number in range(400)])
        assert [len(store.lease(worker=name, limit=300).leases) for name in ("u", "v", "w")] == [200, 100, 50]
        assert store.statistics().queued == 50

    def test_a_lease_carries_what_the_fetch_needs(self, store: CrawlControl) -> None:
        seed = candidate("/a", depth=3, hops=2, etag='"v1"', last_modified="yesterday")
        store.plant([seed])
        (lease,) = store.lease(worker="w", limit=1).leases
        assert (lease.url, lease.key, lease.host, lease.depth, lease.attempt) == (seed.url, seed.key, seed.host, 3, 1)
        assert (lease.hops, lease.etag, lease.last_modified) == (2, '"v1"', "yesterday")

    # --- duplicates and refusals

    def test_a_url_is_leased_once_however_often_it_is_found(self, store: CrawlControl) -> None:
        assert store.plant([candidate("/a"), candidate("/b"), candidate("/a")]) == 2
        leases = store.lease(worker="w", limit=10).leases
        links = [candidate(path, depth=1) for path in ("/a", "/b", "/c", "/c", "/d")]
        store.commit(worker="w", outcomes=[done(lease, links) for lease in leases])
        found = store.lease(worker="w", limit=10).leases
        assert sorted(lease.url[-2:] for lease in found) == ["/c", "/d"]

    def test_refused_candidates_are_remembered_with_their_reason(self, store: CrawlControl) -> None:
        store.plant([candidate("/")])
        (lease,) = store.lease(worker="w", limit=1).leases
        links = [
            candidate("/private", depth=1, refusal=Refusal.ROBOTS),
            candidate("https://o.example/", depth=1, refusal=Refusal.CROSS_SITE),
        ]
        progress = store.commit(worker="w", outcomes=[done(lease, links)])
        assert self.state(store, links[0].url) == (PageState.SKIPPED, Refusal.ROBOTS)
        assert self.state(store, links[1].url) == (PageState.SKIPPED, Refusal.CROSS_SITE)
        assert progress.statistics.links_refused == {"robots": 1, "cross-site": 1}
        assert progress.statistics.urls_refused == {"robots": 1, "cross-site": 1}
        assert progress.statistics.skipped == 2
        assert store.lease(worker="w", limit=1).stop is StopReason.EXHAUSTED

    def test_a_page_found_too_deep_is_taken_when_found_nearer(self, store: CrawlControl) -> None:
        store.plant([candidate("/x", depth=9, refusal=Refusal.TOO_DEEP), candidate("/")])
        (lease,) = store.lease(worker="w", limit=9).leases
        store.commit(worker="w", outcomes=[done(lease, [candidate("/x", depth=1)])])
        (lease,) = store.lease(worker="w", limit=9).leases
        assert (lease.url, lease.depth) == ("https://site.example/x", 1)
        assert store.statistics().urls_refused.get("too deep", 0) == 0

    def test_a_queued_page_found_nearer_moves_up(self, store: CrawlControl) -> None:
        store.plant([candidate("/far", depth=5), candidate("/mid", depth=3), candidate("/")])
        (lease,) = store.lease(worker="w", limit=1).leases
        store.commit(worker="w", outcomes=[done(lease, [candidate("/far", depth=1)])])
        leases = store.lease(worker="w", limit=9).leases
        assert [(lease.url[-4:], lease.depth) for lease in leases] == [("/far", 1), ("/mid", 3)]

    def test_a_pattern_has_a_budget(self, store: CrawlControl) -> None:
        links = [candidate(f"/calendar/{number}", pattern=77, pattern_budget=3) for number in range(5)]
        store.plant([*links, candidate("/real")])
        assert len(store.lease(worker="w", limit=10).leases) == 4
        states = [self.state(store, link.url) for link in links]
        assert states[3:] == [(PageState.SKIPPED, Refusal.TRAP)] * 2

    # --- fences, expiry, retries

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
        assert store.statistics().failed == 0

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
            assert len(store.lease(worker="w", limit=1).leases) == 1
            store.release(worker="w")
        assert store.lease(worker="w", limit=1).stop is StopReason.EXHAUSTED
        assert self.state(store, poison.url) == (PageState.FAILED, None)
        assert store.statistics().failed == 1

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

    # --- politeness

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

    def test_crawl_delay_is_kept_from_the_commit_on(self, store: CrawlControl) -> None:
        store.plant([candidate(f"/{number}") for number in range(9)])
        (lease,) = store.lease(worker="w", limit=1).leases
        store.commit(worker="w", outcomes=[done(lease, host=HostFacts(lease.host, crawl_delay_seconds=8.0))])
        leases = store.lease(worker="w", limit=9).leases
        waits = [lease.wait_seconds for lease in leases]
        assert len(waits) in (3, 4)
        assert min(later - earlier for earlier, later in pairwise(waits)) >= 8.0
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
        page = PageRecord(PageState.SKIPPED, refusal=Refusal.ROBOTS, sentence="No robots.txt.")
        facts = HostFacts(lease.host, robots=RobotsRecord(None), is_failure=True)
        store.commit(worker="w", outcomes=[Outcome(lease, page, host=facts)])
        assert self.state(store, "https://site.example/b") == (PageState.SKIPPED, Refusal.ROBOTS)
        store.plant([candidate("/c")])
        assert self.state(store, "https://site.example/c") == (PageState.SKIPPED, Refusal.ROBOTS)

    def test_a_host_that_only_fails_is_left_alone(self, clock: FakeClock) -> None:
        pace = PaceRules(bad_host_requests=5, bad_host_ratio=0.8)
        store = self.make_store(replace(NO_ROBOTS, pace=pace), clock)
        store.plant([candidate(f"/{number}") for number in range(9)] + [candidate("https://good.example/")])
        for lease in store.lease(worker="w", limit=6).leases:
            outcome = failed(lease, can_retry=False) if lease.host == "site.example" else done(lease)
            store.commit(worker="w", outcomes=[outcome])
        assert store.lease(worker="w", limit=9).stop is None or store.statistics().queued == 0
        assert store.statistics().urls_refused.get("bad host", 0) >= 3

    def test_a_host_has_a_budget(self, clock: FakeClock) -> None:
        store = self.make_store(replace(NO_ROBOTS, pace=PaceRules(max_pages_per_host=2)), clock)
        store.plant([candidate(f"/{number}") for number in range(4)])
        leases = store.lease(worker="w", limit=2).leases
        store.commit(worker="w", outcomes=[done(lease) for lease in leases])
        assert store.lease(worker="w", limit=9).stop is StopReason.EXHAUSTED
        assert store.statistics().urls_refused == {"over budget": 2}

    # --- stops

    def test_exhausted_only_when_nobody_works_any_more(self, store: CrawlControl) -> None:
        store.plant([candidate("/a")])
        (lease,) = store.lease(worker="w", limit=1).leases
        waiting = store.lease(worker="v", limit=1)
        assert (waiting.leases, waiting.stop) == ((), None)
        assert waiting.retry_after_seconds is not None
        assert 0 < waiting.retry_after_seconds <= 1.0
        store.commit(worker="w", outcomes=[done(lease)])
        assert store.lease(worker="v", limit=1).stop is StopReason.EXHAUSTED

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

    # --- documents, statistics, log

    def test_documents_are_new_changed_unchanged_or_repeated(self, store: CrawlControl) -> None:
        store.plant([candidate(path) for path in ("/a", "/b", "/c", "/d")])
        a, b, c, d = store.lease(worker="w", limit=4).leases
        first = [document("one", value="1"), document("two", value="2", missing=("price",))]
        store.commit(worker="w", outcomes=[done(a, documents=first)])
        store.commit(worker="w", outcomes=[done(b, documents=[document("copy of one", value="1")])])
        store.commit(worker="w", outcomes=[done(c, documents=[document("one", value="1")])])
        progress = store.commit(worker="w", outcomes=[done(d, documents=[document("two", value="two")])])
        assert self.documents(store) == [{"name": "one", "value": "1"}, {"name": "two", "value": "two"}]
        found = progress.statistics
        assert (found.documents, found.new_documents, found.changed_documents) == (4, 2, 1)
        assert (found.duplicate_documents, found.missing_fields, found.missing) == (1, 1, {"price": 1})

    def test_when_a_document_changes_the_oldest_of_its_copies_takes_its_place(self, store: CrawlControl) -> None:
        store.plant([candidate(f"/{number}") for number in range(4)])
        leases = store.lease(worker="w", limit=4).leases
        found = [("one", "1"), ("copy", "1"), ("another", "1"), ("one", "changed")]
        for lease, (name, value) in zip(leases, found, strict=True):
            progress = store.commit(worker="w", outcomes=[done(lease, documents=[document(name, value=value)])])
        assert self.documents(store) == [{"name": "copy", "value": "1"}, {"name": "one", "value": "changed"}]
        assert progress.statistics.duplicate_documents == 2

    def test_a_document_that_comes_to_equal_another_repeats_it(self, store: CrawlControl) -> None:
        store.plant([candidate(f"/{number}") for number in range(3)])
        leases = store.lease(worker="w", limit=3).leases
        found = [("one", "1"), ("two", "2"), ("two", "1")]
        outcomes = [
            done(lease, documents=[document(name, value=value)])
            for lease, (name, value) in zip(leases, found, strict=True)
        ]
        store.commit(worker="w", outcomes=outcomes)
        assert self.documents(store) == [{"name": "one", "value": "1"}]

    def test_equal_items_of_one_page_are_not_copies(self, store: CrawlControl) -> None:
        store.plant([candidate("/a")])
        (lease,) = store.lease(worker="w", limit=1).leases
        items = [document("left", value="same"), document("right", value="same")]
        progress = store.commit(worker="w", outcomes=[done(lease, documents=items)])
        assert len(self.documents(store)) == 2
        assert progress.statistics.duplicate_documents == 0

    def test_sums_and_times_are_exact(self, store: CrawlControl) -> None:
        store.plant([candidate("/a"), candidate("/b")])
        leases = store.lease(worker="w", limit=2).leases
        links = [candidate("/a"), candidate("/x", depth=1), candidate("/y", depth=1, refusal=Refusal.EXCLUDED)]
        store.commit(worker="w", outcomes=[done(lease, links) for lease in leases])
        found = store.statistics()
        assert (found.pages, found.bytes, found.load_seconds, found.process_seconds) == (2, 200, 1.0, 0.5)
        assert (found.links_collected, found.links_visited, found.links_refused) == (6, 3, {"excluded": 2})
        assert (found.queued, found.leased, found.skipped, found.requests) == (1, 0, 1, 2)
        assert found.http_codes == {"200": 2}

    def test_links_left_out_because_they_were_sent_before_count_as_visited(self, store: CrawlControl) -> None:
        store.plant([candidate("/a")])
        (lease,) = store.lease(worker="w", limit=1).leases
        outcome = done(lease, links_found=50, links_refused={Refusal.ROBOTS: 8}, candidates=[candidate("/n", depth=1)])
        found = store.commit(worker="w", outcomes=[outcome]).statistics
        assert (found.links_collected, found.links_visited) == (50, 41)

    def test_pages_are_kept_within_their_budget_and_the_log_says_so_once(self, clock: FakeClock) -> None:
        store = self.make_store(replace(NO_ROBOTS, keep_bytes=250), clock)
        store.plant([candidate(f"/{number}") for number in range(5)])
        clock.now += 100
        for lease in self.take_all(store, clock):
            outcome = done(lease)
            store.commit(worker="w", outcomes=[replace(outcome, page=replace(outcome.page, raw=b"x" * 100))])
        found = store.statistics()
        assert (found.pages, found.kept_bytes, found.unkept_pages) == (5, 200, 3)
        assert [line for line in self.log_lines(store) if "used up" in line] == [
            "The 0.00025 MB for kept pages are used up. The crawl goes on, but what does not fit is not kept; "
            "raise the limit in the crawler to keep more."
        ]

    def take_all(self, store: CrawlControl, clock: FakeClock) -> list[Lease]:
        leases: list[Lease] = []
        while batch := store.lease(worker="w", limit=100).leases:
            leases += batch
            clock.now += 10
        return leases

    def test_the_log_keeps_its_order(self, store: CrawlControl) -> None:
        store.commit(worker="w", outcomes=[], log=[LogLine("info", "First."), LogLine("warning", "Second.")])
        store.commit(worker="w", outcomes=[], log=[LogLine("error", "Third.", "https://site.example/")])
        assert self.log_lines(store) == ["First.", "Second.", "Third."]

    # --- everything together

    @pytest.mark.parametrize("seed", range(5))
    def test_nothing_is_lost_or_doubled_whatever_workers_do(self, clock: FakeClock, seed: int) -> None:
        """Workers lease, commit, stall, die and come back at random on a made-up site of 120 pages."""
        chance = random.Random(seed)
        store = self.make_store(replace(NO_ROBOTS, retries=50, max_broken_leases=1000), clock)
        store.plant([candidate("/0")])
        held: dict[str, list[Lease]] = {f"w{number}": [] for number in range(3)}
        accepted: list[bytes] = []
        for _ in range(5_000):
            worker = chance.choice(sorted(held))
            seen = self.another(store) if chance.random() < 0.3 else store
            action = chance.random()
            if action < 0.45:
                batch = seen.lease(worker=worker, limit=chance.randint(1, 9))
                held[worker] += batch.leases
                if batch.stop is not None:
                    break
                if not batch.leases:
                    clock.now += min(batch.retry_after_seconds or 0.0, 5.0)
            elif action < 0.9:
                chance.shuffle(held[worker])
                count = chance.randint(0, 8)
                some, held[worker] = held[worker][:count], held[worker][count:]
                outcomes = [self._random_outcome(lease, chance) for lease in some]
                progress = seen.commit(worker=worker, outcomes=outcomes)
                accepted += [
                    o.lease.key
                    for o in outcomes
                    if o.lease.fence in progress.accepted and o.page.state is PageState.DONE
                ]
            elif action < 0.95:
                held[worker] = []
                seen.release(worker=worker)
            else:
                clock.now += chance.choice([1.0, 30.0, 90.0])
        assert store.lease(worker="w0", limit=1).stop is StopReason.EXHAUSTED
        assert len(accepted) == len(set(accepted)) == 120
        assert sorted(str(values["name"]) for values in self.documents(store)) == sorted(
            f"https://site.example/{number}" for number in range(120)
        )
        found = store.statistics()
        assert (found.pages, found.documents, found.queued, found.leased) == (120, 120, 0, 0)
        assert (found.links_collected, found.links_visited) == (360, 360 - 119)

    @staticmethod
    def _random_outcome(lease: Lease, chance: random.Random) -> Outcome:
        number = int(lease.url.rpartition("/")[2])
        fate = chance.random()
        if fate < 0.1:
            return failed(lease, can_retry=True)
        if fate < 0.2:
            return given_back(lease)
        targets = ((number * 2 + 1) % 120, (number * 2 + 2) % 120, (number + 60) % 120)
        links = [candidate(f"/{target}", depth=lease.depth + 1) for target in targets]
        return done(lease, links, [document(lease.url)])
