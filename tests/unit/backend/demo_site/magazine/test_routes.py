import json

import aiohttp
import pytest
from lxml import etree, html

from backend.demo_site.catalogue.articles import all_articles
from backend.demo_site.magazine.pages import article_path, image_path
from backend.demo_site.truth import magazine_pages
from tests.unit.backend.demo_site.browsing import reachable


async def test_links_lead_to_exactly_the_expected_pages(client: aiohttp.ClientSession):
    assert await reachable(client, "/magazine/") == magazine_pages() | {"/magazine/feed.xml"}


async def test_every_other_article_carries_json_ld(client: aiohttp.ClientSession):
    for article in all_articles()[:4]:
        async with client.get(article_path(article)) as answer:
            scripts = html.document_fromstring(await answer.read()).xpath(
                "//script[@type='application/ld+json']/text()"
            )
        assert len(scripts) == article.number % 2
        assert all(json.loads(script)["headline"] == article.title for script in scripts)


async def test_the_feed_lists_the_newest_with_whole_addresses(client: aiohttp.ClientSession):
    async with client.get("/magazine/feed.xml") as answer:
        tree = etree.fromstring(await answer.read())
    links = tree.xpath("//item/link/text()")
    assert len(links) == 20
    assert links[0] == str(client._base_url).rstrip("/") + article_path(all_articles()[0])


async def test_pictures_are_well_formed(client: aiohttp.ClientSession):
    async with client.get(image_path(all_articles()[5])) as answer:
        assert etree.fromstring(await answer.read()).tag.endswith("svg")


@pytest.mark.parametrize(
    "path",
    [
        "/magazine/topic/none",
        "/magazine/author/none",
        "/magazine/tag/none",
        "/magazine/2024/01/none",
        "/magazine/archive?page=11",
    ],
)
async def test_what_is_not_there_is_a_404(client: aiohttp.ClientSession, path: str):
    async with client.get(path) as answer:
        assert answer.status == 404
