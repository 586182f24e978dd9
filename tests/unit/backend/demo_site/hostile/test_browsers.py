import asyncio

import aiohttp
import pytest

from backend.demo_site.hostile.browsers import BASE, PERILS


@pytest.mark.parametrize(
    "path", [peril.path for peril in PERILS if not peril.path.endswith(("/file", "/never-loaded"))]
)
async def test_pages_are_harmless_without_scripts(client: aiohttp.ClientSession, path: str):
    name = path.rpartition("/")[2]
    async with client.get(path) as answer:
        assert f'<h1 class="name">{name}</h1>' in await answer.text()
    async with client.get(f"/assets/hostile-{name}.js") as answer:
        assert answer.content_type == "text/javascript"
        assert await answer.text()


async def test_the_file_is_to_be_saved(client: aiohttp.ClientSession):
    async with client.get(f"{BASE}/file") as answer:
        assert answer.headers["Content-Disposition"].startswith("attachment")


async def test_the_picture_never_comes(client: aiohttp.ClientSession):
    with pytest.raises(asyncio.TimeoutError):
        await client.get(f"{BASE}/hanging.png", timeout=aiohttp.ClientTimeout(total=1))
