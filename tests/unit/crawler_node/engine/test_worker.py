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
    LeaseBatch,
    LogLine,
    Outcome,
    PageReading,
    PageState,
    Progress,
    StopReason,
    Wish,
)
from crawler_node.engine import CrawlSpec, Worker, WorkerOptions, build_worker, seed_candidates
from crawler_node.errors import StoreError
from crawler_node.frontier import MemoryCrawlStore
from tests.unit.crawler_node.engine.crawling import crawl, make_lane, make_spec, make_worker
from tests.unit.crawler_node.engine.sites import page, robots
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
