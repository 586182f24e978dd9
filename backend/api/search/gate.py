"""In front of Django: how many questions may wait, and a short way for callers who were just let in.

Searching is CPU work. More questions at once than can be answered soon are refused at the door (429), before they cost
anything; those let in wait in one queue. Django says who may ask and with which headers, then the gate has the question
answered, in threads or in search processes. Nobody takes a place before all that they send has arrived. Whoever was let
in to an indexer a moment ago (a *grant*) does not go through Django again. Any write through this process withdraws all
grants, so what people change counts from their next search on.
"""

import asyncio
import os
import re
import time
from collections.abc import Awaitable, Callable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

from backend.api.search.answering import Answer, Answers, Question, answered
from backend.api.search.bodies import Message, Receive, announces_body, read_body, replayed
from backend.api.search.published import ADMISSION, Admission
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
UNREAD_HEADERS: Final = [pair for pair in BUSY_HEADERS if pair[0] != b"retry-after"] + [(b"connection", b"close")]
"""What else the caller sends is not waited for."""

Scope = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]
Caller = tuple[Any, ...]
Observe = Callable[[str, int, float, bool], None]


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


class ThreadAnswers:
    """Answers in threads of this process."""

    def __init__(self, threads: int | None = None) -> None:
        self._pool = ThreadPoolExecutor(threads or max(2, os.cpu_count() or 2), thread_name_prefix="search")

    async def answer(self, question: Question) -> Answer:
        return await asyncio.get_running_loop().run_in_executor(self._pool, answered, question)


class SearchGate:
    """The ASGI application with the gate before it. `limit` questions are answered or wait; more are refused.

    `observe` is told of every question: its kind, the status and the seconds, and whether the answer was kept.
    """

    def __init__(
        self, application: Application, *, limit: int, answers: Answers | None = None, observe: Observe | None = None
    ) -> None:
        self._application = application
        self._limit = limit
        self._inside = 0
        self._grants: dict[Caller, Grant] = {}
        self._answers = answers or ThreadAnswers()
        self._observe = observe
        self._django = asyncio.Semaphore(DJANGO_AT_ONCE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = ADDRESS.fullmatch(scope["path"]) if scope["type"] == "http" else None
        if found is None:
            await self._application(scope, receive, send)
            if scope["type"] == "http" and scope["method"] not in ("GET", "HEAD", "OPTIONS"):
                self._grants.clear()
            return
        if announces_body(scope["headers"]):
            body = await read_body(receive)
            if not isinstance(body, bytes):
                await self._refuse(found[2], body, UNREAD_HEADERS, send)
                return
            receive = replayed(body, receive)
        await self._let_in_turn(found, scope, receive, send)

    async def _refuse(self, kind: str, refusal: Answer | None, headers: Headers, send: Send) -> None:
        """Say why not; nothing to a caller who has gone."""
        if refusal is not None:
            self._tell(kind, refusal, 0.0)
            await _respond(send, refusal.status, headers, refusal.body)

    async def _let_in_turn(self, found: re.Match[str], scope: Scope, receive: Receive, send: Send) -> None:
        if self._inside >= self._limit:
            await asyncio.sleep(REFUSE_AFTER_SECONDS)
            await self._refuse(found[2], Answer(429, BUSY), BUSY_HEADERS, send)
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
            question = Question(grant.served, found[2], scope["query_string"].decode("latin-1"))
            await self._answer(question, grant.headers, send)
            return
        async with self._django:
            admitted = await self._ask_django(caller, scope, receive, send)
        if admitted is not None:
            await self._answer(*admitted, send)

    async def _answer(self, question: Question, headers: Headers, send: Send) -> None:
        began = time.perf_counter()
        answer = await self._answers.answer(question)
        self._tell(question.kind, answer, time.perf_counter() - began)
        await _respond(send, answer.status, headers, answer.body)

    async def _ask_django(
        self, caller: Caller, scope: Scope, receive: Receive, send: Send
    ) -> tuple[Question, Headers] | None:
        """What may be asked, and the headers of the answer; None when Django has answered.

        A member who was let in gets a grant, anybody else loses theirs.
        """
        admission = scope[ADMISSION] = Admission()
        headers: Headers = []

        async def watch(message: Message) -> None:
            if message["type"] == "http.response.start":
                if message["status"] != 200:
                    admission.question = None
                headers.extend(pair for pair in message["headers"] if pair[0].lower() != b"content-length")
            if admission.question is None:
                await send(message)

        await self._application(scope, receive, watch)
        if admission.question is None or not admission.is_member:
            self._grants.pop(caller, None)
            return None if admission.question is None else (admission.question, headers)
        self._remember(caller, admission.question.served, headers)  # in the place of the old one: nobody misses it
        return admission.question, headers

    def _remember(self, caller: Caller, served: Served, headers: Headers) -> None:
        if len(self._grants) >= MAX_GRANTS:
            self._grants.clear()
        kept = [pair for pair in headers if pair[0].lower() != b"set-cookie"]
        self._grants[caller] = Grant(served, kept, time.monotonic())

    def _tell(self, kind: str, answer: Answer, seconds: float) -> None:
        if self._observe is not None:
            self._observe(kind, answer.status, seconds, answer.was_kept)


def _caller(scope: Scope, found: re.Match[str]) -> Caller:
    """Everything that Django decides by."""
    given = tuple(pair for pair in scope["headers"] if pair[0] in CREDENTIALS)
    return found[1], scope.get("scheme"), given


async def _respond(send: Send, status: int, headers: Headers, body: bytes) -> None:
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [*headers, length]})
    await send({"type": "http.response.body", "body": body})
