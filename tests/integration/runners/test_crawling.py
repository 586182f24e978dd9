"""Whole crawls through the command line, the head node and real worker processes, compared with the truth."""

import json
import re
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from typing import Any

import psutil
import pytest

from backend.demo_site.money import Money
from backend.demo_site.process import SiteProcess
from backend.demo_site.truth import SHOP_PRODUCTS
from tests.integration.runners.live import LiveGleaner, template_of

pytestmark = pytest.mark.live


def shop_file(site: SiteProcess, **options: Any) -> dict[str, Any]:
    crawler = {
        "name": "Shop",
        "template": SHOP_PRODUCTS.name,
        "seeds": [f"{site.url}/shop/c/ssd"],
        "allow": ["/shop/c/ssd", "/shop/p/"],
        "exclude": ["/reviews"],
        "sleep_ms": 0,
        "threads": 8,
        **options,
    }
    return {
        "version": 1,
        "name": "Live",
        "templates": [template_of(SHOP_PRODUCTS, key="sku")],
        "crawlers": [crawler],
    }


def network_of(site: SiteProcess) -> list[str]:
    return ["--allow-network", site.url.removeprefix("http://")]


def truth_by_sku(site: SiteProcess) -> dict[str, dict[str, Any]]:
    found = {}
    for document in SHOP_PRODUCTS.documents():
        values = {name: plain(value, site) for name, value in document.values.items()}
        found[str(values["sku"])] = values
    return found


def plain(value: Any, site: SiteProcess) -> Any:
    """A true value as the export writes it."""
    if isinstance(value, Money):
        return {"amount": float(value.amount), "currency": value.currency}
    if isinstance(value, str) and value.startswith("/"):
        return site.url + value
    if hasattr(value, "isoformat"):
        return value.isoformat()
    return float(value) if not isinstance(value, str) else value


def read_documents(path: Path) -> dict[str, dict[str, Any]]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {row["sku"]: row for row in rows}


def assert_true(documents: dict[str, dict[str, Any]], truth: dict[str, dict[str, Any]]) -> None:
    for sku, row in documents.items():
        expected = truth[sku]
        for name in SHOP_PRODUCTS.rules:
            assert comparable(row[name]) == comparable(expected.get(name)), (sku, name)


def comparable(value: Any) -> Any:
    if isinstance(value, dict):
        return float(value["amount"]), value["currency"]
    return float(value) if isinstance(value, int | float) else value


def test_every_value_of_every_product_is_collected(gleaner: LiveGleaner, site: SiteProcess, tmp_path: Path) -> None:
    out = tmp_path / "products.jsonl"
    found = gleaner.crawl(shop_file(site), *network_of(site), "--out", str(out))
    documents, truth = read_documents(out), truth_by_sku(site)
    wanted = {sku for sku, row in truth.items() if row["category"] == "SSDs"}
    assert wanted <= documents.keys()
    assert (found["status"], found["failed"]) == ("completed", 0)
    assert found["documents"] == len(documents)
    assert_true(documents, truth)


def test_several_workers_share_a_crawl_and_ask_for_nothing_twice(gleaner: LiveGleaner, site: SiteProcess) -> None:
    site.reset()
    found = gleaner.crawl(shop_file(site, lane="http"), *network_of(site), "--workers", "3")
    paths = [entry.target for entry in site.log_entries() if not entry.target.startswith("/_control")]
    pages = [path for path in paths if path != "/robots.txt"]
    assert len(pages) == len(set(pages)) == found["pages"]


@pytest.mark.parametrize("lane", ["http", "auto", "browser"])
def test_politeness_holds_over_all_workers(gleaner: LiveGleaner, site: SiteProcess, lane: str) -> None:
    """A browser also loads what its page is made of, at once as browsers do; between pages it keeps the gap.

    With one request open at a time, so that the site sees each before the next goes out, however slow it is.
    """
    site.reset()
    file = shop_file(site, sleep_ms=100, max_pages=25, lane=lane, limits={"requests_per_host": 1})
    gleaner.crawl(file, *network_of(site), "--workers", "2")
    others = ("/_control", "/assets/")
    moments = [entry.monotonic for entry in site.log_entries() if not entry.target.startswith(others)]
    gaps = [later - earlier for earlier, later in pairwise(moments)]
    assert len(moments) >= 25
    assert min(gaps) >= 0.099


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_stopped_says_so(gleaner: LiveGleaner, site: SiteProcess, number: signal.Signals) -> None:
    site.reset()
    crawl = gleaner.start("crawl", str(gleaner.write(shop_file(site, sleep_ms=200))), *network_of(site))
    assert wait_for_pages(site, crawl, count=5)
    crawl.send_signal(number)
    output, _ = crawl.communicate()
    found = gleaner.last_json(output)
    assert (crawl.returncode, found["status"], found["reason"]) == (1, "exit", "Someone stopped it.")
    assert found["leased"] == 0
    assert workers_of(gleaner) == []


def test_what_an_ephemeral_run_collected_is_written_when_it_is_stopped(
    gleaner: LiveGleaner, site: SiteProcess, tmp_path: Path
) -> None:
    site.reset()
    out = tmp_path / "some.jsonl"
    words = [str(gleaner.write(shop_file(site, sleep_ms=200))), *network_of(site), "--out", str(out), "--ephemeral"]
    crawl = gleaner.start("crawl", *words)
    assert wait_for_pages(site, crawl, count=5)
    crawl.send_signal(signal.SIGINT)
    found = gleaner.last_json(crawl.communicate()[0])
    assert (crawl.returncode, found["status"], found["reason"]) == (1, "exit", "Someone stopped it.")
    assert found["documents"] == len(read_documents(out)) > 0


def test_a_killed_worker_loses_nothing_and_doubles_nothing(
    gleaner: LiveGleaner, site: SiteProcess, tmp_path: Path
) -> None:
    calm = gleaner.crawl(shop_file(site, lane="http"), *network_of(site))
    site.reset()
    out = tmp_path / "after.jsonl"
    file = shop_file(site, name="Again", sleep_ms=20, lane="http")
    crawl = gleaner.start("crawl", str(gleaner.write(file)), *network_of(site), "--out", str(out))
    site.turn(latency_seconds=5.0)  # so that pages are in flight when their worker is killed
    kills = 0
    while kills < 3 and wait_for_pages(site, crawl, count=pages_asked(site) + 8):
        for worker in workers_of(gleaner):
            worker.kill()
            kills += 1
    site.turn(latency_seconds=0.0)
    found = gleaner.last_json(crawl.communicate()[0])
    assert kills == 3
    assert (found["status"], found["pages"], found["documents"]) == ("completed", calm["pages"], calm["documents"])
    assert_true(read_documents(out), truth_by_sku(site))
    asked = [entry.target for entry in site.log_entries() if entry.target.startswith("/shop")]
    assert len(set(asked)) == found["pages"]
    assert len(asked) - len(set(asked)) <= kills * 8


def test_what_cannot_work_is_refused_at_once(gleaner: LiveGleaner, site: SiteProcess) -> None:
    refused = gleaner.manage("crawl", str(gleaner.write(shop_file(site))), "--out", "x.doc", check=False)
    assert refused.returncode == 1
    assert "Choose one of: .csv" in refused.stderr


def test_a_file_that_cannot_be_written_is_refused_before_anything_is_fetched(
    gleaner: LiveGleaner, site: SiteProcess, tmp_path: Path
) -> None:
    site.reset()
    (tmp_path / "taken.csv").mkdir()
    (tmp_path / "file").touch()
    for out in ("missing/products.csv", "file/products.csv", "taken.csv"):
        path = str(tmp_path / out)
        refused = gleaner.manage(
            "crawl", str(gleaner.write(shop_file(site))), *network_of(site), "--out", path, check=False
        )
        assert refused.returncode == 1
        assert f"{path} cannot be written (" in refused.stderr
        assert "Traceback" not in refused.stderr
    assert pages_asked(site) == 0


def test_the_statistics_are_printed_also_when_the_documents_cannot_be_written(
    gleaner: LiveGleaner, site: SiteProcess, tmp_path: Path
) -> None:
    site.reset()
    folder = tmp_path / "soon gone"
    folder.mkdir()
    file = shop_file(site, sleep_ms=100, max_pages=15, lane="http")
    crawl = gleaner.start("crawl", str(gleaner.write(file)), *network_of(site), "--out", str(folder / "products.csv"))
    assert wait_for_pages(site, crawl, count=2)
    folder.rmdir()
    found = gleaner.last_json(crawl.communicate()[0])
    assert (crawl.returncode, found["status"], found["pages"]) == (1, "completed", 15)


def test_a_private_address_is_not_asked_without_the_operators_word(gleaner: LiveGleaner, site: SiteProcess) -> None:
    site.reset()
    done = gleaner.manage("crawl", str(gleaner.write(shop_file(site))), check=False)
    found = gleaner.last_json(done.stdout)
    assert found["pages"] == 0
    assert [entry for entry in site.log_entries() if entry.target.startswith("/shop")] == []


def test_a_site_that_cannot_be_reached_is_not_completed_and_says_what_to_do(
    gleaner: LiveGleaner, site: SiteProcess, unused_tcp_port: int
) -> None:
    file = shop_file(site, seeds=[f"http://127.0.0.1:{unused_tcp_port}/shop/c/ssd"], retry=0, lane="http")
    words = ("--allow-network", f"127.0.0.1:{unused_tcp_port}", "--workers", "2")
    done = gleaner.manage("crawl", str(gleaner.write(file)), *words, check=False)
    found = gleaner.last_json(done.stdout)
    assert (done.returncode, found["status"], found["failed"], found["skipped"]) == (1, "exit", 1, 0)
    assert found["reason"].startswith("No page could be read: no connection (1). Check the start addresses")


def test_a_run_that_a_server_asks_to_wait_is_paused_and_says_for_how_long(
    gleaner: LiveGleaner, site: SiteProcess
) -> None:
    with busy_server() as (address, asked):
        file = shop_file(site, seeds=[f"http://{address}/shop/c/ssd", f"http://{address}/shop/p/"], lane="http")
        done = gleaner.manage("crawl", str(gleaner.write(file)), "--allow-network", address, check=False)
    found = gleaner.last_json(done.stdout)
    assert (done.returncode, found["status"], found["queued"], found["failed"]) == (1, "paused", 2, 0)
    assert found["reason"] == "The server asks us to wait 60 min before the next page. The run goes on by itself then."
    assert asked == ["/robots.txt"]


@contextmanager
def busy_server() -> Iterator[tuple[str, list[str]]]:
    """A server that answers everything with the wish to wait an hour: its address, and what it was asked for."""
    asked: list[str] = []

    class Busy(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(429)
            self.send_header("Retry-After", "3600")
            self.send_header("Content-Length", "0")
            self.end_headers()

    with ThreadingHTTPServer(("127.0.0.1", 0), Busy) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"127.0.0.1:{server.server_port}", asked
        finally:
            server.shutdown()
            thread.join()


def test_a_dry_run_saves_nothing_and_tells_what_would_happen(gleaner: LiveGleaner, site: SiteProcess) -> None:
    done = gleaner.manage("crawl", str(gleaner.write(shop_file(site))), *network_of(site), "--dry-run", "5")
    found = gleaner.last_json(done.stdout)
    assert (found["pages"], found["failed"]) == (5, 0)
    assert found["would_follow"] > 10
    assert "Skipped" in done.stdout
    followed = [line.removeprefix("Next ") for line in done.stdout.splitlines() if line.startswith("Next ")]
    assert len(followed) == 10
    assert all(url.startswith(f"{site.url}/shop") for url in followed)
    assert "Live" in gleaner.manage("export", "Live", check=False).stderr


def test_a_dry_run_warns_of_what_the_log_would_warn_of(gleaner: LiveGleaner, site: SiteProcess) -> None:
    file = shop_file(site, seeds=[f"{site.url}/shop/p/no-such-page"], lane="http")
    done = gleaner.manage("crawl", str(gleaner.write(file)), *network_of(site), "--dry-run", "2", check=False)
    (sentence,) = gleaner.last_json(done.stdout)["warnings"]
    assert "404" in sentence
    assert f"Warning: {sentence}" in done.stdout.splitlines()


def test_a_dry_run_that_could_read_no_page_has_not_succeeded_and_says_what_to_do(
    gleaner: LiveGleaner, site: SiteProcess
) -> None:
    file = shop_file(site, lane="http")
    done = gleaner.manage("crawl", str(gleaner.write(file)), "--dry-run", "2", check=False)
    assert (done.returncode, gleaner.last_json(done.stdout)["pages"]) == (1, 0)
    assert "Addresses of a private network must be allowed (GLEANER_ALLOW_NETWORKS, --allow-network)." in done.stdout


def test_a_dry_run_tells_short_times_in_seconds(gleaner: LiveGleaner, site: SiteProcess) -> None:
    file = shop_file(site, lane="http", sleep_ms=0)
    done = gleaner.manage("crawl", str(gleaner.write(file)), *network_of(site), "--dry-run", "5")
    (told,) = [line for line in done.stdout.splitlines() if line.startswith("At this pace")]
    assert re.fullmatch(r"At this pace that takes about [1-9]\d* (s|min) with one worker\.", told)
    file["crawlers"][0]["links_scope"] = ["//nothing"]
    whole = gleaner.manage("crawl", str(gleaner.write(file)), *network_of(site), "--dry-run", "5")
    assert gleaner.last_json(whole.stdout)["would_follow"] == 0
    assert "At this pace" not in whole.stdout


def test_a_dry_run_leaves_a_project_as_it_was(gleaner: LiveGleaner, site: SiteProcess) -> None:
    file = shop_file(site, max_pages=1)
    gleaner.crawl(file, *network_of(site))
    before = gleaner.manage("export", "Live").stdout
    file["crawlers"][0] |= {"max_pages": 3, "proxies": [], "exclude": []}
    gleaner.manage("crawl", str(gleaner.write(file)), *network_of(site), "--dry-run", "2")
    assert gleaner.manage("export", "Live").stdout == before
    refused = gleaner.manage("crawl", str(gleaner.write(file)), "--dry-run", "0", check=False)
    assert "--dry-run must be at least 1" in refused.stderr


def test_a_run_that_is_not_worth_going_on_ends_and_says_why(gleaner: LiveGleaner, site: SiteProcess) -> None:
    limits = {"pages_without_new_document": 5}
    file = shop_file(site, seeds=[f"{site.url}/magazine/"], allow=[], exclude=["/shop"], lane="http", limits=limits)
    found = gleaner.crawl(file, *network_of(site))
    assert (found["status"], found["documents"]) == ("completed", 0)
    assert found["reason"] == "Too many pages in a row brought no new document."
    assert 5 <= found["pages"] < 30


def workers_of(gleaner: LiveGleaner) -> list[psutil.Process]:
    """The worker processes of this Gleaner, by its database."""
    found = []
    for process in psutil.process_iter(["cmdline"]):
        words = process.info["cmdline"] or []
        try:
            if "work" in words and process.environ().get("GLEANER_VAR") == gleaner.env["GLEANER_VAR"]:
                found.append(process)
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue
    return [process for process in found if is_alive(process)]


def is_alive(process: psutil.Process) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def pages_asked(site: SiteProcess) -> int:
    return sum(entry.target.startswith("/shop") for entry in site.log_entries())


def wait_for_pages(site: SiteProcess, crawl: Any, *, count: int) -> bool:
    """Until so many were asked for; False when the crawl is over before."""
    while pages_asked(site) < count:
        if crawl.poll() is not None:
            return False
        time.sleep(0.1)
    return True
