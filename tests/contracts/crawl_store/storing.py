"""What is stored of a page: documents, statistics, the log."""

from dataclasses import replace

from crawler_node.contracts import (
    Lease,
    LogLine,
    Refusal,
)
from crawler_node.frontier import CrawlControl
from tests.contracts.crawl_store.case import StoreCase
from tests.contracts.crawl_store.making import NO_ROBOTS, FakeClock, candidate, document, done


class StoringContract(StoreCase):
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
        assert (found.pages, found.fruitful_pages) == (4, 3)  # a page whose only document is a copy bore no fruit
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
