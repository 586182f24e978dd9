"""The gate before Django: a bounded queue, and a short way that gives the same answers to the same people."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from asgiref.sync import sync_to_async
from django.contrib.sessions.backends.db import SessionStore
from django.core.asgi import get_asgi_application
from django.db import connections
from django.utils import timezone

from backend.api.search.bodies import MAX_BYTES
from backend.api.search.gate import DJANGO_AT_ONCE, SearchGate
from backend.apps.accounts.models import User
from backend.apps.accounts.services import issue_token
from backend.apps.indexers.models import Indexer
from backend.apps.projects.models import Membership
from backend.bootstrap.servers.ports import LOOPBACK
from tests.integration.search.asgi import Answer, call
from tests.integration.search.shelf import PRODUCTS, build_index, make_project


class Counted:
    """An application that counts what reaches it."""

    def __init__(self, application: Any) -> None:
        self._application = application
        self.calls = 0

    async def __call__(self, *parts: Any) -> None:
        self.calls += 1
        await self._application(*parts)


class Lingering:
    """An application that takes a moment between the head of an answer and its end."""

    def __init__(self, application: Any) -> None:
        self._application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        async def send_slowly(message: Any) -> None:
            await send(message)
            await asyncio.sleep(0.2)

        await self._application(scope, receive, send_slowly)


class Slow:
    """An application that answers when it is told to."""

    def __init__(self) -> None:
        self.go = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self.go.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"{}"})


async def test_more_questions_than_the_queue_holds_are_refused_and_room_comes_back() -> None:
    slow = Slow()
    gate = SearchGate(slow, limit=3)
    waiting = [asyncio.ensure_future(call(gate, "/api/v1/indexers/1/search")) for _ in range(3)]
    await asyncio.sleep(0)
    refused = await call(gate, "/api/v1/indexers/1/suggest")
    assert (refused.status, refused.json()["code"]) == (429, "busy")
    assert refused.headers["retry-after"] == "1"
    slow.go.set()
    assert [answer.status for answer in await asyncio.gather(*waiting)] == [200] * 3
    assert (await call(gate, "/api/v1/indexers/1/search")).status == 200


async def test_what_is_no_question_never_waits_in_the_queue() -> None:
    slow = Slow()
    gate = SearchGate(slow, limit=1)
    searching = asyncio.ensure_future(call(gate, "/api/v1/indexers/1/search"))
    others = [asyncio.ensure_future(call(gate, path)) for path in ("/api/v1/indexers/1", "/healthz")]
    await asyncio.sleep(0)
    slow.go.set()
    assert [answer.status for answer in await asyncio.gather(searching, *others)] == [200] * 3


class Caller:
    """A member with a token, in front of the gate and the real application."""

    def __init__(self, indexer: Indexer, token: str) -> None:
        self.indexer = indexer
        self.django = Counted(get_asgi_application())
        self.gate = SearchGate(self.django, limit=10)
        self.headers = {"authorization": f"Bearer {token}"}

    async def ask(self, query: str, *, kind: str = "search", headers: dict[str, str] | None = None) -> Answer:
        path = f"/api/v1/indexers/{self.indexer.pk}/{kind}"
        return await call(self.gate, path, query=query, headers=self.headers if headers is None else headers)


@pytest.fixture
async def caller(transactional_db: Any, var: Path) -> Any:
    def prepare() -> Caller:
        project = make_project()
        indexer = project.indexers.get()
        build_index(indexer)
        _, token = issue_token(user=User.objects.get(username="owner"), name="t", days=1, now=timezone.now())
        return Caller(indexer, token)

    yield await sync_to_async(prepare)()
    await sync_to_async(connections.close_all)()


@pytest.fixture
def long_grants(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that they last as long as the first answer takes, in which a busy machine loads kernels."""
    monkeypatch.setattr("backend.api.search.gate.FRESH_SECONDS", 3600.0)


@pytest.mark.usefixtures("long_grants")
async def test_the_short_way_gives_what_django_gave(caller: Caller) -> None:
    first, second = await caller.ask("q=tea"), await caller.ask("q=tea")
    assert caller.django.calls == 1
    one, other = first.json(), second.json()
    assert one.pop("ms") >= 0
    assert other.pop("ms") >= 0
    assert one == other
    assert one["total"] == 3
    kept = {name: value for name, value in first.headers.items() if name != "content-length"}
    assert kept == {name: value for name, value in second.headers.items() if name != "content-length"}
    assert second.headers["cache-control"] == "no-store"
    assert int(second.headers["content-length"]) == len(second.body)


@pytest.mark.usefixtures("long_grants")
async def test_the_short_way_refuses_with_the_same_sentences(caller: Caller) -> None:
    slow = await caller.ask("sort=nothing")
    assert slow.status == 400
    await caller.ask("q=tea")
    fast = await caller.ask("sort=nothing")
    assert caller.django.calls == 1
    assert (fast.status, fast.json()) == (slow.status, slow.json())


async def test_only_who_was_let_in_goes_the_short_way(caller: Caller) -> None:
    await caller.ask("q=tea")
    assert (await caller.ask("q=tea", headers={})).status == 401
    assert (await caller.ask("q=tea", headers={"authorization": "Bearer glnr_wrong"})).status == 401
    assert (await caller.ask("q=tea", headers={**caller.headers, "host": "evil.example"})).status == 400


async def test_a_write_withdraws_what_was_granted(caller: Caller) -> None:
    await caller.ask("q=samsung")
    path = f"/api/v1/indexers/{caller.indexer.pk}"
    body = b'{"formula": "text * 0 - price"}'
    changed = await call(caller.gate, path, method="PATCH", headers=caller.headers, body=body)
    assert changed.status == 200
    best = (await caller.ask("q=samsung")).json()["results"][0]
    assert best["key"] == "1"
    await sync_to_async(Membership.objects.all().delete)()
    await call(caller.gate, path, method="DELETE", headers={})
    assert (await caller.ask("q=samsung")).status == 404


async def test_a_grant_ends_by_itself(caller: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backend.api.search.gate.FRESH_SECONDS", 0.0)
    await caller.ask("q=tea")
    await sync_to_async(Membership.objects.all().delete)()
    assert (await caller.ask("q=tea")).status == 404
    assert (await caller.ask("q=tea")).status == 404


@pytest.mark.usefixtures("long_grants")
async def test_while_one_renews_a_grant_nobody_else_goes_the_long_way(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backend.api.search.gate.USABLE_SECONDS", 36_000.0)
    await caller.ask("q=tea")
    for grant in caller.gate._grants.values():
        grant.given -= 7200.0
    caller.django._application = Lingering(caller.django._application)
    renewal = asyncio.create_task(caller.ask("q=samsung"))
    await asyncio.sleep(0)  # it goes first
    while not renewal.done():
        assert (await caller.ask("q=tea")).status == 200
    assert caller.django.calls == 2


@pytest.mark.usefixtures("long_grants")
async def test_a_session_is_as_good_as_a_token_until_it_is_signed_out(caller: Caller) -> None:
    def sign_in() -> str:
        from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY

        user, session = User.objects.get(username="owner"), SessionStore()
        session[SESSION_KEY], session[HASH_SESSION_KEY] = str(user.pk), user.get_session_auth_hash()
        session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
        session.save()
        return str(session.session_key)

    cookie = {"cookie": f"sessionid={await sync_to_async(sign_in)()}"}
    assert (await caller.ask("q=tea", headers=cookie)).status == 200
    assert (await caller.ask("q=tea", headers=cookie)).status == 200
    assert caller.django.calls == 1
    await sync_to_async(SessionStore(cookie["cookie"].partition("=")[2]).delete)()
    await call(caller.gate, "/api/v1/auth/logout", method="POST")
    assert (await caller.ask("q=tea", headers=cookie)).status == 401


async def test_a_long_query_in_a_body_is_answered_behind_the_gate(caller: Caller) -> None:
    path, body = f"/api/v1/indexers/{caller.indexer.pk}/search", b'{"q": "tea", "page_size": 2}'
    answer = await call(caller.gate, path, method="POST", headers=caller.headers, body=body)
    assert (answer.status, answer.json()["total"], len(answer.json()["results"])) == (200, 3, 2)
    wrong = await call(caller.gate, path, method="POST", headers=caller.headers, body=b'{"nothing": 1}')
    assert (wrong.status, list(wrong.json()["fields"])) == (400, ["nothing"])


async def test_every_question_is_told_of_and_whether_its_answer_was_kept(caller: Caller) -> None:
    told: list[tuple[str, int, bool]] = []
    gate = SearchGate(caller.django, limit=1, observe=lambda kind, status, _, kept: told.append((kind, status, kept)))
    path = f"/api/v1/indexers/{caller.indexer.pk}/search"
    for query in ("q=tea", "q=tea", "sort=nothing"):
        await call(gate, path, query=query, headers=caller.headers)
    assert told == [("search", 200, False), ("search", 200, True), ("search", 400, False)]


class Line:
    """One connection to a real server, written byte by byte."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def write(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()

    async def head(self, caller: Caller, *, method: str = "POST", length: int = 0) -> None:
        lines = [f"{method} /api/v1/indexers/{caller.indexer.pk}/search HTTP/1.1", "host: localhost"]
        lines += ["content-type: application/json", f"content-length: {length}"]
        lines += [f"{name}: {value}" for name, value in caller.headers.items()]
        await self.write("\r\n".join([*lines, "", ""]).encode())

    async def answer(self) -> tuple[int, Any]:
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = int(head.partition("content-length: ")[2].split()[0])
        return int(head.split()[1]), json.loads(await self._reader.readexactly(length))

    async def is_closed_by_the_server(self) -> bool:
        return await self._reader.read() == b""

    def close(self) -> None:
        self._writer.close()


@asynccontextmanager
async def serving(gate: SearchGate) -> AsyncIterator[Any]:
    """The gate behind a real uvicorn; opens lines to it."""
    server = uvicorn.Server(uvicorn.Config(gate, host=LOOPBACK, port=0, lifespan="off", log_config=None))
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    lines: list[Line] = []

    async def connect() -> Line:
        lines.append(Line(*await asyncio.open_connection(LOOPBACK, port)))
        return lines[-1]

    try:
        yield connect
    finally:
        for line in lines:
            line.close()
        server.should_exit = True
        await task


async def test_half_sent_bodies_hold_nobody_up(caller: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backend.api.search.bodies.BODY_SECONDS", 3600.0)
    body = b'{"q": "tea"}'
    async with serving(SearchGate(caller.django, limit=3)) as connect:
        stalled = [await connect() for _ in range(2 * DJANGO_AT_ONCE)]
        for number, line in enumerate(stalled):
            await line.head(caller, method="POST" if number % 2 else "GET", length=len(body))
            await line.write(body[:5])
        asking = await connect()
        await asking.head(caller, method="GET")
        status, answer = await asyncio.wait_for(asking.answer(), 120)
        assert (status, answer["total"]) == (200, len(PRODUCTS))
        await stalled[1].write(body[5:])
        status, answer = await stalled[1].answer()
        assert (status, answer["total"]) == (200, 3)


async def test_what_does_not_arrive_in_time_is_refused_and_let_go(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backend.api.search.bodies.BODY_SECONDS", 0.05)
    async with serving(caller.gate) as connect:
        line = await connect()
        await line.head(caller, length=12)
        status, answer = await asyncio.wait_for(line.answer(), 120)
        assert (status, answer["code"]) == (408, "too_late")
        assert "Send it again" in answer["detail"]
        assert await line.is_closed_by_the_server()
    assert caller.django.calls == 0


async def test_more_than_a_search_can_take_is_refused_before_all_of_it_is_read(caller: Caller) -> None:
    async with serving(caller.gate) as connect:
        line = await connect()
        await line.head(caller, length=100 * MAX_BYTES)
        await line.write(b" " * (MAX_BYTES + 1))
        status, answer = await line.answer()
        assert (status, answer["code"]) == (413, "too_large")
    assert caller.django.calls == 0


async def test_a_caller_who_goes_leaves_nothing_behind(caller: Caller) -> None:
    async with serving(caller.gate) as connect:
        line = await connect()
        await line.head(caller, length=12)
        line.close()
        asking = await connect()
        await asking.head(caller, method="GET")
        assert (await asking.answer())[0] == 200
    assert (caller.django.calls, caller.gate._inside) == (1, 0)
