import gzip

import aiohttp
from lxml import etree

from backend.demo_site.truth import magazine_pages, second_shop_pages, shop_pages


async def _locations(client: aiohttp.ClientSession, url: str) -> list[str]:
    async with client.get(url) as answer:
        body = await answer.read()
    tree = etree.fromstring(gzip.decompress(body) if url.endswith(".gz") else body)
    return [location.text for location in tree.iter("{*}loc")]


async def test_sitemaps_list_every_friendly_page_once(client: aiohttp.ClientSession, site):
    parts = await _locations(client, "/sitemap.xml")
    found = [location for part in parts for location in await _locations(client, part)]
    expected = shop_pages() | second_shop_pages() | magazine_pages()
    assert sorted(found) == sorted(site.url + path for path in expected)


async def test_robots_txt_names_the_sitemap(client: aiohttp.ClientSession, site):
    async with client.get("/robots.txt") as answer:
        assert f"Sitemap: {site.url}/sitemap.xml" in await answer.text()
