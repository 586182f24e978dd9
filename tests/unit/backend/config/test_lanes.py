"""Lanes on a machine that has no browser, or whose operator lets it have few."""

from types import SimpleNamespace
from typing import Any

import pytest

from backend.apps.nodes.services import MEMORY_PER_BROWSER
from backend.config.lanes import browser_options, machine_slots, open_lane
from backend.config.launching import own_slots
from crawler_node.contracts import FetchedPage, PageReading
from crawler_node.engine import CrawlSpec
from crawler_node.errors import BrowserMissingError
from crawler_node.extract.spec import parse_template
from crawler_node.fetch import HttpLane, LaneOptions

LOGIN = {"url": "https://shop.example/login", "actions": [{"type": "click", "selector": "//a"}], "logged_out": ""}
DISMISS = [{"type": "dismiss_overlays"}]
NEEDING = [{"lane": "browser"}, {"lane": "auto", "login": LOGIN}, {"lane": "auto", "actions": DISMISS}]


@pytest.fixture(autouse=True)
def _no_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")


def read(page: FetchedPage) -> PageReading:
    return PageReading(page.url)


def opening(*, actions: list[dict[str, Any]] | None = None, **options: Any) -> Any:
    spec = CrawlSpec.from_json({"seeds": ["https://shop.example/"], **options})
    inspectors = [{"name": "a", "selector": "//h1"}]
    template = parse_template({"name": "t", "inspectors": inspectors, "actions": actions or []})
    return open_lane(spec, template, read, allow_networks=())


async def test_the_lane_that_chooses_itself_stays_on_http_and_says_so() -> None:
    async with opening(lane="auto") as opened:
        assert isinstance(opened.lane, HttpLane)
        [note] = opened.notes
    assert (note.level, note.message.partition(".")[0]) == ("warning", "Everything goes over HTTP")
    assert "apt-get install chromium" in note.message


@pytest.mark.parametrize("options", NEEDING)
async def test_a_crawl_with_something_to_do_on_pages_is_refused_with_what_to_install(options: dict[str, Any]) -> None:
    with pytest.raises(BrowserMissingError, match="apt-get install chromium"):
        async with opening(**options):
            pass


@pytest.mark.parametrize("options", [{"login": LOGIN}, {"actions": DISMISS}])
async def test_the_lane_http_never_asks_for_a_browser(options: dict[str, Any]) -> None:
    async with opening(lane="http", **options) as opened:
        assert isinstance(opened.lane, HttpLane)
        assert "left out" in opened.notes[0].message


async def test_cookies_that_expired_are_told() -> None:
    kinds = {"old": 1_700_000_000, "lasting": 99_999_999_999, "session": None}
    cookies = [{"name": name, "value": "1", "domain": "a.example", "expires": end} for name, end in kinds.items()]
    async with opening(lane="http", cookies=cookies) as opened:
        [note] = opened.notes
    assert note.message == (
        "1 cookie of the crawler expired: old. Sign in again in your own browser, and give the crawler its cookies "
        "anew."
    )


@pytest.mark.parametrize("wanted", [None, 3])
def test_the_machine_offers_no_browser_slots_whatever_was_set(settings: Any, wanted: int | None) -> None:
    settings.BROWSER_SLOTS = wanted
    assert own_slots().browser == 0


async def test_no_browser_is_opened_where_the_operator_wants_none(settings: Any) -> None:
    settings.BROWSER_SLOTS = 0
    async with opening(lane="auto") as opened:
        assert isinstance(opened.lane, HttpLane)
        [note] = opened.notes
    assert note.message.startswith("Everything goes over HTTP. This machine opens no browser, because GLEANER_BROWSER")
    with pytest.raises(BrowserMissingError, match="GLEANER_BROWSER_SLOTS is 0"):
        async with opening(lane="browser"):
            pass


@pytest.mark.parametrize(("wanted", "threads", "workers", "slots"), [(1, 8, 1, 1), (3, 8, 5, 3), (3, 2, 5, 2)])
def test_a_worker_has_at_most_as_many_browsers_as_the_operator_lets_the_machine_have(
    settings: Any, wanted: int, threads: int, workers: int, slots: int
) -> None:
    """The crawl's other workers may be on other machines; those of this one share its slots."""
    settings.BROWSER_SLOTS = wanted
    spec = CrawlSpec.from_json({"seeds": ["https://shop.example/"], "threads": threads, "workers": workers})
    template = parse_template({"name": "t", "inspectors": [{"name": "a", "selector": "//h1"}]})
    chosen = browser_options(spec, template, LaneOptions())
    assert (chosen.slots, chosen.machine) == (slots, machine_slots())
    assert machine_slots().count == wanted


def test_a_machine_has_as_many_browsers_as_it_bears_where_nobody_says(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.BROWSER_SLOTS = None
    monkeypatch.setattr("psutil.cpu_count", lambda: 4)
    monkeypatch.setattr("psutil.virtual_memory", lambda: SimpleNamespace(total=3 * MEMORY_PER_BROWSER))
    assert machine_slots().count == 3
    assert machine_slots().folder.is_relative_to(settings.VAR_DIR)
