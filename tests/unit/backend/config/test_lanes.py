"""Lanes on a machine that has no browser."""

from typing import Any

import pytest

from backend.config.lanes import open_lane
from backend.config.launching import own_slots
from crawler_node.contracts import FetchedPage, PageReading
from crawler_node.engine import CrawlSpec
from crawler_node.errors import BrowserMissingError
from crawler_node.extract.spec import parse_template
from crawler_node.fetch import HttpLane

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


@pytest.mark.parametrize("wanted", [None, 3])
def test_the_machine_offers_no_browser_slots_whatever_was_set(settings: Any, wanted: int | None) -> None:
    settings.BROWSER_SLOTS = wanted
    assert own_slots().browser == 0
