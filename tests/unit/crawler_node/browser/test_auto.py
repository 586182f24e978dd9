"""The lane that chooses itself, with a real browser beside it, and what it decides by."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from backend.demo_site import DemoSite
from backend.demo_site.truth import KINDS
from crawler_node.browser import AutoLane, BrowserLane, find_programs
from crawler_node.browser.actions import Chain, RunOn, parse_actions
from crawler_node.browser.evidence import FRAMED_SENTENCE, SCRIPTED_SENTENCE, Yield, compare, leads_to_more, why_browser
from crawler_node.contracts import FetchedPage, LogLine, PageReading
from crawler_node.engine import build_worker, seed_candidates
from crawler_node.extract.compiler import compile_template
from crawler_node.extract.reader import TemplateReader
from crawler_node.extract.spec import parse_template
from crawler_node.fetch import HttpLane, LaneOptions
from crawler_node.frontier import MemoryCrawlStore
from crawler_node.traps.shapes import kind_of
from crawler_node.urls.scope import AddressPattern
from tests.unit.crawler_node.browser.showing import PATIENT, lease_of, policy_for
from tests.unit.crawler_node.browser.test_manners import Server
from tests.unit.crawler_node.engine.crawling import Crawl, make_lane, make_spec

ROWS = {"name": "./td[1]", "price": "./td[2]"}


def reader_of(item_scope: str, selectors: dict[str, str]) -> TemplateReader:
    inspectors = [{"name": name, "selector": selector} for name, selector in selectors.items()]
    template = {"name": "t", "item_scope": item_scope, "inspectors": inspectors}
    return TemplateReader(compile_template(parse_template(template)))


def fetch_auto(site: DemoSite, paths: Sequence[str], reader: TemplateReader) -> tuple[list[Any], list[LogLine]]:
    lines: list[LogLine] = []

    async def work() -> list[Any]:
        http = HttpLane(LaneOptions(policy=policy_for(site.url)))
        async with http, BrowserLane(http, find_programs(), PATIENT) as browser:
            lane = AutoLane(http, browser, reader)
            lane.tell = lines.append
            return [await lane.fetch(lease_of(site.url + path)) for path in paths]

    return asyncio.run(work()), lines


@pytest.mark.browser
def test_a_selector_of_the_browsers_tree_sends_its_pages_to_the_browser(site: DemoSite) -> None:
    reader = reader_of("//table[@id='prices']/tbody/tr[td]", ROWS)
    (first, second), lines = fetch_auto(site, ["/dynamic/parity", "/dynamic/parity?2=2"], reader)
    assert [page.lane for page in (first, second)] == ["browser", "browser"]
    assert len(reader(first).documents) == len(KINDS["dynamic parity"].documents())
    assert lines[0].message.endswith("/dynamic/* go to the browser: a browser finds 12 documents, HTTP 0.")


@pytest.mark.browser
def test_pages_that_give_as_much_over_http_stay_there(site: DemoSite) -> None:
    reader = reader_of("//table[@id='prices']//tr[td]", ROWS)
    paths = [f"/dynamic/parity?n={number}" for number in range(4)]
    pages, lines = fetch_auto(site, paths, reader)
    assert [(page.lane, page.requests) for page in pages] == [("http", 2), ("http", 2), ("http", 1), ("http", 1)]
    assert len(lines) == 1
    assert "stay on HTTP: 2 pages gave the same over HTTP as in a browser (12 documents, 24 fields" in lines[0].message


@pytest.mark.browser
async def test_pages_whose_steps_change_what_is_read_go_to_the_browser() -> None:
    """As many fields, but other ones; pages that look alike and have no steps are judged apart."""
    shop = "<h1>1 €</h1><button onclick=\"document.querySelector('h1').textContent = '2 $'\">In dollars</button>"
    chain = Chain(parse_actions([{"type": "click", "selector": "//button"}]), RunOn.MATCHING, AddressPattern("*steps*"))
    reader, lines = reader_of("", {"price": "//h1"}), list[LogLine]()
    async with Server(dict.fromkeys(("/1", "/2", "/steps"), shop)) as server:
        http = HttpLane(LaneOptions(policy=policy_for(server.url)))
        async with http, BrowserLane(http, find_programs(), replace(PATIENT, chain=chain)) as browser:
            lane = AutoLane(http, browser, reader)
            lane.tell = lines.append
            pages = [await lane.fetch(lease_of(server.url + path)) for path in server.pages]
    read = [(page.lane, reader(page).documents[0].values["price"]) for page in pages]  # type: ignore[union-attr, arg-type]
    assert read == [("http", "1 €"), ("http", "1 €"), ("browser", "2 $")]
    assert lines[-1].message.endswith("go to the browser: its action chain changes what is read.")


def shop_page(*products: str) -> str:
    return "".join(f"<p class=product>{product}</p>" for product in products)


async def crawl_auto(server: Server, *seeds: str) -> tuple[Crawl, list[LogLine]]:
    spec, lines = make_spec(f"{server.url}{seeds[0]}", seeds=[server.url + seed for seed in seeds]), list[LogLine]()
    store = MemoryCrawlStore(spec.frontier_options(), clock=time.monotonic)
    store.plant(seed_candidates(spec))
    reader = reader_of("//p[@class='product']", {"name": "."})
    async with make_lane(spec, ()) as http, BrowserLane(http, find_programs(), PATIENT) as browser:
        lane = AutoLane(http, browser, reader)
        worker = build_worker(spec, name="w", store=store, lane=lane, reader=reader)
        lane.tell = lines.append
        return Crawl(await worker.run(), store), lines


@pytest.mark.browser
@pytest.mark.parametrize("way", ["location = '/real'", "location.replace('/real')"])
async def test_a_page_that_a_script_leads_on_to_is_crawled(way: str) -> None:
    pages = {"/": f"<h1>Wait</h1><a href='/'>Home</a><script>{way}</script>", "/real": shop_page("tent", "lamp")}
    async with Server(pages) as server:
        crawl, lines = await crawl_auto(server, "/")
        assert crawl.values() == [{"name": "tent"}, {"name": "lamp"}]
        assert (
            lines[0].message
            == f"Pages like {kind_of(server.url + '/')} go to the browser: a script leads on to {server.url}/real."
        )


@pytest.mark.browser
async def test_a_page_that_a_script_leads_on_to_on_another_host_is_handed_to_the_frontier() -> None:
    async with Server() as other, Server() as server:
        far = other.url.replace("127.0.0.1", "localhost") + "/real"
        server.pages["/"] = f"<h1>Wait</h1><script>location = '{far}'</script>"
        crawl, _ = await crawl_auto(server, "/")
        assert far in {row.candidate.url for row in crawl.store.rows.values()}


@pytest.mark.browser
async def test_a_page_that_gives_more_than_where_its_script_leads_is_taken_as_it_is_and_people_are_told() -> None:
    pages = {"/": f"{shop_page('tent', 'lamp')}<script>location = '/consent'</script>", "/consent": "<h1>Agree?</h1>"}
    async with Server(pages) as server:
        crawl, lines = await crawl_auto(server, "/")
        assert crawl.values() == [{"name": "tent"}, {"name": "lamp"}]
        [line] = lines
        assert (line.level, line.url) == ("warning", f"{server.url}/")
        assert line.message.startswith(f"A script leads on to {server.url}/consent; the page was taken as it came")


NOTHING = Yield(0, 0, frozenset())
LINKS = frozenset(f"http://a/{number}" for number in range(4))


@pytest.mark.parametrize(
    ("plain", "there", "expected"),
    [
        (NOTHING, None, True),
        (NOTHING, NOTHING, True),
        (Yield(0, 0, LINKS), None, False),
        (Yield(1, 1, frozenset()), None, False),
        (Yield(1, 3, LINKS), Yield(0, 0, LINKS), False),
        (Yield(0, 0, LINKS), Yield(1, 1, frozenset()), True),
        (Yield(0, 0, LINKS), NOTHING, False),
    ],
)
def test_a_script_leads_to_more_where_the_page_itself_gives_less(
    plain: Yield, there: Yield | None, expected: bool
) -> None:
    assert leads_to_more(plain, there) is expected


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("http://a.test/", "a.test/"),
        ("http://a.test/about", "a.test/*"),
        ("http://a.test/shop/p/blue-tent", "a.test/shop/p/*"),
        ("http://a.test/2024/news/x/y/z", "a.test/9/news/*/*/*"),
        ("http://a.test/list?page=2&sort=up", "a.test/*?page&sort"),
        ("ftp://a.test/", ""),
    ],
)
def test_pages_that_are_made_alike_are_of_one_kind(url: str, kind: str) -> None:
    assert kind_of(url) == kind


@pytest.mark.parametrize(
    ("rendered", "gain"),
    [
        (Yield(1, 3, frozenset({"http://a/x"})), ""),
        (Yield(1, 2, frozenset()), ""),
        (Yield(2, 3, frozenset()), "a browser finds 2 documents, HTTP 1"),
        (Yield(1, 4, frozenset()), "a browser fills 4 fields, HTTP 3"),
        (
            Yield(1, 3, frozenset({"http://a/x", "http://a/y"})),
            "a browser finds 1 link that HTTP does not, such as http://a/y",
        ),
    ],
)
def test_a_gain_is_more_documents_fields_or_links(rendered: Yield, gain: str) -> None:
    assert compare(Yield(1, 3, frozenset({"http://a/x"})), rendered) == gain


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (b"<p>Loading</p><script>draw()</script>", SCRIPTED_SENTENCE),
        (b"<p>Loading</p>", ""),
        (b"<script></script><p>" + b"words " * 200, ""),
        (b'<iframe src="/inner"></iframe><p>' + b"words " * 200, FRAMED_SENTENCE),
    ],
)
def test_a_page_without_documents_says_what_a_browser_might_show(body: bytes, sentence: str) -> None:
    page = FetchedPage("http://a/", 200, {}, body)
    assert why_browser(page, PageReading("http://a/")) == sentence
