"""A short `./gleaner chaos crawl`: a worker is killed at random points, and nothing is lost or asked for in vain."""

import pytest

from tests.chaos.crawl import Report, Steps, break_crawl
from tests.integration.runners.live import LiveGleaner

pytestmark = pytest.mark.live


def test_a_crawl_survives_being_killed_at_random_points(gleaner: LiveGleaner) -> None:
    """A kill comes too late when this process is held up, so the site is slowed down until none does."""
    for latency_seconds in (0.05, 0.5, 3.0):
        folder = gleaner.folder / f"latency-{latency_seconds}"
        folder.mkdir()
        report = break_crawl(Steps(gleaner.env), folder, pages=150, kills=3, seed=7, latency_seconds=latency_seconds)
        assert (report.lost, report.doubled, report.needless) == (0, 0, 0)
        if not report.skipped:
            break
    assert report == Report(kills=3)
