"""Sitemaps on their way to the frontier."""

import asyncio
import gzip

import pytest

from crawler_node.contracts import TargetKind
from crawler_node.engine import sitemaps
from crawler_node.engine.sitemaps import read_candidates
from tests.unit.crawler_node.engine.test_sieve import lease, make_sieve


def urlset(count: int, *, characters: int = 0) -> bytes:
    tail = "x" * characters
    rows = "".join(f"<url><loc>https://site.example/{number}{tail}</loc></url>" for number in range(count))
    return gzip.compress(f"<urlset>{rows}</urlset>".encode())


async def test_addresses_count_as_seeds() -> None:
    candidates, sentence = await read_candidates(urlset(3), lease(2), make_sieve())
    assert [(candidate.depth, candidate.kind) for candidate in candidates] == [(0, TargetKind.PAGE)] * 3
    assert sentence == ""


async def test_addresses_without_their_site_are_of_the_sitemaps_own() -> None:
    body = b"<urlset><url><loc>/a</loc></url><url><loc>//site.example/b</loc></url><url><loc>c</loc></url></urlset>"
    candidates, _ = await read_candidates(body, lease(), make_sieve())
    assert [candidate.url for candidate in candidates] == ["https://site.example/a", "https://site.example/b"]


async def test_of_long_addresses_fewer_are_taken_and_people_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemaps, "_MAX_CHARACTERS", 100_000)
    candidates, sentence = await read_candidates(urlset(200, characters=1_900), lease(), make_sieve())
    assert len(candidates) == 52
    assert sentence == "Only the first 52 addresses of the sitemap were taken."


async def test_others_have_their_turn_while_a_long_one_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemaps, "_PAUSE_EVERY_SECONDS", 0.0)
    turns = 0

    async def other() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    task = asyncio.create_task(other())
    await read_candidates(urlset(50), lease(), make_sieve())
    task.cancel()
    assert turns > 40
