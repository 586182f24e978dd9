"""Real sites crawled from their first page to the last by the command line, and every value compared with the truth."""

import importlib.util
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from tests.integration.real_sites.archives import SITES, archive, folder, project, truth
from tests.integration.real_sites.test_every_value import FIELDS, expected, values_of
from tests.integration.runners.live import live_gleaner

pytestmark = pytest.mark.live


@pytest.mark.parametrize("site", SITES)
def test_a_crawl_collects_every_value_of_every_page(site: str, tmp_path: Path) -> None:
    out = tmp_path / "documents.jsonl"
    with archive(site), _served(site) as address, live_gleaner(tmp_path, _database()) as gleaner:
        file = _one_document_per_page(project(site))
        file["crawlers"][0]["seeds"] = [f"http://{address}/"]
        found = gleaner.crawl(file, "--allow-network", address, "--out", str(out), "--with-duplicates")
    assert found["status"] == "completed"
    assert found["http_codes"].keys() <= {"200", "404"}  # the archives lack some pages that others link to
    documents = _by_page_number(site, out)
    assert len(documents) == SITES[site]
    assert _wrong_values(site, documents) == {}


def _one_document_per_page(file: dict[str, Any]) -> dict[str, Any]:
    """Some sites show one thing on two pages; without keys each page keeps its own document."""
    for inspector in file["templates"][0]["inspectors"]:
        inspector["key"] = False
    return file


def _database() -> str:
    return os.environ.get("GLEANER_DATABASE_URL", "")


def _wrong_values(site: str, documents: dict[str, dict[str, Any]]) -> dict[str, Any]:
    wrong = {}
    with archive(site) as opened:
        for _, field in (row for row in FIELDS if row[0] == site):
            wanted = truth(opened, site, field)
            for number, row in documents.items():
                if values_of(row[field]) != expected(field, wanted[number]):
                    wrong[f"{number} {field}"] = (row[field], wanted[number])
    return wrong


def _by_page_number(site: str, out: Path) -> dict[str, dict[str, Any]]:
    paths = {
        unquote(path): Path(entry).stem for path, entry in _server().Site(site, keep_base=False).page_names.items()
    }
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    return {paths[_path_of(row["url"])]: row for row in rows}


def _path_of(url: str) -> str:
    parts = urlsplit(url)
    return unquote(parts.path + (f"?{parts.query}" if parts.query else ""))


def _server() -> ModuleType:
    """The server that comes with the archives."""
    spec = importlib.util.spec_from_file_location("serve_site", folder() / "serve_site.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@contextmanager
def _served(site: str) -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, str(folder() / "serve_site.py"), site, str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        _wait_until_it_answers(f"http://127.0.0.1:{port}/robots.txt")
        yield f"127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


def _wait_until_it_answers(url: str) -> None:
    for _ in range(2400):
        try:
            with urllib.request.urlopen(url, timeout=20):
                return
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the site did not start")
