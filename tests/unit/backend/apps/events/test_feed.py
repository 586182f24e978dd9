"""Streams of one process: who joins at which moment, and where each may go on."""

import asyncio
import threading
from collections.abc import Iterable

import pytest

from backend.apps.events import feed
from backend.apps.events.selectors import Projects, Told, Wanted

NEWS = Told(8, "node", None, None, b"id: 8\nevent: node\ndata: {}\n\n")


@pytest.fixture(autouse=True)
def _world(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "latest_event", lambda: 7)
    monkeypatch.setattr(feed, "_news", lambda last: [NEWS] if last < NEWS.id else [])
    monkeypatch.setattr(feed, "visible_projects", dict.fromkeys)


def test_a_stream_that_breaks_before_its_first_event_can_go_on() -> None:
    async def listen() -> list[bytes]:
        stream = feed.EventFeed().stream(1, None, Wanted(), None)
        told = [await anext(stream) for _ in range(3)]
        await stream.aclose()
        return told

    assert asyncio.run(listen()) == [b"retry: 2000\n\n", b"id: 7\n\n", NEWS.text]


def test_who_joins_while_rights_are_looked_up_is_not_thrown_out(monkeypatch: pytest.MonkeyPatch) -> None:
    is_asked, has_joined = threading.Event(), threading.Event()

    def look_up(users: Iterable[int]) -> dict[int, Projects]:
        found: dict[int, Projects] = dict.fromkeys(users)
        is_asked.set()
        assert has_joined.wait(20)
        return found

    async def join_late() -> bytes:
        together = feed.EventFeed()
        first, second = (together.stream(user, None, Wanted(), None) for user in (1, 2))
        await anext(first)
        await asyncio.to_thread(is_asked.wait, 20)
        for _ in range(2):
            await anext(second)
        has_joined.set()
        heard = await anext(second)
        await first.aclose()
        await second.aclose()
        return heard

    monkeypatch.setattr(feed, "visible_projects", look_up)
    assert asyncio.run(join_late()) == NEWS.text
