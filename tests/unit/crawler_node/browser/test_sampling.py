"""What the lane that chooses itself looks at in a browser, and what it makes of that; its browser is played."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from crawler_node.browser import AutoLane, auto
from crawler_node.browser.evidence import Yield, differs, scripts_differ
from crawler_node.contracts import Failure, FetchedPage, FetchFailure, Lease, LogLine, PageState
from crawler_node.engine import WorkerOptions, seed_candidates
from crawler_node.engine.gate import HostGate
from crawler_node.errors import BrowserBusyError
from crawler_node.fetch.cookies import CookieShelf
from crawler_node.frontier import MemoryCrawlStore
from tests.unit.crawler_node.browser.test_auto import reader_of
from tests.unit.crawler_node.engine.crawling import make_spec, make_worker

SHELL = "<div id=app></div><script>draw()</script>"
WORDS = "words " * 200
TENT = "<h1>Tent</h1>"
READER = reader_of("", {"name": "//h1"})
Body = Callable[[str], str]


def lease_of(url: str, *, fence: int = 1, delay_seconds: float = 0.0) -> Lease:
    return Lease(url, url.encode(), "a.test", 1, 1, 0.0, fence, delay_seconds=delay_seconds)


def page_of(url: str, body: str, lane: str = "http") -> FetchedPage:
    return FetchedPage(url, 200, {"content-type": "text/html"}, body.encode(), lane=lane)


class PlayedHttp:
    """Answers at once."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.cookies = CookieShelf(is_kept=True)
        self.fetch_following = None

    async def fetch(self, lease: Lease) -> FetchedPage:
        return page_of(lease.url, self.body(lease.url))


class PlayedBrowser:
    """Shows pages at once, `failures` first; notes how many were shown, and how many at the same time at most."""

    def __init__(self, body: Body, failures: Sequence[Failure] = (), *, has_steps: bool = False) -> None:
        self.body = body
        self.failures = list(failures)
        self.has_steps = has_steps
        self.browser_slots = 2
        self.tell: Callable[[LogLine], None] = lambda _: None
        self.manners_of: Any = None
        self.shown = self.busy = self.most = 0

    def has_kept(self, _: str) -> bool:
        return False

    def acts_on(self, _: Lease) -> bool:
        return self.has_steps

    def uses_browser(self, _: Lease) -> bool:
        return True

    async def fetch(self, lease: Lease) -> FetchedPage | FetchFailure:
        self.shown += 1
        self.busy += 1
        self.most = max(self.most, self.busy)
        await asyncio.sleep(0.01)
        self.busy -= 1
        if self.failures:
            return FetchFailure(lease.url, self.failures.pop(0), "It did not work.", can_retry=True)
        return page_of(lease.url, self.body(lease.url), "browser")


def lane_of(http: Body, browser: PlayedBrowser) -> tuple[AutoLane, list[LogLine]]:
    lines: list[LogLine] = []
    lane = AutoLane(PlayedHttp(http), browser, READER)  # type: ignore[arg-type]
    lane.tell = lines.append
    return lane, lines


async def lanes_of(lane: AutoLane, urls: Sequence[str]) -> list[str]:
    return [(await lane.fetch(lease_of(url))).lane for url in urls]  # type: ignore[union-attr]


async def test_a_hundred_shops_drawn_by_scripts_all_go_to_the_browser() -> None:
    lane, _ = lane_of(lambda _: SHELL, PlayedBrowser(lambda _: TENT))
    urls = [f"http://shop{host}.test{path}" for host in range(100) for path in ("/", "/p/1", "/p/2", "/p/3")]
    assert set(await lanes_of(lane, urls)) == {"browser"}


async def test_a_scripted_kind_that_comes_after_many_others_goes_to_the_browser() -> None:
    lane, _ = lane_of(lambda url: SHELL if "/shop/" in url else f"{TENT}{WORDS}", PlayedBrowser(lambda _: TENT))
    await lanes_of(lane, [f"http://a.test/k{chr(97 + kind)}/{page}" for kind in range(25) for page in range(2)])
    assert set(await lanes_of(lane, [f"http://a.test/shop/{page}" for page in range(9)])) == {"browser"}


async def test_a_site_of_many_plain_kinds_is_looked_at_within_the_budget_and_people_are_told_once() -> None:
    lane, lines = lane_of(lambda _: f"{TENT}{WORDS}", browser := PlayedBrowser(lambda _: f"{TENT}{WORDS}"))
    await lanes_of(lane, [f"http://shop{host}.test/p/{page}" for host in range(100) for page in range(3)])
    assert browser.shown <= 40 + 0.02 * 300 + 1
    [line] = [line for line in lines if line.level == "warning"]
    assert "stay on HTTP until there is time to look at one in a browser" in line.message


async def test_what_a_browser_could_not_show_is_no_evidence() -> None:
    lane, lines = lane_of(lambda _: SHELL, PlayedBrowser(lambda _: TENT, [Failure.BROKEN] * 3))
    lanes = await lanes_of(lane, [f"http://a.test/p/{page}" for page in range(9)])
    assert lanes == ["http"] * 3 + ["browser"] * 6
    assert not any("stay on HTTP" in line.message for line in lines)


async def test_a_kind_that_browsers_never_show_is_left_to_http() -> None:
    lane, _ = lane_of(lambda _: SHELL, browser := PlayedBrowser(lambda _: TENT, [Failure.BROKEN] * 99))
    assert set(await lanes_of(lane, [f"http://a.test/p/{page}" for page in range(40)])) == {"http"}
    assert browser.shown == 5


async def test_a_required_step_that_fails_fails_the_page() -> None:
    browser = PlayedBrowser(lambda _: TENT, [Failure.ACTION] * 8, has_steps=True)
    lane, _ = lane_of(lambda _: TENT, browser)
    answers = [await lane.fetch(lease_of(f"http://a.test/p/{page}")) for page in range(8)]
    assert [getattr(answer, "failure", None) for answer in answers] == [Failure.ACTION] * 8


@pytest.mark.parametrize("placeholder", ["{{ item.name }}", "Loading…", "–"])
async def test_placeholders_that_scripts_fill_in_send_their_pages_to_the_browser(placeholder: str) -> None:
    lane, lines = lane_of(lambda _: f"<h1>{placeholder}</h1>", PlayedBrowser(lambda _: TENT))
    first, second = [await lane.fetch(lease_of(f"http://a.test/p/{page}")) for page in range(2)]
    assert (first.lane, first.requests, second.lane) == ("browser", 3, "browser")  # type: ignore[union-attr]
    assert lines[0].message.endswith("a browser reads other values than HTTP, which gives the same twice.")


async def test_a_server_that_answers_anew_each_time_stays_on_http() -> None:
    numbers = count()

    def anew(_: str) -> str:
        links = "".join(f"<a href='/p/{next(numbers)}'>also</a>" for _ in range(3))
        return f"<h1>Visitor {next(numbers)}</h1>{links}"

    lane, lines = lane_of(anew, PlayedBrowser(anew))
    assert set(await lanes_of(lane, [f"http://a.test/p/{page}" for page in range(4)])) == {"http"}
    assert [line.message.partition(":")[0] for line in lines] == ["Pages like a.test/p/* stay on HTTP"]


LINKS = frozenset({"http://a/x", "http://a/y"})
SAID = Yield(1, 1, LINKS, (b"a",))


@pytest.mark.parametrize(
    ("plain", "again", "rendered", "sentence"),
    [
        (
            Yield(1, 1, LINKS, (b"a",)),
            Yield(1, 1, LINKS, (b"a",)),
            Yield(1, 1, LINKS, (b"b",)),
            "a browser reads other",
        ),
        (Yield(1, 1, LINKS, (b"a",)), Yield(1, 1, LINKS, (b"c",)), Yield(1, 1, LINKS, (b"b",)), ""),
        (
            *(Yield(1, 1, LINKS), Yield(1, 1, LINKS), Yield(1, 1, frozenset({"http://a/x", "http://a/z"}))),
            "a browser finds 1 link that HTTP does not, such as http://a/z",
        ),
        (Yield(1, 1, LINKS), Yield(1, 1, frozenset({"http://a/x"})), Yield(1, 1, frozenset({"http://a/z"})), ""),
    ],
)
def test_scripts_did_it_where_http_gives_the_same_twice(
    plain: Yield, again: Yield, rendered: Yield, sentence: str
) -> None:
    assert differs(plain, rendered)
    assert scripts_differ(plain, again, rendered).startswith(sentence)
    assert bool(scripts_differ(plain, again, rendered)) is bool(sentence)


@pytest.mark.parametrize("rendered", [SAID, Yield(1, 1, frozenset(), (b"a",)), Yield(1, 0, LINKS)])
def test_a_browser_that_shows_the_same_or_less_makes_no_doubt(rendered: Yield) -> None:
    assert not differs(SAID, rendered)


# --- many pages at once


async def test_pages_of_a_kind_are_shown_at_once_as_soon_as_it_is_decided() -> None:
    lane, _ = lane_of(lambda _: SHELL, browser := PlayedBrowser(lambda _: TENT))
    await asyncio.gather(*(lane.fetch(lease_of(f"http://a.test/p/{page}")) for page in range(8)))
    assert (browser.shown, browser.most) == (8, 7)


async def test_kinds_are_looked_at_beside_each_other() -> None:
    lane, _ = lane_of(lambda _: SHELL, browser := PlayedBrowser(lambda _: TENT))
    await asyncio.gather(*(lane.fetch(lease_of(f"http://shop{host}.test/")) for host in range(8)))
    assert browser.most == 8


async def test_pages_that_wait_for_their_hosts_turn_do_not_wait_for_each_other() -> None:
    """One has the turn because it asked for robots.txt, another wants it for its browser."""
    gate = HostGate(clock=time.monotonic, max_in_flight=4)
    lane, _ = lane_of(lambda _: SHELL, PlayedBrowser(lambda _: TENT))
    lane.ask_again = lambda lease: gate.ask_again(lease.host, fence=lease.fence, gap_seconds=0.05, in_browser=True)

    async def work(lease: Lease, *, asks_robots: bool) -> None:
        gate.enter(lease.host, gap_seconds=0.05)
        if asks_robots:
            await gate.ask_again(lease.host, fence=lease.fence, gap_seconds=0.05)
            await asyncio.sleep(0.1)
        await lane.fetch(lease)
        gate.leave(lease.host, fence=lease.fence, gap_seconds=0.05)

    async with asyncio.timeout(30), asyncio.TaskGroup() as tasks:
        tasks.create_task(work(lease_of("http://a.test/p/1", fence=1, delay_seconds=0.05), asks_robots=True))
        await asyncio.sleep(0.07)
        tasks.create_task(work(lease_of("http://a.test/p/2", fence=2, delay_seconds=0.05), asks_robots=False))


async def test_a_page_that_waits_too_long_for_another_of_its_kind_is_given_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(auto, "_WAIT_SECONDS", 0.0)
    lane, _ = lane_of(lambda _: SHELL, PlayedBrowser(lambda _: TENT))
    first = asyncio.create_task(lane.fetch(lease_of("http://a.test/p/1")))
    await asyncio.sleep(0)
    with pytest.raises(BrowserBusyError, match=r"It comes again later\."):
        await lane.fetch(lease_of("http://a.test/p/2"))
    await first


class BusyLane:
    """A lane whose browsers are busy the first time each page is asked for; at most `slots` are wanted at once."""

    def __init__(self) -> None:
        self.cookies = CookieShelf(is_kept=True)
        self.browser_slots = 2
        self.tell: Callable[[LogLine], None] = lambda _: None
        self.manners_of: Any = None
        self.asked: list[str] = []
        self.busy = self.most = 0

    def uses_browser(self, _: Lease) -> bool:
        return True

    async def fetch(self, lease: Lease) -> FetchedPage:
        self.asked.append(lease.url)
        self.busy += 1
        self.most = max(self.most, self.busy)
        await asyncio.sleep(0.01)
        self.busy -= 1
        if self.asked.count(lease.url) == 1:
            raise BrowserBusyError("No browser was free in time. The page is tried again later.")
        return page_of(lease.url, TENT, "browser")


async def test_a_page_for_which_no_browser_was_free_comes_again_and_no_more_are_begun_than_there_are_browsers() -> None:
    seeds = [f"http://a.test/p/{page}" for page in range(9)]
    spec = replace(make_spec(seeds[0], seeds=seeds, respect_robots=False), threads=8)
    store = MemoryCrawlStore(spec.frontier_options(), clock=time.monotonic)
    store.plant(seed_candidates(spec))
    lane = BusyLane()
    await make_worker(spec, store, lane, options=WorkerOptions(threads=8)).run()  # type: ignore[arg-type]
    assert sorted(lane.asked) == sorted(seeds * 2)
    assert lane.most == 2
    assert {row.state for row in store.rows.values()} == {PageState.DONE}
