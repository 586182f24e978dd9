"""A live Gleaner on the database the tests run on, and a demo site in a process of its own."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from backend.demo_site.options import SiteOptions
from backend.demo_site.process import SiteProcess
from tests.integration.runners.live import LiveGleaner, live_gleaner


@pytest.fixture
def gleaner(tmp_path: Path) -> Iterator[LiveGleaner]:
    with live_gleaner(tmp_path, os.environ.get("GLEANER_DATABASE_URL", "")) as live:
        yield live


@pytest.fixture(scope="module")
def site() -> Iterator[SiteProcess]:
    with SiteProcess(SiteOptions()) as running:
        yield running
