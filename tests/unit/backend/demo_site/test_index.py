import aiohttp

from tests.unit.backend.demo_site.browsing import links_of


async def test_every_part_on_the_index_answers(client: aiohttp.ClientSession):
    links = await links_of(client, "/")
    assert {"/shop/", "/markt/", "/magazine/", "/dynamic/scroll"} <= links
    for link in links:
        async with client.get(link) as answer:
            assert answer.status == (403 if link == "/dynamic/captcha" else 200), link
