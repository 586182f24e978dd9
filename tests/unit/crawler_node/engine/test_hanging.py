"""A page that hangs its worker is failed by the supervisor, and nothing else is."""

import time
from pathlib import Path

from crawler_node.contracts import FetchedPage, PageReading, PageState
from crawler_node.engine import build_worker, seed_candidates
from crawler_node.engine.hanging import hung_outcome, watch_token
from crawler_node.extract.watch import PageInWork, PageWatch, WatchReader
from crawler_node.frontier import FrontierOptions, MemoryCrawlStore
from tests.contracts.crawl_store import candidate
from tests.unit.crawler_node.engine.crawling import make_lane, make_spec
from tests.unit.crawler_node.engine.test_worker import page
from tests.unit.crawler_node.fetch.conftest import MakeSite, make_site

__all__ = ["make_site"]


def test_the_supervisor_speaks_for_the_lease_of_the_hung_page() -> None:
    store = MemoryCrawlStore(FrontierOptions(respect_robots=False), clock=lambda: 0.0)
    store.plant([candidate("/hangs"), candidate("/waits")])
    hangs, waits = store.lease(worker="w", limit=2).leases
    outcome = hung_outcome(PageInWork(hangs.url, watch_token(hangs), 31.0))
    assert outcome is not None
    store.commit(worker="supervisor", outcomes=[outcome])
    assert store.release(worker="w") == 1
    row = store.rows[hangs.key]
    assert row.state is PageState.FAILED
    assert row.record is not None
    assert "took more than 31 s" in row.record.sentence
    assert store.rows[waits.key].state is PageState.QUEUED


def test_a_token_of_something_else_is_nobodys() -> None:
    assert hung_outcome(PageInWork("https://site.example/", b"", 31.0)) is None


async def test_the_watch_shows_the_page_that_is_read(make_site: MakeSite, tmp_path: Path) -> None:
    site = await make_site({"/": page()})
    spec = make_spec(site.url())
    store = MemoryCrawlStore(spec.frontier_options(), clock=time.monotonic)
    store.plant(seed_candidates(spec))
    watched: list[PageInWork | None] = []
    outside = WatchReader(tmp_path / "watch")

    def reader(fetched: FetchedPage) -> PageReading:
        watched.append(outside.current())
        return PageReading(fetched.url)

    watch = PageWatch(tmp_path / "watch")
    async with make_lane(spec) as lane:
        await build_worker(spec, name="w", store=store, lane=lane, reader=reader, watch=watch).run()
    assert [each.url if each else None for each in watched] == [site.url()]
    assert outside.current() is None
    watch.close()
