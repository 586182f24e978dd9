"""Whole crawls over sites that send us elsewhere."""

import time
from collections.abc import Sequence

import pytest
from aiohttp import web

from crawler_node.contracts import (
    LogLine,
    Outcome,
    PageState,
    Progress,
    StopReason,
)
from crawler_node.frontier import MemoryCrawlStore
from tests.unit.crawler_node.engine.crawling import crawl, make_spec
from tests.unit.crawler_node.engine.sites import page
from tests.unit.crawler_node.fetch.conftest import MakeSite, make_site

__all__ = ["make_site"]


async def test_redirects_are_recorded_and_their_targets_crawled_once(make_site: MakeSite) -> None:
    async def to_new(request: web.Request) -> web.Response:
        return web.Response(status=301, headers={"Location": "/new"})

    site = await make_site({"/": page("/old", "/older", "/new"), "/old": to_new, "/older": to_new, "/new": page()})
    done = await crawl(make_spec(site.url()))
    assert done.urls(PageState.REDIRECTED) == [site.url("/old"), site.url("/older")]
    assert done.urls(PageState.DONE) == [site.url("/"), site.url("/new")]
    assert sorted(request.path for request in site.requests) == ["/", "/new", "/old", "/older", "/robots.txt"]
    assert done.report.statistics.redirects == 2


@pytest.mark.parametrize(
    ("status", "target", "cookie", "is_gone"),
    [
        (301, "/other", "", True),
        (308, "/other", "", True),
        (302, "/other", "", False),
        (307, "/other", "", False),
        (301, "/other", "seen=1", False),  # perhaps only on its way to get one
    ],
)
async def test_what_a_page_had_is_gone_when_it_has_moved_for_good(
    make_site: MakeSite, status: int, target: str, cookie: str, *, is_gone: bool
) -> None:
    async def move(request: web.Request) -> web.Response:
        headers = {"Location": target} | ({"Set-Cookie": cookie} if cookie else {})
        return web.Response(status=status, headers=headers)

    site = await make_site({"/old": move, "/other": page()})
    kept: list[bool] = []

    class Store(MemoryCrawlStore):
        def commit(self, *, worker: str, outcomes: Sequence[Outcome], log: Sequence[LogLine] = ()) -> Progress:
            kept.extend(each.page.is_gone for each in outcomes if each.page.state is PageState.REDIRECTED)
            return super().commit(worker=worker, outcomes=outcomes, log=log)

    spec = make_spec(site.url("/old"))
    await crawl(spec, store=Store(spec.frontier_options(), clock=time.monotonic))
    assert kept[:1] == [is_gone]


async def test_redirect_loops_end_in_a_failure(make_site: MakeSite) -> None:
    async def onward(request: web.Request) -> web.Response:
        return web.Response(status=302, headers={"Location": f"/more/{int(request.match_info['n']) + 1}"})

    async def back(request: web.Request) -> web.Response:
        return web.Response(status=302, headers={"Location": "/self"})

    site = await make_site({"/": page("/more/0", "/self"), "/more/{n}": onward, "/self": back})
    done = await crawl(make_spec(site.url()))
    assert done.report.stop is StopReason.EXHAUSTED
    assert done.report.statistics.failures == {"redirect loop": 2}
    assert done.urls(PageState.FAILED) == [site.url("/more/10"), site.url("/self")]


@pytest.mark.parametrize(
    ("link", "target"),
    [("/index.html", "/"), ("/list?b=2&a=1", "/list?a=1&b=2"), ("/%7Ebob/", "/~bob/"), ("/shop/", "/shop/index.html")],
)
async def test_a_redirect_to_another_spelling_of_the_page_is_followed(
    make_site: MakeSite, link: str, target: str
) -> None:
    async def serve(request: web.Request) -> web.Response:
        if request.raw_path == link:
            return web.Response(status=301, headers={"Location": target})
        return web.Response(text="<h1>Found</h1>", content_type="text/html")

    site = await make_site({"/start": page(link), "/{tail:.*}": serve})
    done = await crawl(make_spec(site.url("/start"), respect_robots=False))
    assert done.report.statistics.failures == {}
    assert done.urls(PageState.DONE) == sorted([site.url("/start"), site.url(target)])
    assert "Found" in [values["title"] for values in done.values()]
    assert [request.raw_path for request in site.requests] == ["/start", link, target]


async def test_spellings_that_lead_to_each_other_are_a_loop(make_site: MakeSite) -> None:
    async def serve(request: web.Request) -> web.Response:
        target = "/shop/" if request.raw_path.endswith("index.html") else "/shop/index.html"
        return web.Response(status=302, headers={"Location": target})

    site = await make_site({"/": page("/shop/"), "/shop/{tail:.*}": serve})
    done = await crawl(make_spec(site.url(), respect_robots=False))
    assert done.report.statistics.failures == {"redirect loop": 1}
    assert len(site.requests) == 3


async def test_a_gate_that_only_sets_a_cookie_is_passed(make_site: MakeSite) -> None:
    async def gate(request: web.Request) -> web.Response:
        if "pass" in request.cookies:
            return web.Response(text="<h1>Inside</h1>", content_type="text/html")
        return web.Response(status=302, headers={"Location": "/gate"})

    async def give(request: web.Request) -> web.Response:
        return web.Response(status=302, headers={"Location": "/", "Set-Cookie": "pass=1; Path=/"})

    site = await make_site({"/": gate, "/gate": give})
    done = await crawl(make_spec(site.url()))
    assert [values["title"] for values in done.values()] == ["Inside"]


async def test_a_seed_may_move_to_another_site_but_no_other_page(make_site: MakeSite) -> None:
    new = await make_site({"/": page("/a", "/b"), "/a": page(), "/b": page()})

    async def moved(request: web.Request) -> web.Response:
        return web.Response(status=301, headers={"Location": f"http://localhost:{new.port}/"})

    async def away(request: web.Request) -> web.Response:
        return web.Response(status=302, headers={"Location": f"http://localhost:{new.port}/b"})

    old = await make_site({"/": moved})
    done = await crawl(make_spec(old.url()), allow=[f"127.0.0.1:{new.port}", f"[::1]:{new.port}"])
    assert [url.rpartition("/")[2] for url in done.urls(PageState.DONE)] == ["", "a", "b"]
    strict = await make_site({"/": page("/away"), "/away": away})
    done = await crawl(make_spec(strict.url()), allow=[f"127.0.0.1:{new.port}"])
    assert done.report.statistics.urls_refused == {"cross-site": 1}
