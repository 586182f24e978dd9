"""Crawls in browsers as their servers see them: robots on the way, gaps between pages, headers for nobody else."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from types import TracebackType

import pytest
from aiohttp import web

from crawler_node.browser import BrowserLane, find_programs
from crawler_node.browser.login import Cookie
from crawler_node.contracts import PageState, Refusal
from crawler_node.engine import CrawlSpec, WorkerOptions, seed_candidates
from crawler_node.frontier import MemoryCrawlStore
from tests.unit.crawler_node.browser.showing import PATIENT
from tests.unit.crawler_node.engine.crawling import Crawl, make_lane, make_spec, make_worker

pytestmark = pytest.mark.browser
ROBOTS = "User-agent: *\nDisallow: /secret\n"
SECRET_HEADERS = {"Authorization": "Bearer 12345", "X-Crawler": "ours"}
GAP_MS = 200
# Half a second in which the page changes: browsers are at work on several pages.
BUSY = "<p id=p></p><script>for (let n = 0; n < 10; n++) setTimeout(() => p.append(n), 50 * n)</script>"


@dataclass
class Server:
    """A website of a few pages that notes who asked for what, when, and with which headers."""

    pages: dict[str, str] = field(default_factory=dict)
    redirects: dict[str, str] = field(default_factory=dict)
    requests: list[tuple[float, web.Request]] = field(default_factory=list)
    url: str = ""

    async def __aenter__(self) -> "Server":
        app = web.Application()
        app.router.add_get("/{path:.*}", self._answer)
        self._runner = web.AppRunner(app)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._runner.cleanup()

    async def _answer(self, request: web.Request) -> web.Response:
        self.requests.append((time.monotonic(), request))
        if request.path == "/robots.txt":
            return web.Response(text=ROBOTS)
        if (target := self.redirects.get(request.path)) is not None:
            return web.Response(status=302, headers={"Location": target})
        text = self.pages.get(request.path, f"<h1>{request.path}</h1>")
        return web.Response(text=f"<!doctype html><title>t</title>{text}", content_type="text/html")

    @property
    def paths(self) -> list[str]:
        return [request.path for _, request in self.requests if request.path != "/favicon.ico"]

    def gaps(self) -> list[float]:
        moments = [moment for moment, request in self.requests if request.path != "/favicon.ico"]
        return [later - earlier for earlier, later in pairwise(moments)]


async def crawl_in_browsers(spec: CrawlSpec, *, slots: int = 1, allow: Sequence[str] = (), **options: object) -> Crawl:
    store = MemoryCrawlStore(spec.frontier_options(), clock=time.monotonic)
    store.plant(seed_candidates(spec))
    chosen = replace(PATIENT, slots=slots, headers=spec.headers, **options)  # type: ignore[arg-type]
    async with make_lane(spec, allow) as http, BrowserLane(http, find_programs(), chosen) as lane:
        worker = make_worker(spec, store, lane, options=WorkerOptions(threads=slots))  # type: ignore[arg-type]
        return Crawl(await worker.run(), store)


def refusals(crawl: Crawl) -> dict[str, Refusal | None]:
    return {row.candidate.url: row.refusal for row in crawl.store.rows.values() if row.state is PageState.SKIPPED}


async def test_a_redirect_to_what_robots_forbid_is_not_followed() -> None:
    async with Server() as server:
        server.redirects = {"/hop": "/secret/1", "/fine": "/end"}
        server.pages = {"/script": "<h1>s</h1><script>location = '/secret/2'</script>"}
        seeds = [f"{server.url}{path}" for path in ("/hop", "/script", "/fine")]
        found = await crawl_in_browsers(make_spec(seeds[0], seeds=seeds))
        assert [path for path in server.paths if "secret" in path] == []
        assert refusals(found) == {
            f"{server.url}/secret/1": Refusal.ROBOTS,
            f"{server.url}/secret/2": Refusal.ROBOTS,
        }
        assert server.paths.count("/end") == 1
        assert f"{server.url}/end" in found.urls(PageState.DONE)


async def test_another_host_is_asked_for_its_robots_before_it_is_opened() -> None:
    async with Server() as server, Server() as other:
        server.redirects = {"/away": f"{other.url}/secret/3", "/off": f"{other.url}/open"}
        seeds = [f"{server.url}/away", f"{server.url}/off"]
        await crawl_in_browsers(make_spec(seeds[0], seeds=seeds), allow=[other.url.removeprefix("http://")])
        assert other.paths == ["/robots.txt", "/open"]


async def test_windows_that_a_page_opens_ask_for_nothing() -> None:
    async with Server() as server:
        server.pages = {"/": "<h1>a</h1><script>open('/secret/window')</script>"}
        await crawl_in_browsers(make_spec(f"{server.url}/"))
        assert server.paths == ["/robots.txt", "/"]


async def test_several_browsers_keep_the_gap_between_pages_and_redirects() -> None:
    async with Server() as server:
        pages = [f"/page/{number}" for number in range(8)]
        links = "".join(f"<a href='{path}'>{path}</a>" for path in [*pages, "/hop"])
        server.pages = {path: f"<h1>{path}</h1>{BUSY}" for path in pages} | {"/": f"<h1>links</h1>{links}"}
        server.redirects = {"/hop": "/hop/end"}
        found = await crawl_in_browsers(make_spec(f"{server.url}/", sleep_ms=GAP_MS), slots=3)
        assert sorted(server.paths) == sorted(["/robots.txt", "/", *pages, "/hop", "/hop/end"])
        assert len(found.values()) == 10
        assert min(server.gaps()) >= (GAP_MS - 1) / 1000


async def test_own_headers_and_cookies_go_to_no_other_host() -> None:
    async with Server() as server, Server() as other:
        far = other.url.replace("127.0.0.1", "localhost")
        asking = f"fetch('{far}/data', {{mode: 'no-cors'}}); fetch('/own')"
        server.pages["/"] = f"<h1>a</h1><script src='{far}/x.js'></script><script>{asking}</script>"
        server.pages["/"] += f"<iframe src='{far}/frame'></iframe>"
        server.redirects = {"/away": f"{far}/target"}
        seeds = [f"{server.url}/", f"{server.url}/away"]
        spec = make_spec(seeds[0], seeds=seeds, headers=SECRET_HEADERS)
        cookie = Cookie("session", "hidden", "127.0.0.1")
        allow = [other.url.removeprefix("http://")]
        await crawl_in_browsers(spec, allow=allow, cookies=(cookie,), is_own=spec.own_hosts())
        own = {request.path: request.headers for _, request in server.requests if request.path != "/favicon.ico"}
        assert {path for path, headers in own.items() if headers.get("X-Crawler") == "ours"} == {
            *("/robots.txt", "/", "/own", "/away")
        }
        assert (own["/"]["Authorization"], own["/"]["Cookie"]) == ("Bearer 12345", "session=hidden")
        assert {*other.paths} == {"/robots.txt", "/x.js", "/data", "/frame", "/target"}
        for _, request in other.requests:
            assert not {"Authorization", "X-Crawler", "Cookie"} & set(request.headers), request.path
