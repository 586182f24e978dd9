"""Playwright doing the same job: one navigation, wait, one `content()`, the same extractor, status from its answer."""

import shutil
import sys
from typing import Any

from playwright.sync_api import sync_playwright

from backend.demo_site.truth import DocumentKind
from crawler_node.contracts import FetchedPage
from tests.benchmarks._browser_contest import ITEMS, LIST, READY, measure, tell
from tests.benchmarks._browser_ours import reader_for

# What Playwright itself uses without a window.
SHELL = shutil.which("chromium-headless-shell") or "/usr/bin/chromium"


def main(site: str, items: int, lists: int) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=SHELL, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        page.goto(f"{site}/dynamic/")
        counts = {LIST.name: (LIST, lists), ITEMS.name: (ITEMS, items)}
        tell({name: measure(kind, count, _show(page, site, kind)) for name, (kind, count) in counts.items()})
        browser.close()


def _show(page: Any, site: str, kind: DocumentKind) -> Any:
    reader = reader_for(kind)

    def show(path: str) -> int:
        answer = page.goto(site + path, wait_until="domcontentloaded")
        assert answer.status == 200
        page.wait_for_selector(f"xpath={READY[kind.name]}")
        html = page.content().encode()
        fetched = FetchedPage(site + path, 200, {"content-type": "text/html; charset=utf-8"}, html)
        return len(reader(fetched).documents)

    return show


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
