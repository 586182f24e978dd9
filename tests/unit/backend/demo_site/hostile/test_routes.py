from contextlib import suppress
from pathlib import Path

import aiohttp
import pytest
from lxml import html

from backend.demo_site import DemoSite
from backend.demo_site.hostile.routes import PERILS

DOCUMENT = Path(__file__).parents[5] / "docs" / "demo-site.md"


async def test_the_index_lists_every_peril_once(client: aiohttp.ClientSession):
    async with client.get("/hostile/") as answer:
        page = await answer.text()
    paths = [peril.path for peril in PERILS]
    assert len(set(paths)) == len(paths)
    assert all(f'href="{path.replace("&", "&amp;")}"' in page for path in paths)


@pytest.mark.parametrize("path", [peril.path for peril in PERILS])
async def test_every_peril_is_served(site: DemoSite, path: str):
    """Every address does something of its own; a status of 404 or 500 comes only where it is meant."""
    status = 0
    for seconds in (1, 10, 60) if path.endswith("/silence") else (120,):
        async with aiohttp.ClientSession(site.url, timeout=aiohttp.ClientTimeout(total=seconds)) as client:
            with suppress(TimeoutError, aiohttp.ClientError):
                async with client.get(path, allow_redirects=False) as answer:
                    status = answer.status
        if path in site.log.targets():
            break
    assert status not in {404, 500} or path.endswith(f"/{status}")
    assert path in site.log.targets()


@pytest.mark.parametrize("path", ["/hostile/calendar", "/hostile/session", "/hostile/flaky/1", "/hostile/same/1"])
async def test_a_crawl_from_one_peril_stays_with_it(client: aiohttp.ClientSession, path: str):
    async with client.get(path) as first, client.get(path) as second:
        assert first.status in {200, 502}
        links = html.document_fromstring(await second.read()).xpath("//a/@href")
    place = "/".join(path.split("/")[:3])
    assert links
    assert all(link.startswith(place) for link in links)


def test_every_peril_is_documented():
    rows = [f"| `{peril.path}` | {peril.sentence} | {peril.outcome.value} |" for peril in PERILS]
    table = DOCUMENT.read_text().partition("## The hostile pages")[2]
    assert [line for line in table.splitlines() if line.startswith("| `/")] == rows
