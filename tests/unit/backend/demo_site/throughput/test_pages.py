from collections.abc import Iterator

import aiohttp
import pytest
from lxml import html

from backend.demo_site import DemoSite, SiteOptions
from backend.demo_site.throughput.pages import LINKS_PER_PAGE, PREFIX, item_links, item_page
from backend.demo_site.truth import THROUGHPUT_RULES, DocumentKind, throughput_document
from tests.unit.backend.demo_site.extraction import extract

TOTAL = 100_000
KIND = DocumentKind("throughput", "", THROUGHPUT_RULES, list)


@pytest.fixture(scope="module")
def large_site() -> Iterator[DemoSite]:
    with DemoSite(SiteOptions(pages=TOTAL)) as site:
        yield site


async def test_serves_any_page_with_its_six_fields(large_site: DemoSite):
    async with aiohttp.ClientSession(large_site.url) as client:
        for number in (0, 1, 4711, TOTAL - 1):
            expected = throughput_document(number)
            async with client.get(expected.path) as answer:
                assert extract(KIND, await answer.read(), expected.path) == [expected.shown]


async def test_there_is_no_page_past_the_last(large_site: DemoSite):
    async with aiohttp.ClientSession(large_site.url) as client, client.get(f"{PREFIX}{TOTAL}") as answer:
        assert answer.status == 404


async def test_the_front_door_leads_to_the_first_page(large_site: DemoSite):
    async with aiohttp.ClientSession(large_site.url) as client, client.get("/bulk/") as answer:
        assert answer.url.path == f"{PREFIX}0"


def test_pages_are_about_45_kb_with_60_links():
    sizes = [len(item_page(number, TOTAL)) for number in range(0, TOTAL, 5000)]
    assert all(42_000 < size < 48_000 for size in sizes)
    tree = html.document_fromstring(item_page(7, TOTAL))
    assert len(tree.xpath("//a/@href")) == LINKS_PER_PAGE == 60


def test_pages_differ_in_their_text_not_only_in_their_fields():
    bodies = [item_page(number, TOTAL).split(b'<section class="block">')[1:6] for number in range(50)]
    assert len({tuple(body) for body in bodies}) == 50


def test_every_page_is_a_few_clicks_from_the_first():
    level, seen, levels = {0}, {0}, 0
    while level:
        level = {link for number in level for link in item_links(number, 20_000)} - seen
        seen |= level
        levels += 1
    assert len(seen) == 20_000
    assert levels <= 7


async def test_without_the_option_there_are_no_such_pages(client: aiohttp.ClientSession):
    async with client.get(f"{PREFIX}0") as answer:
        assert answer.status == 404
