"""“Why isn't it there?”, on a real crawl of the demo site: the trace says where a page stopped, and why."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from backend.demo_site.options import SiteOptions
from backend.demo_site.process import SiteProcess
from backend.demo_site.truth import SHOP_PRODUCTS
from tests.integration.runners.live import ROOT, LiveGleaner, live_gleaner, template_of

pytestmark = pytest.mark.live
PAGES: dict[str, Any] = {
    "name": "Pages",
    "inspectors": [
        {"name": "title", "selector": "//h1", "required": True},
        {"name": "words", "selector": "//main/p", "fallbacks": ["//p"]},
        {"name": "author", "selector": "//address"},
    ],
}


class Case(NamedTuple):
    """An address, what stops it, and words that the reason must have."""

    crawler: str
    path: str
    stopped_at: str | None
    words: tuple[str, ...]
    query: str = ""


CASES = {
    "it is there": Case("Shop", "PRODUCT", None, ("in the results",), "QUERY"),
    "excluded": Case("Shop", "PRODUCT/reviews", "filtered", ("excludes", "“/reviews”")),
    "out of scope": Case("Shop", "/shop/c/kettles", "filtered", ("allowed addresses", "/shop/p/")),
    "another website": Case("Shop", "https://elsewhere.example/x", "filtered", ("another website",)),
    "robots": Case("Pages", "/hostile/forbidden", "filtered", ("robots.txt",)),
    "nofollow": Case("Pages", "/hostile/directives/only-by-nofollow", "filtered", ("not to follow",)),
    "too deep": Case("Lonely", "/hostile/near/2", "filtered", ("1 click away", "0 deep")),
    "trap": Case("Pages", "/hostile/a/b/a/b/a/b/a/b", "filtered", ("endless",)),
    "nobody links to it": Case("Shop", "/shop/p/nobody-knows-me", "discovered", ("No page that run 1 read", "seed")),
    "missing page": Case("Pages", "/hostile/no-such-page", "fetched", ("404",)),
    "redirect": Case("Pages", "/hostile/redirect/relative", "fetched", ("redirects to", "Trace that address")),
    "no web page": Case("Pages", "/shop/img/1001.svg", "fetched", ("not a web page",)),
    "waiting": Case("Few", "WAITING", "fetched", ("still waiting", "maximum number of pages")),
    "noindex": Case("Pages", "/hostile/directives/noindex", "extracted", ("asks not to be indexed",)),
    "nothing to extract": Case("Shop", "/shop/c/ssd", "extracted", ("found nothing on it", "no selector")),
    "duplicate": Case("Pages", "/hostile/same/2", "deduplicated", ("exactly the values", "/hostile/same/1")),
    "no index yet": Case("Lonely", "/hostile/near/1", "indexed", ("has no index yet", "Start it")),
    "other words": Case("Shop", "PRODUCT", "ranked", ("It does not have “zebra”",), "zebra ssd"),
}


def crawler(site: SiteProcess, name: str, template: str, *seeds: str, **options: Any) -> dict[str, Any]:
    given = {"sleep_ms": 0, "threads": 8, "keep_pages": True, "retry": 0, **options}
    return {"name": name, "template": template, "seeds": [site.url + seed for seed in seeds], **given}


def project_file(site: SiteProcess) -> dict[str, Any]:
    hostile = ("noindex", "rel")
    seeds = [f"/hostile/directives/{name}" for name in hostile]
    seeds += ["/hostile/no-such-page", "/hostile/redirect/relative", "/shop/img/1001.svg", "/hostile/forbidden"]
    seeds += ["/hostile/same/1"]
    shop = {"allow": ["/shop/c/ssd", "/shop/p/"], "exclude": ["/reviews"]}
    return {
        "version": 1,
        "name": "Live",
        "templates": [template_of(SHOP_PRODUCTS, key="sku"), PAGES, {**PAGES, "name": "Lonely pages"}],
        "crawlers": [
            crawler(site, "Shop", SHOP_PRODUCTS.name, "/shop/c/ssd", **shop),
            crawler(site, "Pages", "Pages", *seeds, max_depth=1),
            crawler(site, "Few", SHOP_PRODUCTS.name, "/shop/c/ssd", **shop, max_pages=3),
            crawler(site, "Lonely", "Lonely pages", "/hostile/near/1", max_depth=0),
        ],
        "indexers": [
            {
                "name": "All",
                "live": False,
                "columns": [{"name": "name", "sources": [f"{SHOP_PRODUCTS.name}.name", "Pages.title"]}],
            },
            {"name": "Later", "columns": [{"name": "title", "sources": ["Lonely pages.title"]}]},
        ],
    }


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """Four crawls, one index, then every question at once."""
    folder: Path = tmp_path_factory.mktemp("trace")
    with (
        SiteProcess(SiteOptions()) as site,
        live_gleaner(folder, os.environ.get("GLEANER_DATABASE_URL", "")) as gleaner,
    ):
        file = gleaner.write(project_file(site))
        for name in ("Shop", "Pages", "Few", "Lonely"):
            gleaner.manage("crawl", str(file), "--crawler", name, "--allow-network", site.url.removeprefix("http://"))
        product = next(one for one in SHOP_PRODUCTS.documents() if one.values["category"] == "SSDs")
        names = {"PRODUCT": product.path, "WAITING": waiting_path(gleaner), "QUERY": str(product.values["name"])}
        cases = [
            (case.crawler, address(site, case.path, names), names.get(case.query, case.query))
            for case in CASES.values()
        ]
        yield dict(zip(CASES, ask(gleaner, cases), strict=True))


def address(site: SiteProcess, path: str, names: dict[str, str]) -> str:
    for name, meaning in names.items():
        path = path.replace(name, meaning)
    return path if path.startswith("http") else site.url + path


def waiting_path(gleaner: LiveGleaner) -> str:
    """A page that the crawl with three pages found and never fetched."""
    code = (
        "from backend.apps.runners.models import CrawlUrl; print(CrawlUrl.objects.filter("
        "state=0, url__contains='/shop/p/').exclude(url__contains='reviews').order_by('-id').first().url)"
    )
    url = gleaner.manage("shell", "-v0", "-c", code).stdout.strip().splitlines()[-1]
    return url


def ask(gleaner: LiveGleaner, cases: list[tuple[str, str, str]]) -> list[dict[str, Any]]:
    command = [sys.executable, "-m", "tests.integration.search._trace_client"]
    given = json.dumps({"not_built": ["Later"], "cases": cases})
    done = subprocess.run(command, cwd=ROOT, env=gleaner.env, input=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


@pytest.mark.parametrize("name", CASES)
def test_a_trace_says_where_a_page_stopped_and_why(answers: dict[str, Any], name: str) -> None:
    case, answer = CASES[name], answers[name]
    assert answer["stopped_at"] == case.stopped_at, answer
    for words in case.words:
        assert words in answer["reason"], answer["reason"]
    states = [step["state"] for step in answer["steps"]]
    after = states[states.index("stopped") + 1 :] if case.stopped_at else []
    assert set(after) <= {"not reached"}


def test_what_passed_is_told_in_full(answers: dict[str, Any]) -> None:
    answer = answers["it is there"]
    steps = {step["name"]: step for step in answer["steps"]}
    assert all(step["state"] == "passed" for step in steps.values())
    assert "links to it" in steps["discovered"]["sentence"]
    assert steps["discovered"]["at"]
    assert answer["found_on"][0]["anchor"]
    assert answer["page"]["http_status"] == 200
    assert answer["page"]["load_ms"] > 0
    assert answer["page"]["lane"] == "http"
    quality = answer["page"]["quality"]
    weights = sum(part["weight"] for part in quality["parts"])
    assert quality["score"] == pytest.approx(
        sum(part["value"] * part["weight"] for part in quality["parts"]) / weights, abs=1e-4
    )
    assert all(part["reason"] for part in quality["parts"])
    [document] = answer["documents"]
    fired = {row["field"]: row for row in document["selectors"]}
    assert fired["name"]["selector"] == SHOP_PRODUCTS.rules["name"].selector
    [index] = answer["indexes"]
    assert index["words"]["name"] >= 2
    assert index["rank"] == 1
    assert index["explanation"]["parts"]


def test_a_fallback_and_a_miss_are_told(answers: dict[str, Any]) -> None:
    [document] = answers["duplicate"]["documents"]
    fired = {row["field"]: row for row in document["selectors"]}
    assert fired["author"] == {"field": "author", "selector": None, "is_fallback": False, "is_required": False}
    assert fired["title"]["selector"] == "//h1"


def test_the_page_that_links_to_an_excluded_one_is_named(answers: dict[str, Any]) -> None:
    assert answers["excluded"]["found_on"][0]["url"].endswith(answers["it is there"]["url"].rpartition("/")[2])
