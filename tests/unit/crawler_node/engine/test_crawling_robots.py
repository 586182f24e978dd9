"""Whole crawls over sites with rules and maps: robots.txt and sitemaps."""

import time

import pytest
from aiohttp import web

from crawler_node.contracts import (
    FetchedPage,
    Lease,
    PageState,
    Redirect,
    Refusal,
    StopReason,
)
from crawler_node.engine import seed_candidates
from crawler_node.fetch.cookies import CookieShelf
from crawler_node.frontier import MemoryCrawlStore
from tests.unit.crawler_node.engine.crawling import crawl, make_spec, make_worker
from tests.unit.crawler_node.engine.sites import page, robots, xml
from tests.unit.crawler_node.fetch.conftest import MakeSite, make_site

__all__ = ["make_site"]


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
