import aiohttp

from backend.demo_site.hostile.directives import BASE_CHARACTERS, DIRECTIVES, LINKS, LONG_HOST, MANY_LINKS, ODD_LINKS
from tests.unit.backend.demo_site.browsing import links_of


async def test_wishes_are_in_meta_elements_and_headers(client: aiohttp.ClientSession):
    for name in ("noindex", "nofollow"):
        async with client.get(f"{DIRECTIVES}/{name}") as answer:
            assert f'<meta name="robots" content="{name}">' in await answer.text()
    async with client.get(f"{DIRECTIVES}/header") as answer:
        assert answer.headers["X-Robots-Tag"] == "noindex, nofollow"


async def test_the_page_that_only_nofollow_links_lead_to_exists(client: aiohttp.ClientSession):
    async with client.get(f"{DIRECTIVES}/only-by-nofollow") as answer:
        assert answer.status == 200


async def test_there_are_many_links(client: aiohttp.ClientSession):
    assert len(await links_of(client, f"{LINKS}/many")) == MANY_LINKS


async def test_a_host_is_longer_than_any_name(client: aiohttp.ClientSession):
    async with client.get(f"{LINKS}/long-host") as answer:
        assert LONG_HOST in await answer.text()


async def test_a_base_is_longer_than_any_address(client: aiohttp.ClientSession):
    async with client.get(f"{LINKS}/long-base") as answer:
        page = await answer.text()
    assert "x" * BASE_CHARACTERS + '/">' in page
    assert page.count('href="found?n=') == 400


async def test_odd_links_are_all_there(client: aiohttp.ClientSession):
    async with client.get(f"{LINKS}/odd") as answer:
        assert (await answer.text()).count(">odd</a>") == len(ODD_LINKS)


async def test_links_under_a_base_lead_to_a_page(client: aiohttp.ClientSession):
    async with client.get(f"{LINKS}/found?base") as answer:
        assert answer.status == 200
