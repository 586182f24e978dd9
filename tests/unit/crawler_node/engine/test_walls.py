"""A page that only a person can open: its worker stops, and nothing is lost or counted as failed."""

import time

from crawler_node.contracts import Failure, FetchFailure, Lease, LogLine, PageState, StopReason
from crawler_node.engine import seed_candidates
from crawler_node.fetch import HttpLane, LaneOptions
from crawler_node.frontier import MemoryCrawlStore
from tests.unit.crawler_node.engine.crawling import make_spec, make_worker

SENTENCE = "The website wants to see that a person is there."


class WalledLane(HttpLane):
    """A website behind a captcha."""

    async def fetch(self, lease: Lease) -> FetchFailure:
        return FetchFailure(lease.url, Failure.WALL, SENTENCE, can_retry=False, status=403)


async def test_a_wall_stops_the_worker_and_gives_its_pages_back() -> None:
    spec = make_spec("http://a.test/", respect_robots=False)
    store = MemoryCrawlStore(spec.frontier_options(), clock=time.monotonic)
    store.plant(seed_candidates(spec))
    async with WalledLane(LaneOptions()) as lane:
        worker = make_worker(spec, store, lane)
        worker.note(LogLine("info", "Something to know."))
        report = await worker.run()
    assert (report.stop, report.sentence) == (StopReason.PERSON, SENTENCE)
    assert (report.statistics.failed, report.statistics.queued) == (0, 1)
    assert [row.state for row in store.rows.values()] == [PageState.QUEUED]
    assert [line.message for line in store.log] == ["Something to know.", SENTENCE]
