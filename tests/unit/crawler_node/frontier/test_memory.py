"""The store in memory keeps the contract."""

from crawler_node.contracts import PageState, Refusal
from crawler_node.frontier import CrawlControl, FrontierOptions, MemoryCrawlStore
from tests.contracts.crawl_store import CrawlStoreContract, FakeClock, candidate


def inside(store: CrawlControl) -> MemoryCrawlStore:
    assert isinstance(store, MemoryCrawlStore)
    return store


class TestMemoryCrawlStore(CrawlStoreContract):
    def make_store(self, options: FrontierOptions, clock: FakeClock) -> CrawlControl:
        self.options, self.now = options, clock
        return MemoryCrawlStore(options, clock=clock)

    def next_run(self, store: CrawlControl) -> CrawlControl:
        return MemoryCrawlStore(self.options, clock=self.now, documents=inside(store).documents)

    def state(self, store: CrawlControl, url: str) -> tuple[PageState, Refusal | None]:
        row = inside(store).rows[candidate(url).key]
        return row.state, row.refusal

    def sentence(self, store: CrawlControl, url: str) -> str:
        record = inside(store).rows[candidate(url).key].record
        return record.sentence if record is not None else ""

    def documents(self, store: CrawlControl) -> list[dict[str, object]]:
        kept = sorted(inside(store).documents.kept.values(), key=lambda kept: kept.sequence)
        return [dict(each.versions[-1].values) for each in kept if each.duplicate_of is None]

    def addresses(self, store: CrawlControl) -> list[str]:
        kept = sorted(inside(store).documents.kept.values(), key=lambda kept: kept.sequence)
        return [each.url for each in kept if each.duplicate_of is None]

    def log_lines(self, store: CrawlControl) -> list[str]:
        return [line.message for line in inside(store).log]
