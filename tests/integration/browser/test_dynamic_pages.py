"""The dynamic pages of the demo site from a project file, through `crawl`: exact in a browser, why not over HTTP."""

import json
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from backend.demo_site.process import SiteProcess
from backend.demo_site.truth import KINDS
from crawler_node.browser.evidence import SCRIPTED_SENTENCE
from tests.integration.browser.test_lanes import truth_of, values_of
from tests.integration.runners.live import LiveGleaner
from tests.integration.runners.test_crawling import network_of

pytestmark = [pytest.mark.live, pytest.mark.browser]
FIXTURE = Path(__file__).resolve().parents[2] / "fixtures" / "projects" / "dynamic-pages.json"
NO_CHAIN = "The lane “http” has no browser, so the action chain of this crawl is left out."
NO_LOGIN = "The lane “http” has no browser, so the login of this crawl is left out."
CRAWLERS = {
    "JavaScript list": ("dynamic list", 60),
    "Infinite scroll": ("dynamic scroll", 300),
    "Load more": ("dynamic more", 120),
    "Tabs": ("dynamic tabs", 4),
    "Cookie banner": ("dynamic cookies", 24),
    "Lazy images": ("dynamic lazy", 24),
    "Orders": ("dynamic orders", 30),
}
# One of each reason; the others lack the same.
OVER_HTTP = ("Infinite scroll", "Lazy images", "Orders")


@dataclass(frozen=True)
class Crawled:
    """The statistics that a crawl printed, and the documents it wrote."""

    report: dict[str, Any]
    rows: list[dict[str, Any]]


class DynamicPages:
    """The project of the file, crawled by each of its crawlers in either lane, two at a time."""

    def __init__(self, gleaner: LiveGleaner, site: SiteProcess) -> None:
        self.site = site
        self._gleaner = gleaner
        text = FIXTURE.read_text(encoding="utf-8").replace("http://127.0.0.1:8100", site.url)
        self._files = {"browser": gleaner.write(json.loads(text))}
        plain = text.replace('"lane": "browser"', '"lane": "http"').replace("Dynamic pages", "Dynamic pages over HTTP")
        self._files["http"] = gleaner.write(json.loads(plain))

    def crawl_all(self) -> Mapping[tuple[str, str], Crawled]:
        wanted = [*((name, "browser") for name in CRAWLERS), *((name, "http") for name in OVER_HTTP)]
        with _head(self._gleaner), ThreadPoolExecutor(2) as pool:
            return dict(zip(wanted, pool.map(self._crawl, wanted), strict=True))

    def _crawl(self, wanted: tuple[str, str]) -> Crawled:
        name, lane = wanted
        out = self._gleaner.folder / f"{name} {lane}.jsonl"
        words = ("--crawler", name, "--out", str(out), "--with-duplicates", *network_of(self.site))
        done = self._gleaner.manage("crawl", str(self._files[lane]), *words)
        rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
        return Crawled(self._gleaner.last_json(done.stdout), rows)


@contextmanager
def _head(gleaner: LiveGleaner) -> Iterator[None]:
    """As under `./gleaner up`: crawls are started by commands and worked on by a head node beside them."""
    head = gleaner.start("head", "--stop-workers")
    try:
        yield
    finally:
        head.terminate()
        head.communicate()


@pytest.fixture(scope="module")
def crawled(gleaner: LiveGleaner, site: SiteProcess) -> Mapping[tuple[str, str], Crawled]:
    return DynamicPages(gleaner, site).crawl_all()


@pytest.mark.parametrize("name", CRAWLERS)
def test_every_thing_is_collected_exactly_in_a_browser(
    crawled: Mapping[tuple[str, str], Crawled], site: SiteProcess, name: str
) -> None:
    kind, count = KINDS[CRAWLERS[name][0]], CRAWLERS[name][1]
    found = crawled[name, "browser"]
    assert (found.report["status"], found.report["failed"], found.report["warnings"]) == ("completed", 0, [])
    assert found.report["lanes"] == {"browser": found.report["pages"]}
    assert len(found.rows) == count
    assert values_of(kind, found.rows) == truth_of(kind, site)


def test_over_http_a_scripted_page_says_what_it_lacks(crawled: Mapping[tuple[str, str], Crawled]) -> None:
    found = crawled["Infinite scroll", "http"]
    assert found.rows == []
    first, second = found.report["warnings"]
    assert first.startswith(NO_CHAIN)
    assert second == SCRIPTED_SENTENCE


def test_over_http_lazy_images_are_missing_and_counted(crawled: Mapping[tuple[str, str], Crawled]) -> None:
    found = crawled["Lazy images", "http"]
    assert (len(found.rows), found.report["missing"]) == (24, {"image": 12})
    assert found.report["warnings"][0].startswith(NO_CHAIN)


def test_over_http_nobody_signs_in(crawled: Mapping[tuple[str, str], Crawled]) -> None:
    found = crawled["Orders", "http"]
    assert found.rows == []
    assert found.report["warnings"][0].startswith(NO_LOGIN)
