"""Ways from the guard to a server."""

import asyncio
from typing import Any

import pytest

from crawler_node.browser import ways
from crawler_node.browser.ways import Ways
from crawler_node.fetch import parse_allow_networks
from crawler_node.urls.parse import parse_url

SILENT, ANSWERING = "2a00::1", "93.184.216.34"


async def test_an_address_that_does_not_answer_leaves_time_for_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []

    async def connect(address: str, *_: Any, **__: Any) -> tuple[str, str]:
        tried.append(address)
        if address == SILENT:
            await asyncio.Event().wait()
        return "reader", "writer"

    async def addresses(*_: Any) -> list[str]:
        return [SILENT, ANSWERING]

    monkeypatch.setattr(ways, "_NEXT_SECONDS", 0.05)
    monkeypatch.setattr(asyncio, "open_connection", connect)
    found = Ways(parse_allow_networks([]))
    monkeypatch.setattr(found, "_addresses", addresses)
    target = parse_url("https://a.test/")
    assert target is not None
    async with asyncio.timeout(30):
        assert await found.connect(target) == ("reader", "writer")
    assert tried == [SILENT, ANSWERING]
