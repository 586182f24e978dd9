"""The live line of a crawl says how it goes, also where pages come slowly or a limit ends it."""

import io
import json
from typing import Any

import pytest
from django.core.management.base import OutputWrapper

from backend.apps.runners.models import CrawlState, Runner, RunnerStatus
from backend.config.crawl_progress import CrawlProgress, describe


def counts(**chosen: int) -> dict[str, int]:
    return {"pages": 0, "documents": 0, "queued": 0, "leased": 0, "failed": 0} | chosen


@pytest.mark.parametrize(("max_pages", "left"), [(None, "50 s left"), (2_000, "50 s left"), (600, "10 s left")])
def test_what_is_left_ends_with_the_pages_that_the_crawler_may_fetch(max_pages: int | None, left: str) -> None:
    told = describe(counts(pages=500, queued=490, leased=10), 10.0, max_pages=max_pages)
    assert left in told.split(", ")


def test_nothing_is_left_when_the_maximum_is_reached() -> None:
    assert "left" not in describe(counts(pages=600, queued=490), 10.0, max_pages=600)


@pytest.mark.parametrize(("rate", "pace"), [(0.0, "0.0/s"), (0.1, "6/min"), (0.99, "59/min"), (2.04, "2.0/s")])
def test_a_slow_pace_is_told_by_the_minute(rate: float, pace: str) -> None:
    assert pace in describe(counts(pages=5), rate).split(", ")


def test_everything_about_a_crawl_of_hundreds_of_pages_fits_on_an_ordinary_terminal() -> None:
    told = describe(counts(pages=734, documents=712, failed=12, queued=3_456), 2.3)
    assert told == "734 pages, 712 documents, 12 failed, 25 min left, 2.3/s, 3,456 waiting"
    assert len(f"{RunnerStatus.RUNNING}: {told}") < 80


class Slow:
    """A terminal's line for a run at whose site a page comes every ten seconds."""

    def __init__(self) -> None:
        self.now, self.out = 0.0, io.StringIO()
        self.out.isatty = lambda: True  # type: ignore[method-assign]
        self.progress = CrawlProgress(OutputWrapper(self.out), clock=lambda: self.now)
        self.runner = Runner(status=RunnerStatus.RUNNING, specification={"crawler": {"max_pages": None}})

    def look(self, at: float, **chosen: int) -> str:
        self.now = at
        self.runner.crawl_state = CrawlState(statistics=json.dumps(chosen))
        self.progress.show(self.runner)
        return self.out.getvalue().rpartition("\x1b[K")[2]


def test_where_a_page_comes_every_ten_seconds_the_pace_stays_what_it_is() -> None:
    line = Slow()
    shown: list[Any] = [line.look(second, pages=second // 10, queued=30) for second in range(121)]
    assert all("6/min" in one or "7/min" in one for one in shown[60::10])
    assert not any("0.0/s" in one for one in shown[20:])


def test_a_fast_crawl_is_judged_by_its_last_seconds() -> None:
    line = Slow()
    for second in range(20):
        line.look(second, pages=second * 10, queued=1_000)
    for second in range(20, 30):
        shown = line.look(second, pages=190 + (second - 19) * 50, queued=1_000)
    assert "50.0/s" in shown


def test_a_run_that_waits_says_what_for() -> None:
    line = Slow()
    line.runner.status, line.runner.reason = RunnerStatus.QUEUED, "Waiting: no node with a free slot."
    assert line.look(0) == "queued: Waiting: no node with a free slot."
    line.runner.status = RunnerStatus.LOST
    assert line.look(1, pages=7).startswith("lost: Waiting: no node with a free slot. 7 pages, 0 documents")
