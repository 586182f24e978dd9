"""A page that was looked at asks its site for nothing more."""

import asyncio
import json
from typing import Any

import pytest

from crawler_node.browser import find_programs
from crawler_node.browser.door import Door, OwnHeaders, Visit
from crawler_node.browser.guard_proxy import GuardProxy
from crawler_node.browser.pool import BrowserPool
from tests.unit.crawler_node.browser.showing import PATIENT, policy_for
from tests.unit.crawler_node.browser.test_manners import Server

POLLING = "<h1>a</h1><script>setInterval(() => fetch('/poll'), 30)</script>"


@pytest.mark.browser
async def test_an_idle_browser_leaves_its_page() -> None:
    async with (
        Server({"/": POLLING}) as server,
        GuardProxy(policy_for(server.url)) as proxy,
        BrowserPool(find_programs(), PATIENT, proxy=proxy.address) as pool,
    ):
        await pool.run(lambda session: session.open(f"{server.url}/"))
        while await pool.run(lambda session: session.shows_page):
            await asyncio.sleep(0.5)
        await asyncio.sleep(0.2)
        before = server.paths.count("/poll")
        await asyncio.sleep(1.0)
        assert before > 0
        assert server.paths.count("/poll") == before


@pytest.mark.browser
async def test_a_page_that_may_have_to_wait_finds_the_one_before_left() -> None:
    class Waiting:
        """Holds the next page up, and looks what the one before asks for meanwhile."""

        asked = -1

        async def go_out(self, *_: Any) -> bool:
            before = len(server.paths)
            await asyncio.sleep(0.5)
            self.asked = len(server.paths) - before
            return True

        def answered(self) -> None:
            pass

    manners = Waiting()
    async with (
        Server({"/": POLLING}) as server,
        GuardProxy(policy_for(server.url)) as proxy,
        BrowserPool(find_programs(), PATIENT, proxy=proxy.address) as pool,
    ):

        def show(session: Any) -> None:
            session.open(f"{server.url}/")
            session.open(f"{server.url}/next", manners=manners, may_wait=True)

        await pool.run(show)
    assert manners.asked == 0


@pytest.mark.browser
async def test_another_place_of_the_same_page_is_loaded_anew() -> None:
    html = "<p id=place></p><script>place.textContent = 'at ' + location.hash</script>"
    async with (
        Server({"/": html}) as server,
        GuardProxy(policy_for(server.url)) as proxy,
        BrowserPool(find_programs(), PATIENT, proxy=proxy.address) as pool,
    ):
        shown = [await pool.run(lambda session, n=n: session.open(f"{server.url}/#/{n}").html) for n in range(2)]
    assert ["at #/0" in shown[0], "at #/1" in shown[1]] == [True, True]


class Socket:
    """Notes what a door says to its browser."""

    def __init__(self) -> None:
        self.said: list[str] = []

    async def send_str(self, text: str) -> None:
        self.said.append(json.loads(text)["method"])


@pytest.mark.parametrize(
    ("page", "target", "may_see"),
    [
        ("https://a.example/", "https://a.example/x", (True, True)),
        ("https://a.example/", "http://a.example/x", (False, False)),
        ("http://a.example/", "http://a.example/x", (True, False)),
        ("http://a.example/", "https://a.example/x", (True, True)),
    ],
)
def test_own_headers_go_in_the_open_only_where_they_may(page: str, target: str, may_see: tuple[bool, bool]) -> None:
    for in_open, expected in zip((True, False), may_see, strict=True):
        own = OwnHeaders({"X-Team": "7"}, None, in_open=in_open)
        own.begin(page)
        assert bool(own.added_to({"url": target, "headers": {}})) is expected


async def test_the_door_is_shut_between_two_pages() -> None:
    door = Door(None, "", frame="f", headers=OwnHeaders({}, None))  # type: ignore[arg-type]
    door._socket = socket = Socket()  # type: ignore[assignment]
    door._is_watched, door._reading = True, asyncio.get_running_loop().create_future()  # type: ignore[assignment]
    event = {"requestId": 1, "resourceType": "Document", "frameId": "f", "request": {"url": "http://a/", "headers": {}}}
    visit = Visit()
    await door.begin(visit, "http://a/")
    await door._attend(event)
    await door.end(visit)
    await door._attend(event)
    assert socket.said == ["Fetch.continueRequest", "Fetch.failRequest"]
