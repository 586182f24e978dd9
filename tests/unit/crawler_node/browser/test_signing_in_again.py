"""Sessions that end in the middle of a crawl are noticed wherever the site sends strangers, and opened again."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from aiohttp import web

from crawler_node.browser.actions import Chain, StepReport, parse_actions
from crawler_node.browser.lane import BrowserLane
from crawler_node.browser.login import Login
from crawler_node.browser.network_log import MainDocument
from crawler_node.browser.options import BrowserOptions
from crawler_node.browser.programs import BrowserPrograms
from crawler_node.browser.session import Rendering
from crawler_node.contracts import Failure, FetchFailure, PageState
from crawler_node.fetch import HttpLane, LaneOptions
from tests.unit.crawler_node.browser.showing import lease_of
from tests.unit.crawler_node.browser.test_manners import Server, crawl_in_browsers
from tests.unit.crawler_node.engine.crawling import make_spec

ENTER = parse_actions([{"type": "click", "selector": "//a[@id='enter']"}, {"type": "wait_for_text", "text": "Welcome"}])
ORDERS = [f"/orders/{number}" for number in range(4)]
OPEN = "<h1>Order</h1><button>More</button><b>Log out</b>"


@dataclass
class Account(Server):
    """Orders, two to a session, which ends then. Strangers are sent to the login, or shown it in place."""

    left: int = 0
    sends_on: bool = True
    visits: list[str] = field(default_factory=list)

    async def _answer(self, request: web.Request) -> web.Response:
        form = "<h1>Login</h1><form id=login><a id=enter href='/enter'>Enter</a></form>"
        if request.path == "/enter":
            self.left = 2
            return web.Response(text="<h1>Welcome</h1>", content_type="text/html")
        if request.path.startswith("/orders/"):
            self.left -= 1
            self.visits.append(request.path)
            if self.left < 0 and self.sends_on:
                return web.Response(status=302, headers={"Location": f"/login?next={request.path}"})
            return web.Response(text=OPEN if self.left >= 0 else form, content_type="text/html")
        if request.path == "/login":
            return web.Response(text=form, content_type="text/html")
        return await super()._answer(request)


async def states(account: Account, *, marker: str = "", chain: Chain | None = None, **choices: Any) -> dict[str, str]:
    seeds = [account.url + path for path in ORDERS]
    login = Login(f"{account.url}/login", ENTER, marker)
    spec = make_spec(seeds[0], seeds=seeds, **choices)
    crawl = await crawl_in_browsers(spec, login=login, chain=chain or Chain())
    return {row.candidate.url.removeprefix(account.url): row.state for row in crawl.store.rows.values()}


ALL_DONE: Mapping[str, str] = dict.fromkeys(ORDERS, PageState.DONE)


@pytest.mark.browser
@pytest.mark.parametrize("choices", [{"allow": ["/orders/"]}, {"exclude": ["/login"]}, {}], ids=str)
async def test_who_is_sent_to_the_login_signs_in_again_wherever_the_crawl_may_go(choices: dict[str, Any]) -> None:
    async with Account() as account:
        assert await states(account, **choices) == ALL_DONE


@pytest.mark.browser
@pytest.mark.parametrize("marker", ["//form[@id='login']", "not(//b[contains(., 'Log out')])", "count(//form)"])
async def test_a_page_that_shows_the_login_in_its_own_place_is_noticed_by_its_mark(marker: str) -> None:
    async with Account(sends_on=False) as account:
        assert await states(account, marker=marker) == ALL_DONE


@pytest.mark.browser
async def test_steps_that_fail_on_the_login_do_not_hide_it() -> None:
    chain = Chain(parse_actions([{"type": "click", "selector": "//button", "timeout_seconds": 0.3}]))
    async with Account(sends_on=False) as account:
        assert await states(account, marker="//form[@id='login']", chain=chain) == ALL_DONE


@pytest.mark.parametrize(
    ("document", "failure"),
    [
        (MainDocument("http://a.test/login", 500, {}, "text/html"), Failure.HTTP),
        (MainDocument("http://a.test/login", 429, {}, "text/html"), Failure.RATE_LIMITED),
        (MainDocument("http://a.test/login", error="net::ERR_CONNECTION_RESET"), Failure.CONNECT),
        (MainDocument("http://a.test/login", 200, {}, "text/html"), Failure.WALL),
    ],
)
async def test_a_login_that_is_not_there_just_now_is_tried_again_and_blames_no_password(
    document: MainDocument, failure: Failure
) -> None:
    step = StepReport(1, "type", "Nothing on the page matches.", worked=False, is_optional=False, seconds=1.0)
    http = HttpLane(LaneOptions(is_one_site=True))
    async with http, BrowserLane(http, BrowserPrograms("", ""), BrowserOptions()) as lane:
        rendering = Rendering("<html></html>", [document], steps=[step], is_locked_out=True)
        answer = lane._judge(lease_of("http://a.test/orders/5"), rendering)
    assert isinstance(answer, FetchFailure)
    assert answer.failure is failure
    assert answer.can_retry is (failure is not Failure.WALL)


@pytest.mark.parametrize(
    ("url", "is_login"),
    [
        ("https://shop.test/login?next=/orders", True),
        ("https://shop.test/login/help", False),
        ("https://other.test/login", False),
    ],
)
def test_the_logins_address_is_known_whatever_it_is_asked_with(url: str, is_login: bool) -> None:
    assert Login("https://shop.test/login", ()).is_at(url) is is_login
    assert not Login("https://shop.test/", ()).is_at("https://shop.test/")
