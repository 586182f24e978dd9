"""Pages that a browser has shown on the way from another address, and where they may stand in for their own."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from crawler_node.browser import lane as lanes
from crawler_node.browser.actions import Chain, RunOn, parse_actions
from crawler_node.browser.lane import BrowserLane
from crawler_node.browser.network_log import MainDocument
from crawler_node.browser.options import BrowserOptions
from crawler_node.browser.programs import BrowserPrograms
from crawler_node.browser.session import Rendering
from crawler_node.contracts import FetchedPage, Hop, Redirect
from crawler_node.fetch import HttpLane, LaneOptions
from crawler_node.urls.scope import AddressPattern
from tests.unit.crawler_node.browser.showing import lease_of

ITEMS = Chain(parse_actions([{"type": "click", "selector": "//b"}]), RunOn.MATCHING, AddressPattern("/item/*"))
SENT_ON = MainDocument("http://a.test/item/1", 200, {}, "text/html", (Hop("http://a.test/go/1", 302),))


@pytest.fixture
async def lane(request: Any) -> AsyncIterator[BrowserLane]:
    """A lane whose browsers are never asked."""
    chain = getattr(request, "param", Chain())
    http = HttpLane(LaneOptions())
    async with http, BrowserLane(http, BrowserPrograms("", ""), BrowserOptions(chain=chain)) as opened:
        yield opened


def shown(document: MainDocument) -> Rendering:
    return Rendering("<html>shown</html>", [document])


async def test_a_page_that_was_shown_on_the_way_is_kept(lane: BrowserLane) -> None:
    answer = lane._judge(lease_of("http://a.test/go/1"), shown(SENT_ON))
    assert isinstance(answer, Redirect)
    assert (answer.status, answer.target) == (302, "http://a.test/item/1")
    assert lane.has_kept("http://a.test/item/1")


@pytest.mark.parametrize("lane", [ITEMS], indirect=True)
async def test_a_page_whose_steps_were_not_done_on_the_way_is_opened_again(lane: BrowserLane) -> None:
    answer = lane._judge(lease_of("http://a.test/go/1"), shown(SENT_ON))
    assert isinstance(answer, Redirect)
    assert not lane.has_kept("http://a.test/item/1")


async def test_a_page_is_kept_for_a_while_only(lane: BrowserLane, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "_KEPT_SECONDS", -1.0)
    lane._judge(lease_of("http://a.test/go/1"), shown(SENT_ON))
    assert not lane.has_kept("http://a.test/item/1")
    assert lane.uses_browser(lease_of("http://a.test/item/1"))


async def test_a_place_of_a_page_is_a_page_of_its_own(lane: BrowserLane) -> None:
    """The server never sees what stands behind the #, nor does the log of what it was asked."""
    document = MainDocument("http://a.test/", 200, {}, "text/html")
    answer = lane._judge(lease_of("http://a.test/#/item/7"), shown(document))
    assert isinstance(answer, FetchedPage)
    assert answer.url == "http://a.test/#/item/7"
    assert not lane.has_kept("http://a.test/")
