"""A short `./gleaner chaos crawl`: a worker is killed at random points, and nothing is lost or asked for in vain."""

import pytest

from tests.chaos.crawl import Report, Steps, break_crawl
from tests.integration.runners.live import LiveGleaner

pytestmark = [pytest.mark.live, pytest.mark.timeout(280)]


def test_a_crawl_survives_being_killed_at_random_points(gleaner: LiveGleaner) -> None:
    report = break_crawl(Steps(gleaner.env), gleaner.folder, pages=150, kills=3, seed=7)
    assert report == Report(kills=3)
