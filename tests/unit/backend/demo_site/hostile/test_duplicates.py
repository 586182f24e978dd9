import aiohttp

from backend.demo_site.hostile.duplicates import CANONICAL, COPIES, NEAR, SAME, SOFT
from tests.unit.backend.demo_site.browsing import links_of


async def _bodies(client: aiohttp.ClientSession, base: str) -> list[str]:
    bodies = []
    for number in range(1, COPIES + 1):
        async with client.get(f"{base}/{number}") as answer:
            bodies.append(await answer.text())
    return bodies


async def test_copies_are_the_same_to_the_byte(client: aiohttp.ClientSession):
    assert len(set(await _bodies(client, SAME))) == 1


async def test_near_copies_differ_in_a_few_words_only(client: aiohttp.ClientSession):
    bodies = await _bodies(client, NEAR)
    assert len(set(bodies)) == COPIES
    words = [set(body.split()) for body in bodies]
    assert all(len(words[0] ^ other) <= 6 for other in words)


async def test_what_is_not_there_says_so_with_status_200(client: aiohttp.ClientSession):
    async with client.get(f"{SOFT}/any/thing") as answer:
        assert answer.status == 200
        assert "Page not found" in await answer.text()
    assert len(await links_of(client, f"{SOFT}/any/thing")) == 3


async def test_every_variant_names_the_canonical_address(client: aiohttp.ClientSession):
    variants = await links_of(client, CANONICAL)
    assert len(variants) == 9
    for variant in variants:
        async with client.get(variant) as answer:
            assert f'rel="canonical" href="{CANONICAL}"' in await answer.text()
