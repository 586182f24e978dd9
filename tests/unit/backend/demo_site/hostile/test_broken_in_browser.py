"""What the truth says about broken and mislabelled pages is what Chromium shows."""

import pytest
from playwright.sync_api import Browser

from backend.demo_site import DemoSite
from backend.demo_site.hostile.charsets import BY_NAME
from backend.demo_site.truth import HOSTILE_BROKEN, HOSTILE_CHARSETS, HOSTILE_TOO_DEEP, DocumentKind

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("kind", [HOSTILE_BROKEN, HOSTILE_TOO_DEEP, HOSTILE_CHARSETS], ids=lambda kind: kind.name)
def test_a_browser_shows_every_value(site: DemoSite, browser: Browser, kind: DocumentKind):
    page = browser.new_page()
    wrong = {}
    for document in kind.documents():
        page.goto(site.url + document.path)
        for field, expected in document.shown.items():
            shown = " ".join(page.locator(f".{field}").first.inner_text().split())
            if shown != expected:
                wrong[document.shown["name"]] = shown
    page.close()
    fooled = {name for name, case in BY_NAME.items() if case.is_misleading or case.is_unlabelled}
    assert set(wrong) == (fooled if kind is HOSTILE_CHARSETS else set())
