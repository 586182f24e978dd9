"""Which page is next."""

from dataclasses import replace

import pytest

from crawler_node.contracts import (
    TargetKind,
)
from crawler_node.frontier import CrawlControl, Strategy
from tests.contracts.crawl_store.case import StoreCase
from tests.contracts.crawl_store.making import NO_ROBOTS, FakeClock, candidate, done, failed


class OrderContract(StoreCase):
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

    def test_what_a_page_leads_to_may_turn_out_to_be_a_sitemap(self, store: CrawlControl) -> None:
        store.plant([candidate("/sitemap.xml", depth=1), candidate("/page")])
        store.plant([candidate("/sitemap.xml", kind=TargetKind.SITEMAP)])
        leases = store.lease(worker="w", limit=9).leases
        assert [(lease.url[-5:], lease.kind) for lease in leases] == [
            ("p.xml", TargetKind.SITEMAP),
            ("/page", TargetKind.PAGE),
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

    def test_hosts_with_work_are_found_behind_many_whose_pages_wait(self, store: CrawlControl) -> None:
        store.plant([candidate(f"https://host{number}.example/") for number in range(9)])
        leases = store.lease(worker="w", limit=9).leases
        store.plant([candidate("/a"), candidate("/b")])
        (lease,) = store.lease(worker="w", limit=1).leases
        store.commit(worker="w", outcomes=[done(lease), *(failed(each, can_retry=True) for each in leases)])
        (lease,) = store.lease(worker="w", limit=3).leases
        assert lease.url == "https://site.example/b"
