"""The door of a browser's page: every document that its frame asks for waits here until it may go out.

Chromium stops such a request (the `Fetch` domain of its DevTools protocol) and tells us. We let it go on: late where
its host wants a gap, with the crawler's own headers where they belong, or not at all.
"""

import asyncio
import itertools
import json
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from enum import Enum, auto
from types import TracebackType
from typing import Any, Protocol

import aiohttp

from crawler_node.browser.login import Login
from crawler_node.errors import BrowserError
from crawler_node.urls.parse import ParsedUrl, parse_url

BLOCKED = "BLOCKED_BY_CLIENT"
_ANSWER_SECONDS = 10.0


class Way(Enum):
    """How a page comes to a document: it was asked for, the page leads on to it, or a person's own steps do."""

    ASKED = auto()
    ONWARD = auto()
    STEPS = auto()


class Manners(Protocol):
    """Whether and when the documents of one page may be asked for."""

    async def go_out(self, url: str, way: "Way") -> bool:
        """Wait until it may go out; False when it must not be opened on the way from another page."""
        ...

    def answered(self) -> None:
        """The answer to the last one is there, or will not come."""
        ...


class NoManners:
    """Everything goes out at once."""

    async def go_out(self, url: str, way: "Way") -> bool:  # noqa: ARG002
        """Yes."""
        return True

    def answered(self) -> None:
        """Nobody waits for it."""


@dataclass(slots=True)
class Visit:
    """One page while it is open. `is_free` while steps run, whose wishes are a person's. The page of a `login` is
    free as well: who is sent there has to be seen there."""

    manners: Manners = field(default_factory=NoManners)
    login: Login | None = None
    is_free: bool = False
    has_begun: bool = False


class OwnHeaders:
    """The crawler's own headers, and the hosts that may see them: those of `is_own`, else that of the page alone.

    What an encrypted page asks for in the open does not get them, and without `in_open` nothing does that is not
    encrypted.
    """

    def __init__(
        self, headers: Mapping[str, str], is_own: Callable[[str], bool] | None, *, in_open: bool = True
    ) -> None:
        self._headers = [{"name": name, "value": value} for name, value in headers.items()]
        self._names = {name.lower() for name in headers}
        self._is_own = is_own
        self._in_open = in_open
        self._page: ParsedUrl | None = None

    def __bool__(self) -> bool:
        return bool(self._headers)

    def begin(self, page_url: str) -> None:
        """The page at this address is about to be opened."""
        self._page = parse_url(page_url)

    def added_to(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """What `Fetch.continueRequest` must be told for a request."""
        target = parse_url(request["url"])
        if target is None or self._page is None or not self._may_see(target, self._page):
            return {}
        kept = request["headers"].items()
        others = [{"name": name, "value": value} for name, value in kept if name.lower() not in self._names]
        return {"headers": [*others, *self._headers]}

    def _may_see(self, target: ParsedUrl, page: ParsedUrl) -> bool:
        if target.scheme != "https" and (page.scheme == "https" or not self._in_open):
            return False
        return target.host == page.host if self._is_own is None else self._is_own(target.host)


class Doors:
    """The doors of a pool's browsers, which browsers open and close from their own threads. Use as a context."""

    async def __aenter__(self) -> "Doors":
        self._loop = asyncio.get_running_loop()
        self._client = aiohttp.ClientSession()
        self._open: set[Door] = set()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.gather(*(door.close() for door in self._open))
        await self._client.close()

    def open(self, address: str, *, frame: str, headers: OwnHeaders) -> "Door":
        """Stand at the door of a page, whose DevTools are at an address; raises BrowserError."""
        door = Door(self._client, address, frame=frame, headers=headers)
        self.call(door.open())
        self._open.add(door)
        return door

    def close(self, door: "Door") -> None:
        """Leave a door; does not wait."""
        if door in self._open:
            self._open.discard(door)
            asyncio.run_coroutine_threadsafe(door.close(), self._loop)

    def call(self, work: Coroutine[Any, Any, None]) -> None:
        """Have something done at a door and wait for it, from a browser's thread."""
        try:
            asyncio.run_coroutine_threadsafe(work, self._loop).result(2 * _ANSWER_SECONDS)
        except (TimeoutError, CancelledError) as error:
            raise BrowserError("The browser does not let its door be watched.") from error


class Door:
    """Of one page of a browser. `begin` before a page is opened, `end` after it has been looked at; `close` at last."""

    def __init__(self, client: aiohttp.ClientSession, address: str, *, frame: str, headers: OwnHeaders) -> None:
        self._client = client
        self._address = address
        self._frame = frame
        self._headers = headers
        self._visit = Visit()
        self._is_watched = False
        self._is_open = False
        self._numbers = itertools.count(1)
        self._answers: dict[int, asyncio.Future[None]] = {}
        self._waiting: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Stand at the door."""
        try:
            self._socket = await self._client.ws_connect(self._address, max_msg_size=0)
        except aiohttp.ClientError as error:
            raise BrowserError("The browser does not let its door be watched.") from error
        self._reading = asyncio.create_task(self._read())

    async def begin(self, visit: Visit, url: str) -> None:
        """A page is about to be opened; raises BrowserError when the browser is gone."""
        self._drop_waiting()
        self._visit = visit
        self._is_open = True
        visit.has_begun = False
        self._headers.begin(url)
        if not self._is_watched or self._reading.done():
            patterns = [*_DOCUMENTS, _EVERYTHING] if self._headers else _DOCUMENTS
            await self._command("Fetch.enable", patterns=patterns)
            self._is_watched = True

    async def end(self, visit: Visit) -> None:
        """The page has been looked at; what it still wants to open, now or later, stays where it is."""
        self._is_open = False
        self._drop_waiting()
        visit.manners.answered()

    async def close(self) -> None:
        """Leave the door; what waits there goes nowhere, for its browser is gone."""
        self._drop_waiting()
        await self._socket.close()
        await asyncio.wait([self._reading])

    def _drop_waiting(self) -> None:
        for task in self._waiting:
            task.cancel()

    async def _read(self) -> None:
        try:
            async for message in self._socket:
                told = json.loads(message.data)
                if told.get("method") == "Fetch.requestPaused":
                    task = asyncio.create_task(self._attend(told["params"]))
                    self._waiting.add(task)
                    task.add_done_callback(self._waiting.discard)
                elif (answer := self._answers.pop(told.get("id", 0), None)) is not None and not answer.done():
                    answer.set_result(None)
        finally:
            for answer in self._answers.values():
                if not answer.done():
                    answer.set_exception(ConnectionResetError())

    async def _attend(self, event: Mapping[str, Any]) -> None:
        number, visit = event["requestId"], self._visit
        is_main = event["resourceType"] == "Document" and event["frameId"] == self._frame
        if "responseStatusCode" in event or "responseErrorReason" in event:
            if is_main:
                visit.manners.answered()
            await self._send("Fetch.continueRequest", requestId=number)
            return
        if is_main and not (self._is_open and await self._may_go(visit, event["request"]["url"])):
            await self._send("Fetch.failRequest", requestId=number, errorReason="BlockedByClient")
            return
        added = self._headers.added_to(event["request"]) if self._headers else {}
        await self._send("Fetch.continueRequest", requestId=number, **added)

    async def _may_go(self, visit: Visit, url: str) -> bool:
        leads_to_login = visit.has_begun and visit.login is not None and visit.login.is_at(url)
        way = Way.ONWARD if visit.has_begun else Way.ASKED
        visit.has_begun = True
        return await visit.manners.go_out(url, Way.STEPS if visit.is_free or leads_to_login else way)

    async def _command(self, name: str, **parameters: Any) -> None:
        number = next(self._numbers)
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        try:
            await self._write(number, name, parameters)
            async with asyncio.timeout(_ANSWER_SECONDS):
                await answer
        except (TimeoutError, ConnectionError, aiohttp.ClientError) as error:
            raise BrowserError("The browser does not let its door be watched.") from error
        finally:
            self._answers.pop(number, None)

    async def _send(self, name: str, **parameters: Any) -> None:
        try:
            await self._write(next(self._numbers), name, parameters)
        except (ConnectionError, aiohttp.ClientError):
            return  # the browser is gone, and its request with it

    async def _write(self, number: int, name: str, parameters: Mapping[str, Any]) -> None:
        await self._socket.send_str(json.dumps({"id": number, "method": name, "params": parameters}))


_DOCUMENTS = [
    {"urlPattern": "*", "resourceType": "Document", "requestStage": "Request"},
    {"urlPattern": "*", "resourceType": "Document", "requestStage": "Response"},
]

_EVERYTHING = {"urlPattern": "*", "requestStage": "Request"}
