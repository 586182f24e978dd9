"""Every dynamic page in a real browser: after its actions, every value is there; in the server's HTML, it is not."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext

from backend.demo_site import DemoSite
from backend.demo_site.truth import DYNAMIC_KINDS, DocumentKind
from tests.unit.backend.demo_site.dynamic.chain import FLATTEN, PATIENCE_MS, run_chain
from tests.unit.backend.demo_site.extraction import extract

pytestmark = pytest.mark.browser
SAMPLED_PAGES = 2


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    context.set_default_timeout(PATIENCE_MS)
    yield context
    context.close()


def _pages(kind: DocumentKind) -> dict[str, list[dict[str, str]]]:
    pages: dict[str, list[dict[str, str]]] = {}
    for document in kind.documents():
        pages.setdefault(document.path, []).append(document.shown)
    return dict(list(pages.items())[:SAMPLED_PAGES])


@pytest.mark.parametrize("kind", DYNAMIC_KINDS, ids=lambda kind: kind.name)
def test_every_value_is_there_after_the_actions(site: DemoSite, context: BrowserContext, kind: DocumentKind):
    for place, (path, expected) in enumerate(_pages(kind).items()):
        page = context.new_page()
        page.goto(site.url + path)
        if kind.name != "dynamic orders" or place == 0:
            run_chain(page, kind.actions)
        assert extract(kind, page.evaluate(FLATTEN).encode(), path) == expected
        page.close()


@pytest.mark.parametrize("kind", [kind for kind in DYNAMIC_KINDS if kind.needs_browser], ids=lambda kind: kind.name)
def test_the_html_of_the_server_does_not_hold_them(site: DemoSite, context: BrowserContext, kind: DocumentKind):
    for path, expected in _pages(kind).items():
        assert extract(kind, context.request.get(site.url + path).body(), path) != expected


@pytest.mark.parametrize("language", ["de", "fr", "es"])
def test_the_banner_speaks_several_languages(site: DemoSite, context: BrowserContext, language: str):
    page = context.new_page()
    page.goto(f"{site.url}/dynamic/cookies?lang={language}")
    page.locator("#consent .reject").click()
    page.locator(".overlay button.close").click()
    assert page.locator(".item").count() == 24
    page.reload()
    page.locator(".item").first.wait_for()
    assert page.locator("#consent").count() == 0
