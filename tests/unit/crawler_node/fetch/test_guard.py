"""Nothing outside the policy is ever connected to, whatever leads there."""

import asyncio
import socket
from collections.abc import AsyncIterator

import pytest
from aiohttp import web

from crawler_node.contracts import Failure, FetchedPage, FetchFailure, Refusal
from crawler_node.fetch import HttpLane, LaneOptions, NetworkPolicy
from tests.unit.crawler_node.fetch.address_forms import forbidden_urls
from tests.unit.crawler_node.fetch.conftest import MakeSite, lane_to


class Canary:
    """Listens on every local address and counts who comes."""

    def __init__(self) -> None:
        self.visits = 0
        self.port = 0

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.visits += 1
        writer.close()


@pytest.fixture
async def canary() -> AsyncIterator[Canary]:
    bird = Canary()
    server = await asyncio.start_server(bird.handle, "", 0, family=socket.AF_INET)
    bird.port = server.sockets[0].getsockname()[1]
    yield bird
    server.close()
    await server.wait_closed()


async def test_more_than_300_address_forms_none_connects(canary: Canary, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = _watch_sockets(monkeypatch)
    urls = [url.replace("PORT", str(canary.port)) for url in forbidden_urls()]
    assert len(urls) > 300
    async with HttpLane(LaneOptions(deadline_seconds=60)) as lane:
        answers = [await lane.fetch_following(url) for url in urls]
    reached = [url for url, answer in zip(urls, answers, strict=True) if not isinstance(answer, FetchFailure)]
    assert (reached, canary.visits, opened) == ([], 0, [])
    refused = sum(isinstance(a, FetchFailure) and a.refusal is Refusal.FORBIDDEN_ADDRESS for a in answers)
    assert refused > 300


def _watch_sockets(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Every attempt to connect from this process, even one that nobody answers."""
    opened: list[object] = []
    loop = asyncio.get_running_loop()
    original = loop.sock_connect

    async def connect(sock: socket.socket, address: object) -> None:
        opened.append(address)
        await original(sock, address)  # type: ignore[arg-type]

    monkeypatch.setattr(loop, "sock_connect", connect)
    return opened


async def test_the_canary_would_notice_a_visit(canary: Canary, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = _watch_sockets(monkeypatch)
    policy = NetworkPolicy()
    object.__setattr__(policy, "permits", lambda address, port: True)
    async with HttpLane(LaneOptions(policy=policy, deadline_seconds=60)) as lane:
        await lane.fetch_following(f"http://127.0.0.1:{canary.port}/")
        await lane.fetch_following(f"http://localhost:{canary.port}/")
    assert canary.visits >= 2
    assert opened


async def test_a_redirect_to_a_forbidden_address_is_refused(make_site: MakeSite, canary: Canary) -> None:
    async def send_on(request: web.Request) -> web.Response:
        return web.Response(status=302, headers={"Location": f"http://127.0.0.1:{canary.port}/"})

    site = await make_site({"/": send_on})
    async with lane_to(site) as lane:
        answer = await lane.fetch_following(site.url())
    assert isinstance(answer, FetchFailure)
    assert answer.refusal is Refusal.FORBIDDEN_ADDRESS
    assert canary.visits == 0


async def test_a_name_is_checked_before_a_proxy_sees_it(make_site: MakeSite, canary: Canary) -> None:
    async def serve(request: web.Request) -> web.Response:
        return web.Response(text="proxied", content_type="text/html")

    proxy = await make_site({"/{tail:.*}": serve})
    async with lane_to(proxy, proxies=(proxy.url(),)) as lane:
        for host in ("127.0.0.1", "localhost", "2130706433", "intranet"):
            answer = await lane.fetch_following(f"http://{host}:{canary.port}/")
            assert isinstance(answer, FetchFailure), host
            assert answer.refusal is Refusal.FORBIDDEN_ADDRESS, host
    assert proxy.requests == []


async def test_a_proxy_at_a_forbidden_address_is_not_used(canary: Canary) -> None:
    options = LaneOptions(proxies=(f"http://127.0.0.1:{canary.port}/",), deadline_seconds=60)
    async with HttpLane(options) as lane:
        answer = await lane.fetch_following("http://93.184.216.34/")
    assert isinstance(answer, FetchFailure)
    assert (answer.failure, answer.refusal) == (Failure.PROXY, None)
    assert "GLEANER_ALLOW_NETWORKS" in answer.sentence
    assert canary.visits == 0


async def test_what_the_operator_allows_is_reached(make_site: MakeSite) -> None:
    async def serve(request: web.Request) -> web.Response:
        return web.Response(text="hello", content_type="text/html")

    site = await make_site({"/": serve})
    async with lane_to(site) as lane:
        answer = await lane.fetch_following(site.url())
    assert isinstance(answer, FetchedPage)
    assert answer.body == b"hello"
