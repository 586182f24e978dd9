"""What is stored of a page: documents, statistics, the log."""

from collections.abc import Sequence
from dataclasses import replace

from crawler_node.contracts import (
    Document,
    Lease,
    LogLine,
    Refusal,
    Statistics,
)
from crawler_node.frontier import CrawlControl
from tests.contracts.crawl_store.case import StoreCase
from tests.contracts.crawl_store.making import NO_ROBOTS, FakeClock, candidate, document, done


class StoringContract(StoreCase):
    def crawl(self, store: CrawlControl, pages: dict[str, list[Document]]) -> Statistics:
        """A run that finds these documents, a page after the other."""
        store.plant([candidate(path) for path in pages])
        by_path = {lease.url.removeprefix("https://site.example"): lease for lease in self.take(store, len(pages))}
        for path, documents in pages.items():
            store.commit(worker="w", outcomes=[done(by_path[path], documents=documents)])
        return store.statistics()

    def take(self, store: CrawlControl, count: int) -> Sequence[Lease]:
        return store.lease(worker="w", limit=count).leases

    def test_documents_are_new_changed_unchanged_or_repeated(self, store: CrawlControl) -> None:
        first = [document("one", value="1"), document("two", value="2", missing=("price",))]
        pages = {"/a": first, "/b": [document("copy of one", value="1")], "/c": [document("one", value="1")]}
        found = self.crawl(store, pages)
        assert self.documents(store) == [{"name": "one", "value": "1"}, {"name": "two", "value": "2"}]
        assert (found.documents, found.new_documents, found.changed_documents) == (3, 2, 0)
        assert (found.pages, found.fruitful_pages) == (3, 2)  # a page whose only document is a copy bore no fruit
        assert (found.duplicate_documents, found.missing_fields, found.missing) == (1, 1, {"price": 1})
        store = self.next_run(store)
        found = self.crawl(store, {"/a": [document("one", value="1"), document("two", value="two")]})
        assert self.documents(store) == [{"name": "one", "value": "1"}, {"name": "two", "value": "two"}]
        assert (found.documents, found.new_documents, found.changed_documents) == (2, 0, 1)

    def test_when_a_document_changes_the_oldest_of_its_copies_takes_its_place(self, store: CrawlControl) -> None:
        names = ("one", "copy", "another")
        found = self.crawl(store, {f"/{name}": [document(name, value="1")] for name in names})
        assert found.duplicate_documents == 2
        store = self.next_run(store)
        self.crawl(store, {"/one": [document("one", value="changed")]})
        assert self.documents(store) == [{"name": "copy", "value": "1"}, {"name": "one", "value": "changed"}]

    def test_its_copy_takes_its_place_also_where_the_values_it_had_are_met_in_the_same_moment(
        self, store: CrawlControl
    ) -> None:
        self.crawl(store, {"/a": [document("lamp", value="old")], "/b": [document("chair", value="old")]})
        assert self.documents(store) == [{"name": "lamp", "value": "old"}]
        store = self.next_run(store)
        found = self.crawl(store, {"/a": [document("lamp", value="new"), document("lamp", value="old")]})
        assert (found.changed_documents, found.clashing_documents) == (1, 1)
        assert sorted(str(shown["name"]) for shown in self.documents(store)) == ["chair", "lamp"]

    def test_no_copy_is_lost_with_a_document_that_moves_to_another_page(self, store: CrawlControl) -> None:
        names = ("lamp", "chair", "table")
        self.crawl(store, {f"/{name}": [document(name, value="same")] for name in names})
        store = self.next_run(store)
        lamp, chair = document("lamp", value="same"), document("chair", value="same")
        found: dict[str, list[Document]] = {"/lamp": [], "/chair": [chair], "/new": [lamp]}
        store.plant([candidate(path) for path in found])
        by_path = {lease.url.removeprefix("https://site.example"): lease for lease in self.take(store, 3)}
        store.commit(worker="w", outcomes=[done(by_path[path], documents=found[path]) for path in found])
        assert len(self.documents(store)) == 1
        store = self.next_run(store)
        self.crawl(store, {"/new": [document("lamp")], "/chair": [document("chair")]})
        assert sorted(str(shown["name"]) for shown in self.documents(store)) == sorted(names)

    def test_a_document_that_comes_to_equal_another_repeats_it(self, store: CrawlControl) -> None:
        self.crawl(store, {"/1": [document("one", value="1")], "/2": [document("two", value="2")]})
        store = self.next_run(store)
        self.crawl(store, {"/2": [document("two", value="1")]})
        assert self.documents(store) == [{"name": "one", "value": "1"}]

    def test_the_first_page_of_a_document_has_the_say(self, store: CrawlControl) -> None:
        """A key that is not unique makes no versions, run after run, and the log says so once."""
        pages = {path: [document("lamp", value=path)] for path in ("/a", "/b", "/c")}
        found = self.crawl(store, pages)
        assert (found.documents, found.duplicate_documents, found.clashing_documents) == (1, 2, 2)
        assert self.documents(store) == [{"name": "lamp", "value": "/a"}]
        (told,) = self.log_lines(store)
        assert told.startswith("The key is not unique: documents with the same key have different values on ")
        assert "https://site.example/a and https://site.example/b, for example." in told
        found = self.crawl(store := self.next_run(store), pages)
        assert (found.documents, found.changed_documents, found.clashing_documents) == (1, 0, 2)
        assert self.documents(store) == [{"name": "lamp", "value": "/a"}]

    def test_of_documents_with_the_same_key_on_one_page_the_first_counts(self, store: CrawlControl) -> None:
        lamps = [document("lamp", value="left"), document("lamp", value="right")]
        for _ in range(2):
            found = self.crawl(store, {"/a": lamps})
            assert (found.documents, found.changed_documents, found.clashing_documents) == (1, 0, 1)
            assert self.documents(store) == [{"name": "lamp", "value": "left"}]
            store = self.next_run(store)

    def test_a_document_that_moves_has_its_new_address_and_is_news(self, store: CrawlControl) -> None:
        self.crawl(store, {"/old": [document("lamp")], "/else": [document("chair")]})
        store = self.next_run(store)
        found = self.crawl(store, {"/new": [document("lamp")]})
        assert (found.documents, found.new_documents, found.changed_documents) == (1, 0, 0)
        assert self.addresses(store) == ["https://site.example/else", "https://site.example/new"]

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

    def test_what_repeated_a_document_stands_by_itself_again_together_with_its_equals_on_the_same_page(
        self, store: CrawlControl
    ) -> None:
        store.plant([candidate("/a"), candidate("/b")])
        a, b = store.lease(worker="w", limit=2).leases
        store.commit(worker="w", outcomes=[done(a, documents=[document("first", value="same")])])
        equals = [document("second", value="same"), document("third", value="same")]
        store.commit(worker="w", outcomes=[done(b, documents=equals)])
        assert [found["name"] for found in self.documents(store)] == ["first"]
        again = self.next_run(store)
        again.plant([candidate("/a"), candidate("/b")])
        a, b = again.lease(worker="w", limit=2).leases
        again.commit(worker="w", outcomes=[done(a, documents=[document("first", value="other")])])
        assert sorted(str(found["name"]) for found in self.documents(again)) == ["first", "second", "third"]
        found = again.commit(worker="w", outcomes=[done(b, documents=equals)]).statistics
        assert (found.documents, found.duplicate_documents) == (3, 0)
