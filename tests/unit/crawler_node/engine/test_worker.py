"""Whole crawls over real HTTP: nothing lost, nothing asked twice, every stop with its reason."""

import asyncio
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

import pytest
from aiohttp import web

from backend.demo_site import DemoSite
from crawler_node.contracts import (
    CrawlStore,
    FetchedPage,
    Lease,
    LeaseBatch,
    LogLine,
    Outcome,
    PageReading,
    PageState,
    Progress,
    Redirect,
    Refusal,
    StopReason,
    Wish,
)
from crawler_node.engine import CrawlSpec, Worker, WorkerOptions, build_worker, seed_candidates
from crawler_node.errors import StoreError
from crawler_node.fetch.cookies import CookieShelf
from crawler_node.frontier import MemoryCrawlStore
from tests.unit.crawler_node.engine.crawling import crawl, make_lane, make_spec, make_worker
from tests.unit.crawler_node.fetch.conftest import Handler, MakeSite, make_site

__all__ = ["make_site"]


@pytest.fixture(scope="module")
def demo() -> Iterator[DemoSite]:
    with DemoSite() as site:
        yield site


@pytest.fixture
def site(demo: DemoSite) -> DemoSite:
    demo.reset()
    return demo


def page(*links: str, head: str = "", status: int = 200, headers: dict[str, str] | None = None) -> Handler:
    body = f"<html><head>{head}</head><body><h1>A page</h1>"
    body += "".join(f'<a href="{link}">{link}</a>' for link in links)

    async def serve(request: web.Request) -> web.Response:
        text = f"{body}<p>{request.path_qs}</p>"
        return web.Response(text=text, content_type="text/html", status=status, headers=headers)

    return serve


def robots(text: str) -> Handler:
    async def serve(request: web.Request) -> web.Response:
        return web.Response(text=text)

    return serve


async def test_a_whole_shop_is_crawled_and_no_page_asked_for_twice(site: DemoSite) -> None:
    spec = make_spec(f"{site.url}/shop/", exclude=["/reviews", "/shop/b/"])
    template = {
        "name": "product",
        "inspectors": [
            {"name": "sku", "selector": "//dd[@class='sku']", "required": True, "key": True},
            {"name": "name", "selector": "//article[@class='product']//h1"},
        ],
    }
    done = await crawl(spec, template=template)
    assert done.report.stop is StopReason.EXHAUSTED
    assert len({str(values["sku"]) for values in done.values()}) == len(done.values()) == 500
    targets = site.log.targets()
    assert len(targets) == len(set(targets))
    assert targets[0] == "/robots.txt"
    found = done.report.statistics
    assert len(targets) == found.requests == found.pages + 1
    assert found.links_collected == found.links_visited + sum(found.links_refused.values()) + found.pages - 1
    assert not [target for target in targets if "/reviews" in target or "/shop/cart" in target]


async def test_a_delay_is_kept_between_all_requests_of_all_workers(site: DemoSite) -> None:
    """With one request open at a time, so that the server sees each before the next goes out, however slow it is."""
    spec = make_spec(f"{site.url}/shop/", sleep_ms=120, max_pages=12, requests_per_host=1)
    store = MemoryCrawlStore(spec.frontier_options(), clock=time.monotonic)
    store.plant(seed_candidates(spec))
    async with make_lane(spec) as one, make_lane(spec) as other:
        workers = [make_worker(spec, store, lane, name=f"w{id(lane)}") for lane in (one, other)]
        await asyncio.gather(*(worker.run() for worker in workers))
    moments = [entry.monotonic for entry in site.log.entries()]
    assert len(moments) == 13
    assert min(later - earlier for earlier, later in pairwise(moments)) >= 0.12


async def test_a_crawl_delay_is_kept_from_the_robots_file_on(make_site: MakeSite) -> None:
    moments: list[float] = []

    def noted(serve: Handler) -> Handler:
        async def note(request: web.Request) -> web.StreamResponse:
            moments.append(time.monotonic())
            return await serve(request)

        return note

    pages = {
        "/": page("/1", "/2"),
        "/1": page(),
        "/2": page(),
        "/robots.txt": robots("User-agent: *\nCrawl-delay: 0.2"),
    }
    site = await make_site({path: noted(serve) for path, serve in pages.items()})
    done = await crawl(make_spec(site.url("/")))
    assert len(done.urls(PageState.DONE)) == 3
    assert len(moments) == done.report.statistics.requests == 4
    assert min(later - earlier for earlier, later in pairwise(moments)) >= 0.2


class CountingStore(MemoryCrawlStore):
    """A store that counts who asked how often while there was something to wait for, and while there was not."""

    def __init__(self, spec: CrawlSpec) -> None:
        super().__init__(spec.frontier_options(), clock=time.monotonic)
        self.asked: Counter[str] = Counter()
        self.asked_in_vain: Counter[str] = Counter()

    def lease(self, *, worker: str, limit: int) -> LeaseBatch:
        batch = super().lease(worker=worker, limit=limit)
        (self.asked_in_vain if batch.is_dry else self.asked)[worker] += 1
        return batch


async def test_a_worker_that_waits_for_a_slow_host_of_another_seldom_asks(site: DemoSite) -> None:
    spec = make_spec(f"{site.url}/shop/", sleep_ms=400, max_pages=8)
    store, began = CountingStore(spec), time.monotonic()
    store.plant(seed_candidates(spec))
    async with make_lane(spec) as one, make_lane(spec) as other:
        workers = [make_worker(spec, store, lane, name=name) for name, lane in (("busy", one), ("idle", other))]
        await asyncio.gather(*(worker.run() for worker in workers))
    assert store.statistics().pages == 8
    seconds = time.monotonic() - began
    assert store.asked["idle"] <= 5 + seconds
    assert store.asked["busy"] <= 24 + max(0.0, seconds - 5)
    assert max(store.asked_in_vain.values(), default=0) <= 2 + 4 * seconds


async def test_max_pages_is_exact_and_said(site: DemoSite) -> None:
    done = await crawl(make_spec(f"{site.url}/shop/", max_pages=37))
    assert done.report.stop is StopReason.MAX_PAGES
    assert done.report.statistics.pages == 37
    assert len(site.log.targets()) == 38
    assert done.report.statistics.leased == 0


async def test_max_depth_is_kept(make_site: MakeSite) -> None:
    site = await make_site({f"/{n}": page(f"/{n + 1}") for n in range(6)})
    done = await crawl(make_spec(site.url("/0"), max_depth=2))
    assert done.urls(PageState.DONE) == [site.url(f"/{n}") for n in range(3)]
    assert done.report.statistics.urls_refused == {"too deep": 1}


async def test_a_stopped_worker_gives_its_leases_back_and_another_goes_on(site: DemoSite) -> None:
    spec = make_spec(f"{site.url}/shop/c/ssd", allow=["/shop/c/ssd", "/shop/p/"])

    async def stop_soon(worker: Worker) -> None:
        while len(site.log) < 40:
            await asyncio.sleep(0.005)
        worker.stop()

    first = await crawl(spec, during=stop_soon)
    assert first.report.stop is StopReason.STOPPED
    assert first.store.statistics().leased == 0
    second = await crawl(spec, store=first.store)
    assert second.report.stop is StopReason.EXHAUSTED
    targets = [target for target in site.log.targets() if target != "/robots.txt"]
    assert len(targets) == len(set(targets)) == second.report.statistics.pages


async def test_the_users_pause_ends_the_worker(site: DemoSite) -> None:
    spec = make_spec(f"{site.url}/shop/")
    store = MemoryCrawlStore(spec.frontier_options(), clock=time.monotonic)

    async def pause_soon(worker: Worker) -> None:
        while len(site.log) < 20:
            await asyncio.sleep(0.005)
        store.wish(Wish.PAUSE)

    done = await crawl(spec, store=store, during=pause_soon)
    assert done.report.stop is StopReason.PAUSED
    assert store.statistics().leased == 0
    assert store.statistics().queued > 0


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


async def test_rules_of_robots_txt_are_kept(make_site: MakeSite) -> None:
    site = await make_site(
        {"/robots.txt": robots("User-agent: *\nDisallow: /private"), "/": page("/private/1", "/open"), "/open": page()}
    )
    done = await crawl(make_spec(site.url()))
    assert [request.path for request in site.requests] == ["/robots.txt", "/", "/open"]
    assert done.report.statistics.urls_refused == {"robots": 1}
    seen = len(site.requests)
    await crawl(make_spec(site.url(), respect_robots=False, exclude=["/open"]))
    assert [request.path for request in site.requests[seen:]] == ["/", "/private/1"]


async def test_a_robots_file_elsewhere_is_used_where_named(make_site: MakeSite) -> None:
    site = await make_site(
        {"/rules.txt": robots("User-agent: *\nDisallow: /secret"), "/": page("/secret", "/open"), "/open": page()}
    )
    await crawl(make_spec(site.url(), robots_url=site.url("/rules.txt")))
    assert [request.path for request in site.requests] == ["/rules.txt", "/", "/open"]


class SiteThatMoved:
    """A lane in which everything on example.org is on www.example.org by now, and its pages link to another site."""

    def __init__(self) -> None:
        self.cookies = CookieShelf(is_kept=False)
        self.asked: list[str] = []

    async def fetch(self, lease: Lease) -> FetchedPage | Redirect:
        self.asked.append(lease.url)
        if lease.url == "http://example.org/":
            return Redirect(lease.url, 301, "https://www.example.org/")
        links = (
            b"<a href=/secret>a</a> <a href=https://other.example/b>b</a> <a href=https://www.example.org:99/c>c</a>"
        )
        return FetchedPage(lease.url, 200, {"content-type": "text/html"}, links)

    async def fetch_following(self, url: str, **_: object) -> FetchedPage:
        self.asked.append(url)
        rules = b"User-agent: *\nDisallow: /secret" if url == "https://rules.example/robots.txt" else b""
        return FetchedPage(url, 200, {}, rules)


async def test_other_rules_for_a_seeds_site_hold_where_it_sends_us() -> None:
    spec = make_spec("http://example.org/", robots_url="https://rules.example/robots.txt", same_site="off", max_depth=1)
    store, lane = MemoryCrawlStore(spec.frontier_options(), clock=time.monotonic), SiteThatMoved()
    store.plant(seed_candidates(spec))
    await make_worker(spec, store, lane).run()  # type: ignore[arg-type]
    assert "https://www.example.org/" in lane.asked
    assert "https://www.example.org/secret" not in lane.asked
    assert sorted(url for url in lane.asked if url.endswith("/robots.txt")) == [
        "https://other.example/robots.txt",
        "https://rules.example/robots.txt",
        "https://rules.example/robots.txt",
        "https://www.example.org:99/robots.txt",
    ]


async def test_a_seed_that_robots_forbids_is_not_fetched(make_site: MakeSite) -> None:
    site = await make_site({"/robots.txt": robots("User-agent: *\nDisallow: /"), "/": page()})
    done = await crawl(make_spec(site.url()))
    assert [request.path for request in site.requests] == ["/robots.txt"]
    assert done.store.rows[next(iter(done.store.rows))].refusal is Refusal.ROBOTS


async def test_a_host_whose_rules_cannot_be_read_is_left_alone(make_site: MakeSite) -> None:
    async def broken(request: web.Request) -> web.Response:
        return web.Response(status=503)

    site = await make_site({"/robots.txt": broken, "/": page()})
    done = await crawl(make_spec(site.url(), retry=0))
    assert [request.path for request in site.requests] == ["/robots.txt"]
    assert done.report.stop is StopReason.EXHAUSTED
    found = done.report.statistics
    assert (found.failed, found.failures, found.urls_refused) == (1, {"asked to wait": 1}, {})
    assert done.store.log[0].level == "error"
    assert "robots.txt could not be read" in done.store.log[0].message


async def test_a_site_that_cannot_be_reached_is_a_failure_that_can_be_tried_again(unused_tcp_port: int) -> None:
    done = await crawl(make_spec(f"http://127.0.0.1:{unused_tcp_port}/", retry=0))
    found = done.report.statistics
    assert (found.pages, found.failed, found.skipped) == (0, 1, 0)
    assert found.failures == {"no connection": 1}
    assert "No connection to the server could be made." in done.store.log[0].message
    assert done.store.retry_failed() == 1


def xml(body: str) -> Handler:
    async def serve(request: web.Request) -> web.Response:
        text = body.replace("HERE", f"http://{request.host}")
        return web.Response(text=text, content_type="application/xml")

    return serve


async def test_sitemaps_are_seeds_where_asked(make_site: MakeSite) -> None:
    routes = {
        "/": page(),
        "/index.xml": xml("<sitemapindex><sitemap><loc>HERE/1.xml</loc></sitemap></sitemapindex>"),
        "/1.xml": xml(
            "<urlset><url><loc>HERE/a</loc></url><url><loc>HERE/no</loc></url><url><loc>http://o.example/</loc></url></urlset>"
        ),
        "/a": page(),
    }
    site = await make_site({**routes, "/robots.txt": robots("")})
    done = await crawl(make_spec(site.url(), sitemap=True))
    assert [request.path for request in site.requests].count("/a") == 0
    site = await make_site({**routes, "/robots.txt": xml("User-agent: *\nDisallow: /no\nSitemap: HERE/index.xml")})
    done = await crawl(make_spec(site.url(), sitemap=True))
    assert done.report.statistics.sitemaps == 2
    assert done.urls(PageState.DONE) == [site.url(path) for path in ("/", "/1.xml", "/a", "/index.xml")]
    assert done.report.statistics.urls_refused == {"cross-site": 1, "robots": 1}
    assert done.report.statistics.pages == 2


@pytest.mark.parametrize("written", ["/maps/all.xml", "maps/all.xml", "HERE/maps/all.xml"])
async def test_a_sitemap_is_found_however_robots_txt_writes_its_address(make_site: MakeSite, written: str) -> None:
    sitemap = "<urlset><url><loc>HERE/hidden</loc></url></urlset>"
    routes = {"/": page(), "/hidden": page(), "/maps/all.xml": xml(sitemap)}
    site = await make_site({**routes, "/robots.txt": xml(f"Sitemap: {written}")})
    done = await crawl(make_spec(site.url(), sitemap=True))
    assert done.urls(PageState.DONE) == [site.url(path) for path in ("/", "/hidden", "/maps/all.xml")]
    assert "/sitemap.xml" not in [request.path for request in site.requests]


async def test_a_sitemap_that_a_page_links_to_is_one(make_site: MakeSite) -> None:
    sitemap = "<urlset><url><loc>HERE/hidden</loc></url></urlset>"
    site = await make_site({"/": page("/sitemap.xml"), "/hidden": page(), "/sitemap.xml": xml(sitemap)})
    done = await crawl(make_spec(site.url(), sitemap=True, exclude=(".xml",)))
    assert done.urls(PageState.DONE) == [site.url(path) for path in ("/", "/hidden", "/sitemap.xml")]
    assert (done.report.statistics.sitemaps, done.report.statistics.pages) == (1, 2)


async def test_sitemaps_are_seeds_also_where_robots_are_not_asked(make_site: MakeSite) -> None:
    sitemap = "<urlset><url><loc>HERE/hidden</loc></url></urlset>"
    site = await make_site({"/": page(), "/hidden": page(), "/sitemap.xml": xml(sitemap)})
    done = await crawl(make_spec(site.url(), sitemap=True, respect_robots=False))
    paths = [request.path for request in site.requests]
    assert sorted(paths) == ["/", "/hidden", "/sitemap.xml"]
    assert done.report.statistics.sitemaps == 1


async def test_a_sitemap_that_has_moved_is_read_and_its_pages_lead_to_no_other_site(make_site: MakeSite) -> None:
    other = await make_site({"/": page("/a"), "/a": page()})

    async def moved(request: web.Request) -> web.Response:
        return web.Response(status=301, headers={"Location": "/wp-sitemap.xml"})

    async def away(request: web.Request) -> web.Response:
        return web.Response(status=301, headers={"Location": f"http://localhost:{other.port}/"})

    sitemap = xml("<urlset><url><loc>HERE/shop/1</loc></url><url><loc>HERE/shop/2</loc></url></urlset>")
    routes = {"/shop": page(), "/shop/1": page(), "/shop/2": away}
    site = await make_site({**routes, "/sitemap.xml": moved, "/wp-sitemap.xml": sitemap})
    spec = make_spec(site.url("/shop"), sitemap=True, allow=("/shop",))
    done = await crawl(spec, allow=[f"127.0.0.1:{other.port}", f"[::1]:{other.port}"])
    assert done.urls(PageState.DONE) == [site.url(path) for path in ("/shop", "/shop/1", "/wp-sitemap.xml")]
    assert done.report.statistics.urls_refused == {"cross-site": 1}
    assert other.requests == []


async def test_a_sitemap_at_the_usual_place_is_tried_and_may_be_missing(make_site: MakeSite) -> None:
    site = await make_site({"/": page(), "/robots.txt": robots("")})
    done = await crawl(make_spec(site.url(), sitemap=True))
    assert "/sitemap.xml" in [request.path for request in site.requests]
    assert (done.report.stop, done.report.statistics.failed) == (StopReason.EXHAUSTED, 0)


async def test_pages_may_ask_not_to_be_followed_or_indexed(make_site: MakeSite) -> None:
    site = await make_site(
        {
            "/": page("/noindex", "/nofollow", "/header"),
            "/noindex": page("/from-noindex", head='<meta name="robots" content="noindex, follow">'),
            "/nofollow": page("/from-nofollow", head='<meta name="Gleaner" content="nofollow">'),
            "/header": page("/from-header", headers={"X-Robots-Tag": "none"}),
            "/from-noindex": page(),
        }
    )
    done = await crawl(
        make_spec(site.url()), template={"name": "p", "inspectors": [{"name": "path", "selector": "//p"}]}
    )
    assert sorted(str(values["path"]) for values in done.values()) == ["/", "/from-noindex", "/nofollow"]
    assert done.report.statistics.urls_refused == {"nofollow": 2}


async def test_base_and_canonical_are_heeded(make_site: MakeSite) -> None:
    site = await make_site(
        {
            "/": page("one", head='<base href="/deep/">'),
            "/deep/one": page(head='<link rel="canonical" href="/deep/real">'),
            "/deep/real": page(head='<link rel="canonical" href="/deep/real">'),
        }
    )
    noted = await crawl(make_spec(site.url()))
    assert noted.urls(PageState.DONE) == [site.url(path) for path in ("/", "/deep/one")]
    followed = await crawl(make_spec(site.url(), canonical_links="follow"))
    assert followed.urls(PageState.DONE) == [site.url(path) for path in ("/", "/deep/one", "/deep/real")]


async def test_links_scope_limits_where_links_are_taken_from(make_site: MakeSite) -> None:
    async def home(request: web.Request) -> web.Response:
        text = "<nav><a href='/a'>a</a></nav><main><a href='/b'>b</a></main>"
        return web.Response(text=text, content_type="text/html")

    site = await make_site({"/": home, "/b": page()})
    done = await crawl(make_spec(site.url(), links_scope=["//main"]))
    assert done.urls(PageState.DONE) == [site.url("/"), site.url("/b")]


async def test_a_server_that_asks_us_to_wait_is_waited_for(make_site: MakeSite) -> None:
    answers: list[float] = []

    async def busy(request: web.Request) -> web.Response:
        answers.append(time.monotonic())
        if len(answers) == 1:
            return web.Response(status=429, headers={"Retry-After": "3"})
        return web.Response(text="<h1>At last</h1>", content_type="text/html")

    site = await make_site({"/": busy})
    done = await crawl(make_spec(site.url()))
    assert len(answers) == 2
    assert answers[1] - answers[0] >= 3.0
    assert done.store.log[0] == LogLine("warning", "The server asked us to wait 3 s (429).", site.url())
    assert [values["title"] for values in done.values()] == ["At last"]


@pytest.mark.parametrize("path", ["/robots.txt", "/a"])
async def test_a_server_that_asks_for_more_than_our_patience_is_left_alone_until_then(
    make_site: MakeSite, path: str
) -> None:
    async def busy(request: web.Request) -> web.Response:
        return web.Response(status=429, headers={"Retry-After": "3600"})

    routes = {"/robots.txt": robots(""), "/a": page(), "/b": page(), path: busy}
    site = await make_site(routes)
    spec = CrawlSpec.from_json({"seeds": [site.url("/a"), site.url("/b")], "sleep_ms": 0})
    done = await crawl(spec)
    assert [request.path for request in site.requests] == list(dict.fromkeys(["/robots.txt", path]))
    assert done.report.stop is StopReason.ASKED_TO_WAIT
    assert (
        done.report.sentence
        == "The server asks us to wait 60 min before the next page. The run goes on by itself then."
    )
    assert done.urls(PageState.QUEUED) == [site.url("/a"), site.url("/b")]


async def test_fifty_real_pages_beside_an_endless_calendar_are_all_found(make_site: MakeSite) -> None:
    async def calendar(request: web.Request) -> web.Response:
        year, month = int(request.match_info["y"]), int(request.match_info["m"])
        after = f"/calendar/{year + month // 12}/{month % 12 + 1:02}"
        before = f"/calendar/{year - (month == 1)}/{(month - 2) % 12 + 1:02}"
        return web.Response(text=f"<a href='{after}'>next</a><a href='{before}'>back</a>", content_type="text/html")

    real = {f"/real/{n}": page(f"/real/{n + 1}", "/calendar/2026/05") for n in range(50)}
    site = await make_site({**real, "/calendar/{y}/{m}": calendar})
    done = await crawl(make_spec(site.url("/real/0")))
    assert done.report.stop is StopReason.EXHAUSTED
    found = [url for url in done.urls(PageState.DONE) if "/real/" in url]
    assert len(found) == 50
    assert done.report.statistics.urls_refused["trap"] > 0
    assert done.report.statistics.pages < 300


async def test_our_own_bug_costs_one_page_and_is_told(make_site: MakeSite) -> None:
    site = await make_site({"/": page("/bad", "/good"), "/bad": page(), "/good": page()})
    spec = make_spec(site.url())
    store = MemoryCrawlStore(spec.frontier_options(), clock=time.monotonic)
    store.plant(seed_candidates(spec))
    async with make_lane(spec) as lane:
        good = make_worker(spec, store, lane)._pages._reader

        def reader(fetched: FetchedPage) -> PageReading:
            if fetched.url.endswith("/bad"):
                raise RuntimeError("what a surprise")
            return good(fetched)

        report = await build_worker(spec, name="w", store=store, lane=lane, reader=reader).run()
    assert (report.statistics.pages, report.statistics.failed) == (2, 1)
    assert "what a surprise" in store.log[0].message


class FlakyStore:
    """A store whose connection drops: sometimes before, sometimes after the transaction."""

    def __init__(self, store: MemoryCrawlStore) -> None:
        self._store = store
        self._calls = 0

    def lease(self, *, worker: str, limit: int) -> LeaseBatch:
        self._calls += 1
        if self._calls % 3 == 0:
            raise StoreError("The connection is gone.")
        return self._store.lease(worker=worker, limit=limit)

    def commit(self, *, worker: str, outcomes: "list[Outcome]", log: "list[LogLine]") -> Progress:  # type: ignore[override]
        self._calls += 1
        if self._calls % 4 == 0:
            raise StoreError("The connection is gone.")
        progress = self._store.commit(worker=worker, outcomes=outcomes, log=log)
        if self._calls % 4 == 2:
            raise StoreError("The connection is gone after the commit.")
        return progress


async def test_a_database_that_drops_connections_costs_nothing(site: DemoSite) -> None:
    spec = make_spec(f"{site.url}/shop/c/ssd", allow=["/shop/c/ssd", "/shop/p/"], exclude=["/reviews"])
    expected = await crawl(spec)
    site.reset()
    store = MemoryCrawlStore(spec.frontier_options(), clock=time.monotonic)
    store.plant(seed_candidates(spec))
    flaky: CrawlStore = FlakyStore(store)  # type: ignore[assignment]
    async with make_lane(spec) as lane:
        report = await make_worker(spec, flaky, lane).run()
    assert report.stop is StopReason.EXHAUSTED
    found = store.statistics()
    wanted = expected.report.statistics
    assert (found.pages, found.documents, found.links_visited) == (wanted.pages, wanted.documents, wanted.links_visited)
    targets = site.log.targets()
    assert len(targets) == len(set(targets))


async def test_a_database_that_stays_away_ends_the_worker(make_site: MakeSite, monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone:
        def lease(self, *, worker: str, limit: int) -> LeaseBatch:
            raise StoreError("There is no database.")

        def commit(self, **what: object) -> Progress:
            raise StoreError("There is no database.")

    monkeypatch.setattr("crawler_node.engine.worker._FIRST_STORE_WAIT_SECONDS", 0.001)
    spec = make_spec("http://127.0.0.1:9/")
    async with make_lane(spec) as lane:
        worker = make_worker(spec, Gone(), lane)  # type: ignore[arg-type]
        with pytest.raises(StoreError, match="There is no database"):
            await worker.run()


class RecordingStore:
    """Remembers how many were leased and committed at once."""

    def __init__(self, store: CrawlStore) -> None:
        self._store = store
        self.wanted: list[int] = []
        self.commits: list[int] = []
        self.given_back = 0

    def lease(self, *, worker: str, limit: int) -> LeaseBatch:
        self.wanted.append(limit)
        return self._store.lease(worker=worker, limit=limit)

    def commit(self, *, worker: str, outcomes: Sequence[Outcome], log: Sequence[LogLine] = ()) -> Progress:
        self.given_back += sum(outcome.page.state is PageState.QUEUED for outcome in outcomes)
        self.commits.append(sum(outcome.page.state is PageState.DONE for outcome in outcomes))
        return self._store.commit(worker=worker, outcomes=outcomes, log=log)


async def recorded(spec: CrawlSpec, options: WorkerOptions) -> RecordingStore:
    store = MemoryCrawlStore(spec.frontier_options(), clock=time.monotonic)
    store.plant(seed_candidates(spec))
    recording = RecordingStore(store)
    async with make_lane(spec) as lane:
        await make_worker(spec, recording, lane, options=options).run()
    return recording


async def test_a_fast_worker_leases_more_at_once_and_commits_larger_batches(make_site: MakeSite) -> None:
    links = [f"/{number}" for number in range(600)]
    site = await make_site({"/": page(*links), **{link: page() for link in links}})
    options = WorkerOptions(threads=4, lease_size=10, lease_seconds=60.0, batch_seconds=60.0)
    seen = await recorded(make_spec(site.url(), respect_robots=False), options)
    assert seen.wanted[0] == 12
    assert max(seen.wanted) > 50
    assert sum(seen.commits) == 601
    assert max(seen.commits) > 50
    assert max(seen.commits) <= 2 * options.batch_size


async def test_a_worker_with_nothing_left_to_do_commits_at_once(make_site: MakeSite) -> None:
    """Every page leads to one more: who waits for a full batch waits for ever."""
    site = await make_site({f"/{n}": page(f"/{n + 1}") for n in range(8)})
    seen = await recorded(make_spec(site.url("/0"), respect_robots=False), WorkerOptions(batch_seconds=3600.0))
    assert seen.commits[:7] == [1] * 7


async def test_leases_that_a_slow_site_leaves_no_time_for_are_given_back_not_lost(
    make_site: MakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crawler_node.engine.worker._LATE_SECONDS", 0.3)
    asked: list[str] = []

    async def slow(request: web.Request) -> web.Response:
        asked.append(request.path)
        await asyncio.sleep(0.1)
        return web.Response(text="<h1>Slow</h1>", content_type="text/html")

    links = [f"/{number}" for number in range(12)]
    site = await make_site({"/": page(*links), **dict.fromkeys(links, slow)})
    seen = await recorded(make_spec(site.url(), respect_robots=False), WorkerOptions(threads=1))
    assert sorted(asked) == sorted(links)
    assert sum(seen.commits) == 13
    assert seen.given_back > 0


async def test_what_is_odd_about_a_page_is_in_the_log(make_site: MakeSite) -> None:
    async def serve(request: web.Request) -> web.Response:
        body = "<h1>Größe für süße Äpfel</h1>".encode("cp1252")
        return web.Response(body=body, content_type="text/html", charset="utf-8")

    site = await make_site({"/": serve, "/robots.txt": robots("")})
    done = await crawl(make_spec(site.url()))
    assert [(line.level, line.url) for line in done.store.log] == [("info", site.url())]
    assert done.store.log[0].message == "The page says it is UTF-8, but it is not; it was read as cp1252."
    assert done.values() == [{"title": "Größe für süße Äpfel"}]
