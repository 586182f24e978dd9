"""The main job in a browser: crawl the demo shop, build the index, search it, narrow down, ask why."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from backend.demo_site.options import SiteOptions
from backend.demo_site.process import SiteProcess
from tests.e2e.conftest import ROOT, Gleaner
from tests.e2e.test_walkthrough import sign_in

pytestmark = pytest.mark.browser
DEMO_PROJECT = ROOT / "backend" / "config" / "demo_project.json"
CRAWLER = "Orchard & Wire"
WORK_MS = 600_000


@pytest.fixture
def shop(tmp_path: Path, gleaner: Gleaner) -> Iterator[str]:
    """The demo shop with a head node that lets crawls through to it; the name of a project that describes it."""
    with SiteProcess(SiteOptions()) as site:
        file = tmp_path / "shop.json"
        file.write_text(json.dumps(_project(site.url)), encoding="utf-8")
        gleaner.manage("import", str(file))
        env = {**gleaner.env, "GLEANER_ALLOW_NETWORKS": site.url.removeprefix("http://")}
        command = [sys.executable, "manage.py", "head", "--stop-workers"]
        with (tmp_path / "head.log").open("wb") as log:
            head = subprocess.Popen(command, cwd=ROOT, env=env, stdout=log, stderr=log)
        try:
            yield "Demo shop"
        finally:
            head.terminate()
            head.wait(30)


def _project(site: str) -> dict[str, object]:
    """The project of the demo, small: one shop, two hundred pages, an index that is public."""
    project = json.loads(DEMO_PROJECT.read_text(encoding="utf-8").replace("{site}", site))
    for crawler in project["crawlers"]:
        crawler["max_pages"] = 200
    project["indexers"][0] |= {"public": True, "live": False}
    return {**project, "name": "Demo shop"}


def test_from_a_crawl_to_a_search_with_its_reasons(page: Page, gleaner: Gleaner, shop: str) -> None:
    sign_in(page, gleaner)
    page.get_by_role("link", name=shop).first.click()
    _crawl(page)
    _build_index(page)
    _search(page)
    _narrow_down(page)
    _ask_why(page)
    _search_without_signing_in(page)


def _crawl(page: Page) -> None:
    page.get_by_role("link", name="Crawlers", exact=True).click()
    page.get_by_role("link", name=CRAWLER).click()
    page.get_by_role("button", name="Start a run").click()
    expect(page.get_by_role("main").get_by_text("Completed", exact=True)).to_be_visible(timeout=WORK_MS)


def _build_index(page: Page) -> None:
    page.get_by_role("link", name="Indexers", exact=True).click()
    page.get_by_role("table").get_by_role("link").first.click()
    panel = page.get_by_role("region", name="Index")
    panel.get_by_role("button", name="Start", exact=True).click()
    expect(panel.get_by_text("can be searched").first).to_be_visible(timeout=WORK_MS)


def _search(page: Page) -> None:
    page.get_by_role("main").get_by_role("link", name="Search").click()
    box = page.get_by_role("combobox", name="Search")
    box.press_sequentially("keyboard", delay=30)
    expect(page.get_by_role("option").first).to_be_visible()
    box.press("Escape")
    box.press("Enter")
    results = page.get_by_role("region", name="Results")
    expect(results.locator("mark", has_text="Keyboard").first).to_be_visible()
    expect(page).to_have_url(re.compile("q=keyboard"))


def _narrow_down(page: Page) -> None:
    """By the first range that is offered."""
    results = page.get_by_role("region", name="Results")
    choice = page.get_by_role("complementary", name="Narrow down").get_by_role("radio").first
    choice.check()
    expect(page).to_have_url(re.compile("facets="))
    expect(page.get_by_role("button", name="Remove every filter")).to_be_visible()
    expect(results.get_by_role("listitem").first).to_be_visible()


def _ask_why(page: Page) -> None:
    page.get_by_role("button", name="Why this rank").first.click()
    drawer = page.get_by_role("dialog", name="Why this rank")
    expect(drawer.get_by_role("list", name="Parts of the score").get_by_role("listitem").first).to_be_visible()
    expect(drawer.get_by_text("The word “keyboard”")).to_be_visible()
    drawer.get_by_role("button", name="Close").click()


def _search_without_signing_in(page: Page) -> None:
    address = page.get_by_role("link", name="Public page").get_attribute("href")
    page.context.clear_cookies()
    page.goto(f"{address}?q=keybord")
    expect(page.get_by_text("Showing results for")).to_be_visible()
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()
