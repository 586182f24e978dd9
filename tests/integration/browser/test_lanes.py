"""Whole crawls in every lane through the command line, compared with the truth."""

import json
from pathlib import Path
from typing import Any

import pytest

from backend.demo_site.process import SiteProcess
from backend.demo_site.truth import KINDS, LOGIN_ACTIONS, SHOP_PRODUCTS, DocumentKind
from tests.integration.runners.live import LiveGleaner, template_of
from tests.integration.runners.test_crawling import comparable, network_of, plain, shop_file

pytestmark = [pytest.mark.live, pytest.mark.browser]


def project_file(site: SiteProcess, kind: DocumentKind, *, name: str, **options: Any) -> dict[str, Any]:
    """A project with one crawler for the pages of a kind."""
    paths = list(dict.fromkeys(document.path for document in kind.documents()))
    crawler = {
        "name": name,
        "template": kind.name,
        "seeds": [site.url + path for path in paths],
        "max_depth": 0,
        "sleep_ms": 0,
        **options,
    }
    template = {**template_of(kind), "actions": list(kind.actions)}
    return {"version": 1, "name": "Browser", "templates": [template], "crawlers": [crawler]}


def crawl(
    gleaner: LiveGleaner, site: SiteProcess, file: dict[str, Any], out: Path
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The statistics and the documents of a crawl."""
    done = gleaner.manage(
        "crawl", str(gleaner.write(file)), *network_of(site), "--out", str(out), "--with-duplicates", check=False
    )
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    return gleaner.last_json(done.stdout), rows


def values_of(kind: DocumentKind, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(({name: comparable(row[name]) for name in kind.rules} for row in rows), key=str)


def truth_of(kind: DocumentKind, site: SiteProcess) -> list[dict[str, Any]]:
    documents = ({name: plain(value, site) for name, value in found.values.items()} for found in kind.documents())
    return sorted(({name: comparable(row.get(name)) for name in kind.rules} for row in documents), key=str)


def log_of(gleaner: LiveGleaner, runner: int) -> str:
    code = (
        "from backend.apps.runners.models import LogLine;"
        f"print('\\n'.join(line.message for line in LogLine.objects.filter(runner_id={runner}).order_by('id')))"
    )
    return gleaner.manage("shell", "-v0", "-c", code).stdout


def test_the_lane_that_chooses_itself_sends_a_scripted_list_to_the_browser(
    gleaner: LiveGleaner, site: SiteProcess, tmp_path: Path
) -> None:
    kind = KINDS["dynamic items"]
    file = project_file(site, kind, name="Items", lane="auto", max_pages=12)
    found, rows = crawl(gleaner, site, file, tmp_path / "items.jsonl")
    assert found["lanes"]["browser"] >= 10
    assert "/dynamic/item/* go to the browser: a browser f" in log_of(gleaner, found["runner"])
    truth = {row["name"]: row for row in truth_of(kind, site)}
    assert len(rows) == 12
    assert all(row == truth[row["name"]] for row in values_of(kind, rows))


def test_all_lanes_give_the_same_documents_of_a_static_shop(
    gleaner: LiveGleaner, site: SiteProcess, tmp_path: Path
) -> None:
    found = {}
    for lane in ("http", "auto", "browser"):
        narrow = {"allow": ["/shop/c/ssd", "/shop/p/"], "max_depth": 1, "name": f"Shop {lane}", "lane": lane}
        report, rows = crawl(gleaner, site, shop_file(site, **narrow), tmp_path / f"{lane}.jsonl")
        assert report["status"] == "completed"
        found[lane] = values_of(SHOP_PRODUCTS, rows)
        if lane == "auto":
            assert report["lanes"] == {"http": report["pages"]}
            assert "stay on HTTP" in log_of(gleaner, report["runner"])
    assert len(found["http"]) >= 10
    assert found["http"] == found["auto"] == found["browser"]


def test_a_login_is_done_and_done_again_when_the_site_forgets(
    gleaner: LiveGleaner, site: SiteProcess, tmp_path: Path
) -> None:
    kind = KINDS["dynamic orders"]
    login = {
        "url": f"{site.url}/dynamic/login",
        "actions": list(LOGIN_ACTIONS),
        "logged_out": "//button[@id='sign-in']",
    }
    file = project_file(site, kind, name="Orders", lane="auto", login=login, threads=1)
    file["templates"][0]["actions"] = []
    site.turn(session_requests=3)
    found, rows = crawl(gleaner, site, file, tmp_path / "orders.jsonl")
    site.turn(session_requests=1_000_000)
    assert (found["status"], found["documents"]) == ("completed", 30)
    assert values_of(kind, rows) == truth_of(kind, site)
    exported = gleaner.manage("export", "Browser").stdout
    assert "gleaner-demo" not in exported + log_of(gleaner, found["runner"])
    assert "${login Orders 2}" in exported


@pytest.mark.parametrize("lane", ["http", "auto", "browser"])
def test_a_captcha_pauses_the_run_until_a_person_helps(
    gleaner: LiveGleaner, site: SiteProcess, tmp_path: Path, lane: str
) -> None:
    kind = KINDS["dynamic items"]
    seeds = [f"{site.url}/dynamic/captcha"]
    file = project_file(site, kind, name=f"Gate {lane}", lane=lane, seeds=seeds)
    file["templates"][0]["actions"] = []
    found, _ = crawl(gleaner, site, file, tmp_path / "gate.jsonl")
    assert (found["status"], found["failed"], found["queued"]) == ("paused", 0, 1)
    assert found["reason"].startswith("Waiting for a person. The website wants to see that a person is there")
    domain = site.url.removeprefix("http://").partition(":")[0]
    file["crawlers"][0]["cookies"] = [{"name": "demo_human", "value": "seven", "domain": domain, "path": "/dynamic/"}]
    found, _ = crawl(gleaner, site, file, tmp_path / "gate.jsonl")
    assert (found["status"], found["pages"]) == ("completed", 1)
