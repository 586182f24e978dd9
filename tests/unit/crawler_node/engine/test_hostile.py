"""The hostile part of the demo site, all of it: no crash, no hang, every page ends in a state with a reason."""

import asyncio
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from backend.demo_site import DemoSite
from backend.demo_site.hostile.perils import Outcome, Peril
from backend.demo_site.hostile.routes import GROUPS
from crawler_node.contracts import PageState, StopReason, TargetKind
from crawler_node.engine import seed_candidates
from crawler_node.engine.sieve import LONG_LINKS
from crawler_node.frontier import MemoryCrawlStore
from tests.unit.crawler_node.engine.crawling import Crawl, crawl, make_spec

# A crawl from the index would find one host slow and sick; here each peril is met alone, as on a site of its own.
AT_ONCE = 40
ENDED = {PageState.DONE, PageState.FAILED, PageState.SKIPPED, PageState.REDIRECTED}
PERILS = [(group, peril) for group, perils in GROUPS.items() for peril in perils]


@pytest.fixture(scope="module")
def site() -> Iterator[DemoSite]:
    with DemoSite() as site:
        yield site


@pytest.fixture(scope="module")
def crawls(site: DemoSite) -> dict[str, Crawl]:
    """Every peril met, all at once: most of them only make us wait."""
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(asyncio.run, meet_all(site)).result()


async def meet_all(site: DemoSite) -> dict[str, Crawl]:
    turn = asyncio.Semaphore(AT_ONCE)
    found = await asyncio.gather(*(meet(site, group, peril, turn) for group, peril in PERILS))
    return {peril.path: done for (_, peril), done in zip(PERILS, found, strict=True)}


async def meet(site: DemoSite, group: str, peril: Peril, turn: asyncio.Semaphore) -> Crawl:
    may_fail = peril.outcome in (Outcome.FAILS, Outcome.EITHER)
    choices: dict[str, object] = {"page_seconds": 4 if may_fail else 120, "page_mb": 3}
    if peril.outcome is not Outcome.BOUNDED:
        choices |= {"max_depth": 1, "max_pages": 30}
    spec = make_spec(site.url + peril.path, **choices)
    store = MemoryCrawlStore(spec.frontier_options(), clock=time.monotonic)
    if group == "Sitemaps":
        store.plant([replace(seed, kind=TargetKind.SITEMAP) for seed in seed_candidates(spec)])
    async with turn:
        return await crawl(spec, store=store)


@pytest.mark.parametrize(("group", "peril"), PERILS, ids=[peril.path for _, peril in PERILS])
def test_every_peril_ends_as_it_should(crawls: dict[str, Crawl], group: str, peril: Peril) -> None:
    is_for_others = group == "For browsers" and peril.outcome is Outcome.FAILS
    outcome = Outcome.EITHER if is_for_others else peril.outcome
    assert complain(outcome, crawls[peril.path]) == ""


def complain(outcome: Outcome, done: Crawl) -> str:
    """What is wrong with how a peril ended; '' when nothing is."""
    if outcome is Outcome.WAITS:
        return complain_of_waiting(done)
    if done.report.stop not in (StopReason.EXHAUSTED, StopReason.MAX_PAGES):
        return f"it stopped by {done.report.stop}"
    rows = done.store.rows.values()
    open_rows = [row.candidate.url for row in rows if row.state not in ENDED]
    if open_rows and done.report.stop is StopReason.EXHAUSTED:
        return f"left open: {open_rows}"
    nameless = [
        row.candidate.url for row in rows if row.state is PageState.FAILED and not (row.record and row.record.sentence)
    ]
    if nameless:
        return f"failed without a sentence: {nameless}"
    seed = next(iter(rows))
    last = rows_after_redirects(done)
    return complain_of(outcome, last if seed.state is PageState.REDIRECTED else [seed.state])


def complain_of_waiting(done: Crawl) -> str:
    is_told = "asks us to wait" in done.report.sentence
    states = [row.state for row in done.store.rows.values()]
    is_right = done.report.stop is StopReason.ASKED_TO_WAIT and is_told and states == [PageState.QUEUED]
    return "" if is_right else f"it stopped by {done.report.stop} in {states}"


def rows_after_redirects(done: Crawl) -> list[PageState]:
    """The states of what the seed led to by redirects alone."""
    targets = [row for row in done.store.rows.values() if row.candidate.depth == 0]
    return [row.state for row in targets if row.state is not PageState.REDIRECTED]


def complain_of(outcome: Outcome, states: list[PageState]) -> str:
    is_read = PageState.DONE in states
    is_refused = bool(states) and all(state in (PageState.FAILED, PageState.SKIPPED) for state in states)
    expected = {
        Outcome.PAGE: is_read,
        Outcome.RECOVERS: is_read,
        Outcome.FAILS: is_refused,
        Outcome.EITHER: is_read or is_refused,
        Outcome.BOUNDED: is_read,
        Outcome.REFUSED: PageState.SKIPPED in states,
    }
    return "" if expected[outcome] else f"it ended in {states}"


async def test_fifty_events_beside_the_endless_calendar_and_twenty_pages_of_sessions(site: DemoSite) -> None:
    calendar = await crawl(make_spec(f"{site.url}/hostile/calendar"))
    events = [url for url in calendar.urls(PageState.DONE) if "/event/" in url]
    assert len(events) == 50
    site.reset()
    sessions = await crawl(make_spec(f"{site.url}/hostile/session"))
    pages = [url for url in sessions.urls(PageState.DONE) if "/page/" in url]
    assert len(pages) == 20
    assert len(site.log.targets()) == 22


async def test_a_forbidden_page_is_never_asked_for(site: DemoSite) -> None:
    site.reset()
    await crawl(make_spec(f"{site.url}/hostile/directives/rel", max_pages=5))
    await crawl(make_spec(f"{site.url}/hostile/forbidden"))
    assert not [target for target in site.log.targets() if target.startswith("/hostile/forbidden")]


async def test_what_is_left_out_of_a_page_is_told_in_the_log(site: DemoSite) -> None:
    base = await crawl(make_spec(f"{site.url}/hostile/links/long-base", max_pages=3))
    assert [line.message[:40] for line in base.store.log] == ["The page's <base> is longer than 4,000 c"]
    assert max(len(row.candidate.url) for row in base.store.rows.values()) < 100
    odd = await crawl(make_spec(f"{site.url}/hostile/links/odd", max_pages=1))
    assert LONG_LINKS in [line.message for line in odd.store.log]
