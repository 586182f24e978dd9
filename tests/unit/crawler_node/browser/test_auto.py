"""The lane that chooses itself, with a real browser beside it, and what it decides by."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from backend.demo_site import DemoSite
from backend.demo_site.truth import KINDS
from crawler_node.browser import AutoLane, BrowserLane, find_programs
from crawler_node.browser.actions import Chain, RunOn, parse_actions
from crawler_node.browser.evidence import FRAMED_SENTENCE, SCRIPTED_SENTENCE, Yield, compare, why_browser
from crawler_node.contracts import FetchedPage, LogLine, PageReading
from crawler_node.extract.compiler import compile_template
from crawler_node.extract.reader import TemplateReader
from crawler_node.extract.spec import parse_template
from crawler_node.fetch import HttpLane, LaneOptions
from crawler_node.traps.shapes import kind_of
from crawler_node.urls.scope import AddressPattern
from tests.unit.crawler_node.browser.showing import PATIENT, lease_of, policy_for
from tests.unit.crawler_node.browser.test_manners import Server

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
