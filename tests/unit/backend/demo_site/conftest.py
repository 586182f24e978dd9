"""One running site for all tests of the package, reset before each test."""

from collections.abc import AsyncIterator, Iterator

import aiohttp
import pytest
from playwright.sync_api import Browser, sync_playwright

from backend.demo_site import DemoSite

CHROMIUM = "/usr/bin/chromium"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]


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


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A real Chromium. Only for modules without async tests: Playwright keeps a loop of its own running."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS, timeout=120_000)
        yield browser
        browser.close()
