import asyncio
import zlib

import aiohttp
import brotli
import pytest
import zstandard

from backend.demo_site import DemoSite
from backend.demo_site.hostile.bodies import BASE, LARGE_BYTES
from backend.demo_site.hostile.bombs import BLOCK_BYTES, ENCODINGS, OPENING, bomb

ENOUGH = 20_000_000


async def _packed(client: aiohttp.ClientSession, encoding: str) -> bytes:
    async with client.get(f"{BASE}/bomb?encoding={encoding}") as answer:
        assert answer.headers["Content-Encoding"] == encoding.replace("twice", "gzip, gzip")
        return await answer.read()


@pytest.fixture
async def client(site: DemoSite):
    async with aiohttp.ClientSession(site.url, auto_decompress=False) as session:
        yield session


@pytest.mark.parametrize("encoding", ENCODINGS)
async def test_the_bomb_is_small_and_says_how_it_is_packed(client: aiohttp.ClientSession, encoding: str):
    body = await _packed(client, encoding)
    assert len(body) < 2_000_000
    assert body == bomb(encoding)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_bomb_unpacks_to_as_many_megabytes_as_it_has_blocks(encoding: str):
    unpack = {
        "gzip": lambda body: zlib.decompress(body, 31),
        "deflate": zlib.decompress,
        "br": brotli.decompress,
        "zstd": lambda body: b"".join(zstandard.ZstdDecompressor().read_to_iter(body)),
    }[encoding]
    assert unpack(bomb(encoding, blocks=5)) == OPENING + b" " * (5 * BLOCK_BYTES)


async def test_the_double_bomb_is_a_bomb_in_gzip(client: aiohttp.ClientSession):
    body = await _packed(client, "twice")
    assert len(body) < 20_000
    assert zlib.decompress(body, 31) == bomb("gzip")


async def test_the_large_body_is_as_long_as_it_says(client: aiohttp.ClientSession):
    total = 0
    async with client.get(f"{BASE}/large") as answer:
        assert answer.content_length == LARGE_BYTES
        async for chunk in answer.content.iter_any():
            total += len(chunk)
    assert total == LARGE_BYTES


async def test_the_unannounced_one_and_the_endless_one_keep_coming(client: aiohttp.ClientSession):
    for path in ("/large?length=no", "/endless"):
        async with client.get(BASE + path) as answer:
            assert answer.content_length is None
            assert len(await answer.content.readexactly(ENOUGH)) == ENOUGH


@pytest.mark.parametrize("name", ["drip", "pause", "silence"])
async def test_some_take_longer_than_anyone_waits(client: aiohttp.ClientSession, name: str):
    with pytest.raises(asyncio.TimeoutError):
        async with client.get(f"{BASE}/{name}", timeout=aiohttp.ClientTimeout(total=1.5)) as answer:
            await answer.read()


async def test_the_drip_drips(client: aiohttp.ClientSession):
    async with client.get(f"{BASE}/drip") as answer:
        assert await answer.content.readexactly(2) == b"<!"


async def test_some_cannot_be_unpacked(client: aiohttp.ClientSession):
    async with client.get(f"{BASE}/not-gzip") as answer:
        with pytest.raises(zlib.error):
            zlib.decompress(await answer.read(), 31)
    async with client.get(f"{BASE}/cut-gzip") as answer:
        unzip = zlib.decompressobj(31)
        assert unzip.decompress(await answer.read()).startswith(b"<!doctype")
        assert not unzip.eof


async def test_types_and_lengths_can_be_known_from_the_head(client: aiohttp.ClientSession):
    async with client.get(f"{BASE}/video") as answer:
        assert (answer.content_type, answer.content_length) == ("video/mp4", 2 << 30)
    async with client.get(f"{BASE}/no-type") as answer:
        assert "Content-Type" not in answer.headers
        assert b"A page like any other" in await answer.read()
    async with client.get(f"{BASE}/no-content") as answer:
        assert answer.status == 204


async def test_a_client_that_goes_away_leaves_the_site_in_order(client: aiohttp.ClientSession, site: DemoSite):
    for path in ("/large", "/endless", "/drip"):
        async with client.get(BASE + path) as answer:
            await answer.content.read(1)
            answer.close()
    async with client.get("/shop/") as answer:
        assert answer.status == 200
    assert [entry.status for entry in site.log] == [200] * 4
