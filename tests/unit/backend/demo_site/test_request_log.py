import json
from pathlib import Path

import aiohttp

from backend.demo_site import DemoSite, SiteOptions


async def test_logs_every_request_in_order(client: aiohttp.ClientSession, site: DemoSite):
    for path in ("/shop/", "/shop/products?page=2", "/nothing"):
        async with client.get(path, headers={"User-Agent": "tester", "X-Other": "1"}):
            pass
    entries = list(site.log)
    assert [(entry.method, entry.target, entry.status) for entry in entries] == [
        ("GET", "/shop/", 200),
        ("GET", "/shop/products?page=2", 200),
        ("GET", "/nothing", 404),
    ]
    assert entries[0].headers["User-Agent"] == "tester"
    assert "X-Other" not in entries[0].headers
    assert entries[0].monotonic <= entries[1].monotonic <= entries[2].monotonic
    assert {entry.server for entry in entries} == {site.url}


async def test_writes_lines_of_json_as_requests_are_answered(tmp_path: Path):
    file = tmp_path / "requests.jsonl"
    async with DemoSite(SiteOptions(log_file=file)) as site, aiohttp.ClientSession(site.url) as client:
        async with client.head("/shop/"):
            pass
        lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [(line["method"], line["target"], line["status"]) for line in lines] == [("HEAD", "/shop/", 200)]
