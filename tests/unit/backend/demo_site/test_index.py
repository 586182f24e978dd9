import aiohttp

from backend.demo_site import DemoSite, SiteOptions
from tests.unit.backend.demo_site.browsing import links_of


async def test_every_part_on_the_index_answers(client: aiohttp.ClientSession):
    links = await links_of(client, "/")
    assert {"/shop/", "/markt/", "/magazine/", "/dynamic/scroll"} <= links
    for link in links:
        async with client.get(link) as answer:
            assert answer.status == (403 if link == "/dynamic/captcha" else 200), link


async def test_the_throughput_part_is_listed_when_it_is_there(client: aiohttp.ClientSession):
    assert "/bulk/" not in await links_of(client, "/")
    async with DemoSite(SiteOptions(pages=10)) as site, aiohttp.ClientSession(site.url) as other:
        assert "/bulk/" in await links_of(other, "/")
