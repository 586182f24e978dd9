"""A canary that nobody may reach: whatever a page tries, no connection arrives; with the operator's word it does."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import aiohttp
import pytest

from backend.demo_site import DemoSite
from crawler_node.browser import BrowserLane, blocking, find_programs
from crawler_node.browser.actions import Chain, parse_actions
from crawler_node.browser.blocking import tracker_of
from crawler_node.browser.guard_proxy import GuardProxy
from crawler_node.contracts import Failure, FetchedPage, FetchFailure
from crawler_node.fetch import HttpLane, LaneOptions, parse_allow_networks
from tests.unit.crawler_node.browser.showing import PATIENT, fetch_all, lease_of, policy_for
from tests.unit.crawler_node.browser.test_manners import Server

OPTIONS = replace(PATIENT, with_images=True)
DATAGRAMS = """<p id=p>…</p><script>
const peer = new RTCPeerConnection({iceServers: [{urls: "stun:127.0.0.1:PORT"}]})
peer.createDataChannel("c")
const gathered = new Promise(done => {
    peer.onicegatheringstatechange = () => peer.iceGatheringState === "complete" && done()
    peer.onicecandidate = event => event.candidate?.type === "srflx" && done()
    setTimeout(done, 3000)  // a server that never answers is waited for much longer
})
peer.createOffer().then(offer => peer.setLocalDescription(offer))
const transported = new WebTransport("https://127.0.0.1:PORT/").ready.catch(() => {})
Promise.all([gathered, transported]).then(() => { p.textContent = "Gathered" })
</script>"""


class Canary:
    """Counts who connects to it, and answers nobody."""

    def __init__(self, family: socket.AddressFamily, address: str) -> None:
        self._socket = socket.socket(family)
        self._socket.bind((address, 0))
        self._socket.listen()
        self.port = self._socket.getsockname()[1]
        self.visitors = 0
        self._thread = threading.Thread(target=self._count, daemon=True)
        self._thread.start()

    def _count(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.visitors += 1
            connection.close()

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join()


@contextmanager
def canary(family: socket.AddressFamily = socket.AF_INET, address: str = "127.0.0.1") -> Iterator[Canary]:
    bird = Canary(family, address)
    try:
        yield bird
    finally:
        bird.close()


@pytest.mark.browser
def test_no_request_of_a_page_reaches_a_private_address(site: DemoSite) -> None:
    with canary() as four, canary(socket.AF_INET6, "::1") as six:
        targets = [f"http://127.0.0.1:{four.port}", f"http://localhost:{four.port}", f"http://[::1]:{six.port}"]
        pages = [f"{site.url}/hostile/browser/private?canary={target}" for target in targets]
        pages += targets
        fetch_all(pages, OPTIONS, site.url)
        assert (four.visitors, six.visitors) == (0, 0)


@pytest.mark.browser
def test_the_same_page_reaches_it_where_the_operator_allows_it(site: DemoSite) -> None:
    with canary() as four:
        target = f"http://127.0.0.1:{four.port}"
        fetch_all([f"{site.url}/hostile/browser/private?canary={target}"], OPTIONS, site.url, target)
        assert four.visitors >= 8


@pytest.mark.browser
@pytest.mark.parametrize("with_window", [False, True], ids=["shell", "whole"])
async def test_no_datagram_of_a_page_reaches_anybody(*, with_window: bool) -> None:
    """Not even what goes past HTTP: WebRTC asks a STUN server who we are, WebTransport speaks QUIC."""
    chain = Chain(parse_actions([{"type": "wait_for_text", "text": "Gathered"}]))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.setblocking(False)
        port = str(listener.getsockname()[1])
        async with Server({"/": DATAGRAMS.replace("PORT", port)}) as server:
            http = HttpLane(LaneOptions(policy=policy_for(server.url)))
            programs = find_programs(with_window=with_window)
            async with http, BrowserLane(http, programs, replace(PATIENT, chain=chain)) as lane:
                answer = await lane.fetch(lease_of(f"{server.url}/"))
        assert isinstance(answer, FetchedPage), answer
        with pytest.raises(BlockingIOError):
            listener.recv(2_000)


async def test_a_plain_request_and_a_tunnel_reach_an_allowed_server(site: DemoSite) -> None:
    async with GuardProxy(policy_for(site.url)) as proxy, aiohttp.ClientSession() as client:
        for _ in range(3):
            async with client.get(f"{site.url}/shop/", proxy=proxy.address) as answer:
                assert answer.status == 200
                assert b"</html>" in await answer.read()
        assert proxy.verdict(f"{site.url}/shop/") is None
        reader, writer = await asyncio.open_connection("127.0.0.1", int(proxy.address.rpartition(":")[2]))
        place = site.url.removeprefix("http://")
        writer.write(f"CONNECT {place} HTTP/1.1\r\nHost: {place}\r\n\r\n".encode())
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
        writer.write(f"GET /shop/ HTTP/1.1\r\nHost: {place}\r\nConnection: close\r\n\r\n".encode())
        assert (await reader.read()).startswith(b"HTTP/1.1 200")
        writer.close()


@pytest.mark.parametrize(
    "target",
    ["http://169.254.169.254/", "http://127.0.0.1:1/", "http://[::1]:1/", "http://0177.0.0.1/", "http://2130706433/"],
)
async def test_a_private_address_is_refused_by_any_name(target: str) -> None:
    async with GuardProxy(parse_allow_networks([])) as proxy, aiohttp.ClientSession() as client:
        async with client.get(target, proxy=proxy.address) as answer:
            assert (answer.status, answer.headers["x-gleaner-guard"]) == (403, "refused")
        assert proxy.verdict(target) is not None


async def test_other_schemes_and_trackers_are_refused() -> None:
    async with GuardProxy(parse_allow_networks([])) as proxy:
        for line in (
            b"GET ftp://example.org/ HTTP/1.1",
            b"GET / HTTP/1.1",
            b"CONNECT www.google-analytics.com:443 HTTP/1.1",
        ):
            reader, writer = await asyncio.open_connection("127.0.0.1", int(proxy.address.rpartition(":")[2]))
            writer.write(line + b"\r\n\r\n")
            assert (await reader.read()).split()[1] in (b"400", b"403")
            writer.close()


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("google-analytics.com", "google-analytics.com"),
        ("www.google-analytics.com", "google-analytics.com"),
        ("notgoogle-analytics.com", ""),
        ("com", ""),
    ],
)
def test_a_tracker_is_known_with_its_subdomains(host: str, expected: str) -> None:
    assert tracker_of(host) == expected


@pytest.mark.browser
def test_a_tracker_that_is_crawled_itself_is_opened_and_others_are_not(
    site: DemoSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The demo site is on the list, and so is another host that its page asks for many things."""
    monkeypatch.setattr(blocking, "TRACKERS", frozenset({"127.0.0.1", "127.0.0.2"}))
    with canary(address="127.0.0.2") as other:
        target = f"http://127.0.0.2:{other.port}"
        url = f"{site.url}/hostile/browser/private?canary={target}"
        answer = fetch_all([url], OPTIONS, site.url, target)[url]
        assert isinstance(answer, FetchedPage), answer
        assert other.visitors == 0


@pytest.mark.browser
async def test_a_page_that_leads_to_a_tracker_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocking, "TRACKERS", frozenset({"127.0.0.2"}))
    with canary(address="127.0.0.2") as other:
        target = f"http://127.0.0.2:{other.port}"
        async with Server({"/": f"<a href='{target}/'>Away</a>"}) as server:
            chain = Chain(parse_actions([{"type": "click", "selector": "//a"}]))
            http = HttpLane(LaneOptions(policy=policy_for(server.url, target)))
            async with http, BrowserLane(http, find_programs(), replace(PATIENT, chain=chain)) as lane:
                answer = await lane.fetch(lease_of(f"{server.url}/"))
        assert isinstance(answer, FetchFailure), answer
        assert (answer.failure, answer.can_retry, other.visitors) == (Failure.REFUSED, False, 0)
        assert answer.sentence.startswith("The page leads to a site that is known for watching people")


async def test_a_crawlers_own_proxy_is_used_for_everything(site: DemoSite) -> None:
    async with GuardProxy(policy_for(site.url)) as outer:
        policy = policy_for(site.url, outer.address)
        named = outer.address.replace("http://", "http://user:secret@")
        async with GuardProxy(policy, proxies=[named]) as proxy, aiohttp.ClientSession() as client:
            async with client.get(f"{site.url}/shop/", proxy=proxy.address) as answer:
                assert answer.status == 200
            async with client.get("http://169.254.169.254/", proxy=proxy.address) as answer:
                assert answer.status == 403


async def test_a_proxy_that_does_not_answer_is_told(site: DemoSite) -> None:
    with canary() as bird:
        gone = f"http://127.0.0.1:{bird.port}"
        async with (
            GuardProxy(policy_for(site.url, gone), proxies=[gone]) as proxy,
            aiohttp.ClientSession() as client,
            client.get(f"{site.url}/shop/", proxy=proxy.address) as answer,
        ):
            assert (answer.status, answer.headers["x-gleaner-guard"]) == (502, "proxy")
        assert bird.visitors == 1
