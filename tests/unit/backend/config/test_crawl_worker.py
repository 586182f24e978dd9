"""What the end of the work means for the run."""

import pytest

from backend.apps.jobs.models import Ending
from backend.config.crawl_worker import ending_of
from crawler_node.contracts import StopReason


@pytest.mark.parametrize(
    ("stop", "pages", "failed", "ending"),
    [
        (StopReason.EXHAUSTED, 1, 0, Ending.COMPLETED),
        (StopReason.EXHAUSTED, 1, 9, Ending.COMPLETED),
        (StopReason.EXHAUSTED, 0, 0, Ending.COMPLETED),
        (StopReason.EXHAUSTED, 0, 1, Ending.EXIT),
        (StopReason.WALL_TIME, 0, 1, Ending.EXIT),
        (StopReason.ERROR_RATE, 1, 9, Ending.EXIT),
        (StopReason.PAUSED, 0, 1, Ending.NONE),
    ],
)
def test_a_run_that_read_nothing_because_its_pages_failed_has_not_completed(
    stop: StopReason, pages: int, failed: int, ending: Ending
) -> None:
    counts = {"pages": pages, "failed": failed, "failures": {"no connection": failed}}
    assert ending_of(stop, counts)[0] is ending


def test_the_reason_says_what_failed_and_what_to_do() -> None:
    counts = {"pages": 0, "failed": 4, "failures": {"timeout": 1, "no connection": 3}}
    _, reason = ending_of(StopReason.EXHAUSTED, counts)
    assert reason.startswith("No page could be read: no connection (3), timeout (1). Check the start addresses")
    assert reason.endswith("Then try the failed pages again.")
