"""What a crawl store must let the contract see."""

import pytest

from crawler_node.contracts import (
    PageState,
    Refusal,
)
from crawler_node.frontier import CrawlControl, FrontierOptions
from tests.contracts.crawl_store.making import NO_ROBOTS, FakeClock


class StoreCase:
    """Say how to make a store and how to look into it."""

    def make_store(self, options: FrontierOptions, clock: FakeClock) -> CrawlControl:
        """A new, empty store."""
        raise NotImplementedError

    def another(self, store: CrawlControl) -> CrawlControl:
        """The same store as another process sees it."""
        return store

    def state(self, store: CrawlControl, url: str) -> tuple[PageState, Refusal | None]:
        """What is remembered of a URL."""
        raise NotImplementedError

    def sentence(self, store: CrawlControl, url: str) -> str:
        """What people are told about the last fetch of a URL."""
        raise NotImplementedError

    def documents(self, store: CrawlControl) -> list[dict[str, object]]:
        """The newest values of all documents that repeat no other, in the order of their sequence numbers."""
        raise NotImplementedError

    def addresses(self, store: CrawlControl) -> list[str]:
        """Where the documents of `documents` are, in the same order."""
        raise NotImplementedError

    def next_run(self, store: CrawlControl) -> CrawlControl:
        """The store of the next run of the same crawler."""
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
