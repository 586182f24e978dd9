"""One running site for all tests of the package, reset before each test."""

from collections.abc import AsyncIterator, Iterator

import aiohttp
import pytest

from backend.demo_site import DemoSite


@pytest.fixture(scope="session")
def running_site() -> Iterator[DemoSite]:
    with DemoSite() as site:
        yield site


@pytest.fixture
def site(running_site: DemoSite) -> DemoSite:
    running_site.reset()
    return running_site


@pytest.fixture
async def client(site: DemoSite) -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(site.url) as session:
        yield session
