"""What is found again, and what is not asked for, with the reason."""

from crawler_node.contracts import (
    PageState,
    Refusal,
    StopReason,
)
from crawler_node.frontier import CrawlControl
from tests.contracts.crawl_store.case import StoreCase
from tests.contracts.crawl_store.making import candidate, done


class RefusalsContract(StoreCase):
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
