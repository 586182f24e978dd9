import aiohttp
import pytest
from lxml import etree

from backend.demo_site.hostile.sitemaps import BASE, HUGE_COUNT


async def test_the_huge_one_holds_as_many_as_allowed(client: aiohttp.ClientSession):
    async with client.get(f"{BASE}/huge.xml") as answer:
        tree = etree.fromstring(await answer.read())
    assert len(tree) == HUGE_COUNT


async def test_the_loop_names_itself(client: aiohttp.ClientSession):
    async with client.get(f"{BASE}/loop.xml") as answer:
        assert str(answer.url) in await answer.text()


@pytest.mark.parametrize("name", ["broken.xml", "entities.xml"])
async def test_some_are_not_to_be_parsed(client: aiohttp.ClientSession, name: str):
    async with client.get(f"{BASE}/{name}") as answer:
        body = await answer.read()
    with pytest.raises(etree.XMLSyntaxError):
        etree.fromstring(body)


async def test_the_bomb_is_small(client: aiohttp.ClientSession):
    async with client.get(f"{BASE}/bomb.xml.gz") as answer:
        body = await answer.read()
    assert body.startswith(b"\x1f\x8b")
    assert len(body) < 2_000_000
