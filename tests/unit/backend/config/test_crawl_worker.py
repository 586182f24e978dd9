"""What the end of the work means for the run, and how its supervisor sees what it reads."""

from pathlib import Path

import pytest

from backend.apps.jobs.models import Ending
from backend.config.crawl_worker import ending_of, watched
from crawler_node.contracts import FetchedPage, PageReading, StopReason
from crawler_node.extract.watch import PageInWork, PageWatch, WatchReader


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
    failures = {"no connection": failed} if failed else {}
    counts = {"pages": pages, "failed": failed, "failures": failures, "urls_refused": {}}
    assert ending_of(stop, counts)[0] is ending


def test_the_reason_says_what_failed_and_what_to_do() -> None:
    counts = {"pages": 0, "failed": 4, "failures": {"timeout": 1, "no connection": 3}, "urls_refused": {}}
    _, reason = ending_of(StopReason.EXHAUSTED, counts)
    assert reason.startswith("No page could be read: no connection (3), timeout (1). Check the start addresses")
    assert reason.endswith("Then try the failed pages again.")


def test_a_run_whose_every_address_was_refused_says_why_and_has_not_completed() -> None:
    counts = {"pages": 0, "failed": 0, "failures": {}, "urls_refused": {"forbidden address": 2}}
    ending, reason = ending_of(StopReason.EXHAUSTED, counts)
    assert ending is Ending.EXIT
    assert reason.startswith("No page could be read: forbidden address (2).")
    assert reason.endswith("must be allowed (GLEANER_ALLOW_NETWORKS, --allow-network).")
    assert ending_of(StopReason.EXHAUSTED, {**counts, "pages": 1})[0] is Ending.COMPLETED


def test_the_watch_shows_the_page_that_is_read(tmp_path: Path) -> None:
    outside, seen = WatchReader(tmp_path / "watch"), list[PageInWork | None]()

    def reader(page: FetchedPage) -> PageReading:
        seen.append(outside.current())
        return PageReading(page.url)

    watch = PageWatch(tmp_path / "watch")
    page = FetchedPage("https://site.example/there", 200, {}, b"", requested_url="https://site.example/asked")
    assert watched(reader, watch)(page) == PageReading(page.url)
    assert [each.url if each else None for each in seen] == ["https://site.example/asked"]
    assert outside.current() is None
    watch.close()
