"""A live Gleaner and a demo site for each module."""

import os
from collections.abc import Iterator

import pytest

from tests.integration.runners.conftest import site
from tests.integration.runners.live import LiveGleaner, live_gleaner

__all__ = ["gleaner", "site"]


@pytest.fixture(scope="module")
def gleaner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveGleaner]:
    with live_gleaner(tmp_path_factory.mktemp("browser"), os.environ.get("GLEANER_DATABASE_URL", "")) as live:
        yield live
