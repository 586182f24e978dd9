"""The relevance lab and the trace in a browser: judge results, measure them, ask why a page is there or not."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from backend.config.demo import demo_file
from backend.demo_site.options import SiteOptions
from backend.demo_site.process import SiteProcess
from tests.e2e.conftest import Gleaner
from tests.e2e.test_walkthrough import sign_in

pytestmark = pytest.mark.browser
CRAWLER = "Orchard & Wire"


@dataclass(frozen=True)
class Shop:
    """A project whose demo shop is crawled and indexed."""

    name: str
    site: str


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory, gleaner: Gleaner) -> Iterator[Shop]:
    with SiteProcess(SiteOptions()) as site:
        file = tmp_path_factory.mktemp("lab") / "lab.json"
        file.write_text(json.dumps(_project(site.url)), encoding="utf-8")
        allowed = site.url.removeprefix("http://")
        gleaner.manage("crawl", str(file), "--crawler", CRAWLER, "--allow-network", allowed)
        gleaner.manage("index", str(file))
        yield Shop("Lab shop", site.url)


def _project(site: str) -> dict[str, object]:
    """The project of the demo, small: one shop, two hundred pages, an index that stays as it is."""
    project = demo_file(site)
    project["crawlers"][0]["max_pages"] = 200
    project["indexers"][0]["live"] = False
    return {**project, "name": "Lab shop"}


def test_judged_results_are_measured(page: Page, gleaner: Gleaner, shop: Shop) -> None:
    _open_indexer(page, gleaner, shop)
    page.get_by_role("link", name="Relevance lab").click()
    expect(page.get_by_text("Teach Gleaner what a good result is")).to_be_visible()
    _search(page, "keyboard")
    first, second = page.get_by_role("toolbar").nth(0), page.get_by_role("toolbar").nth(1)
    first.get_by_role("button", name="Exactly").click()
    second.get_by_role("button", name="Not at all").focus()
    page.keyboard.press("0")
    expect(page.get_by_text("2 results judged for this query")).to_be_visible()
    page.reload()
    expect(first.get_by_role("button", name="Exactly")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("tab", name="Measure").click()
    row = page.get_by_role("row", name=re.compile("keyboard 2 results judged, 1 wanted"))
    expect(row.get_by_role("cell").first).to_have_text("1.00")
    _take_back(page)


def _take_back(page: Page) -> None:
    """With its judgements the query goes."""
    page.get_by_role("button", name="Delete the judgements of keyboard").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_text("First say what a good result is")).to_be_visible()


def test_a_result_and_a_missing_page_tell_why(page: Page, gleaner: Gleaner, shop: Shop) -> None:
    _open_indexer(page, gleaner, shop)
    page.get_by_role("main").get_by_role("link", name="Search").click()
    _search(page, "keyboard")
    page.get_by_role("link", name=re.compile("^Why is it here")).first.click()
    expect(page.get_by_role("heading", name="It is in the results")).to_be_visible()
    steps = page.get_by_role("list", name="Steps").get_by_role("heading")
    expect(steps).to_have_count(7)
    expect(steps.last).to_have_text(re.compile("^Ranked: passed"))
    page.get_by_label("Address").fill(f"{shop.site}/magazine/")
    page.get_by_role("button", name="Follow it").click()
    expect(page.get_by_role("heading", name="Filtered out", exact=True)).to_be_visible()
    expect(page.get_by_text("None of the crawler's allowed addresses fits it").first).to_be_visible()


def _open_indexer(page: Page, gleaner: Gleaner, shop: Shop) -> None:
    sign_in(page, gleaner)
    page.get_by_role("link", name=shop.name).first.click()
    page.get_by_role("link", name="Indexers", exact=True).click()
    page.get_by_role("table").get_by_role("link").first.click()


def _search(page: Page, text: str) -> None:
    box = page.get_by_role("combobox", name="Search")
    box.fill(text)
    box.press("Enter")
    expect(page.get_by_role("region", name="Results").locator("mark").first).to_be_visible()
