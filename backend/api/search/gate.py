"""In front of Django: how many questions may wait, and a short way for callers who were just let in.

Searching is CPU work. More questions at once than can be answered soon are refused at the door (429), before they cost
a thread; those let in wait in one queue. Whoever Django let in to an indexer a moment ago (a *grant*) is answered
without asking the database again: by the same functions, with the headers that Django gave. Any write through this
process withdraws all grants, so what people change counts from their next search on.
"""

import asyncio
import os
import re
import time
from collections.abc import Awaitable, Callable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

from backend.api.errors import handle_exception
from backend.api.search.published import GRANT
from backend.api.search.views import ask
from backend.apps.errors import GleanerError
from backend.apps.search.answer_bytes import to_json
from backend.apps.search.served import Served

ADDRESS: Final = re.compile(r"/api/v1/indexers/(\d{1,18})/(search|suggest|similar)")
FRESH_SECONDS: Final = 1.0
USABLE_SECONDS: Final = 2.0
"""An old grant still counts while somebody else renews it, up to this age."""
MAX_GRANTS: Final = 10_000
DJANGO_AT_ONCE: Final = 8
RETRY_AFTER_SECONDS: Final = 1
REFUSE_AFTER_SECONDS: Final = 0.5
"""A refusal waits a little: clients that ask again at once would else take the time of those who are answered."""
CREDENTIALS: Final = (b"host", b"cookie", b"authorization", b"x-forwarded-proto", b"origin")
NOT_KEPT: Final = (b"content-length", b"set-cookie")
BUSY: Final = to_json(
    {
        "code": "busy",
        "detail": f"Too many searches at once. Try again in {RETRY_AFTER_SECONDS} second.",
        "fields": {},
    }
)
BUSY_HEADERS: Final = [
    (b"content-type", b"application/json"),
    (b"retry-after", str(RETRY_AFTER_SECONDS).encode()),
    (b"cache-control", b"no-store"),
    (b"access-control-allow-origin", b"*"),
]

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]
Caller = tuple[Any, ...]


@dataclass(slots=True)
class Grant:
    """Django let this caller in to an indexer at this moment, and answered with these headers."""

    served: Served
    headers: Headers
    given: float
    is_renewed: bool = False

    def is_usable(self, now: float) -> bool:
        """One caller goes through Django when it is no longer fresh; the others need not wait for that."""
        age = now - self.given
        if age < FRESH_SECONDS:
            return True
        if age < USABLE_SECONDS and self.is_renewed:
            return True
        self.is_renewed = True
        return False


class SearchGate:
    """The ASGI application with the gate before it. `limit` questions are answered or wait; more are refused."""

    def __init__(self, application: Application, *, limit: int, threads: int | None = None) -> None:
        self._application = application
        self._limit = limit
        self._inside = 0
        self._grants: dict[Caller, Grant] = {}
        self._pool = ThreadPoolExecutor(threads or max(2, os.cpu_count() or 2), thread_name_prefix="search")
        self._django = asyncio.Semaphore(DJANGO_AT_ONCE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = ADDRESS.fullmatch(scope["path"]) if scope["type"] == "http" else None
        if found is None:
            await self._application(scope, receive, send)
            if scope["type"] == "http" and scope["method"] not in ("GET", "HEAD", "OPTIONS"):
                self._grants.clear()
            return
        if self._inside >= self._limit:
            await asyncio.sleep(REFUSE_AFTER_SECONDS)
            await _respond(send, 429, BUSY_HEADERS, BUSY)
            return
        self._inside += 1
        try:
            await self._let_in(found, scope, receive, send)
        finally:
            self._inside -= 1

    async def _let_in(self, found: re.Match[str], scope: Scope, receive: Receive, send: Send) -> None:
        caller = _caller(scope, found)
        grant = self._grants.get(caller) if scope["method"] == "GET" else None
        if grant is not None and grant.is_usable(time.monotonic()):
            await self._answer(grant, found[2], scope["query_string"].decode("latin-1"), send)
            return
        async with self._django:
            await self._ask_django(caller, scope, receive, send)

    async def _answer(self, grant: Grant, kind: str, query_string: str, send: Send) -> None:
        loop = asyncio.get_running_loop()
        status, body = await loop.run_in_executor(self._pool, answered, grant.served, kind, query_string)
        await _respond(send, status, grant.headers, body)

    async def _ask_django(self, caller: Caller, scope: Scope, receive: Receive, send: Send) -> None:
        """Let Django answer; a member who was let in gets a grant, anybody else loses theirs."""

        async def watch(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._grants.pop(caller, None)
                if GRANT in scope and message["status"] == 200:
                    self._remember(caller, scope[GRANT], message["headers"])
            await send(message)

        await self._application(scope, receive, watch)

    def _remember(self, caller: Caller, served: Served, headers: Headers) -> None:
        if len(self._grants) >= MAX_GRANTS:
            self._grants.clear()
        kept = [(name, value) for name, value in headers if name.lower() not in NOT_KEPT]
        self._grants[caller] = Grant(served, kept, time.monotonic())


def answered(served: Served, kind: str, query_string: str) -> tuple[int, bytes]:
    """Status and body: the answer, or the error in the API's shape."""
    try:
        return 200, ask(kind, served, query_string)
    except GleanerError as error:
        response = handle_exception(error, {})
        return (response.status_code, to_json(response.data)) if response is not None else (500, b"{}")


def _caller(scope: Scope, found: re.Match[str]) -> Caller:
    """Everything that Django decides by."""
    given = tuple(pair for pair in scope["headers"] if pair[0] in CREDENTIALS)
    return found[1], scope.get("scheme"), given


async def _respond(send: Send, status: int, headers: Headers, body: bytes) -> None:
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [*headers, length]})
    await send({"type": "http.response.body", "body": body})
