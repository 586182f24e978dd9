"""Every request the site has seen, for later assertions."""

import json
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

from aiohttp import web

CONTROL_PREFIX = "/_control/"
HEADERS_OF_INTEREST = (
    "Host", "User-Agent", "Accept", "Accept-Encoding", "Accept-Language", "Referer", "Cookie", "From", "Range",
    "If-None-Match", "If-Modified-Since",
)  # fmt: skip
MAX_KNOWN_HEADERS = 256
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(slots=True)
class LoggedRequest:
    """One request: when it came in, what it asked for, and how it was answered.

    `status` is 0 until an answer has begun, and stays 0 when the site broke the connection instead of answering.
    `target` is the path with the query string, exactly as sent. `monotonic` is seconds on the server's own clock,
    `epoch` seconds since 1970.
    """

    number: int
    server: str
    monotonic: float
    epoch: float
    method: str
    target: str
    headers: dict[str, str] = field(default_factory=dict)
    status: int = 0
    seconds: float | None = None

    def as_json(self) -> str:
        """One line of JSON, with the wall time in words, too."""
        return json.dumps({**asdict(self), "wall": self.wall}, ensure_ascii=False)

    @classmethod
    def from_json(cls, line: str) -> "LoggedRequest":
        """What `as_json` wrote."""
        found = json.loads(line)
        del found["wall"]
        return cls(**found)

    @property
    def wall(self) -> str:
        """When it came in, as ISO 8601 in UTC."""
        return datetime.fromtimestamp(self.epoch, UTC).isoformat()


class RequestLog:
    """The requests of one server in order of arrival; safe to read from another thread.

    With `file`, each request is also written there as a line of JSON, flushed as soon as it is answered.
    """

    def __init__(self, *, file: Path | None = None) -> None:
        self.server = ""
        self._entries: list[LoggedRequest] = []
        self._lock = threading.Lock()
        self._next_number = 0
        self._headers: dict[tuple[str | None, ...], dict[str, str]] = {}
        self._file: TextIO | None = file.open("a", encoding="utf-8") if file else None

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[LoggedRequest]:
        return iter(self.entries())

    def entries(self, *, since: int = 0) -> list[LoggedRequest]:
        """The requests numbered `since` and later, as they are now."""
        with self._lock:
            return [entry for entry in self._entries if entry.number >= since]

    def targets(self) -> list[str]:
        """What was asked for, in order of arrival."""
        return [entry.target for entry in self.entries()]

    def clear(self) -> None:
        """Forget all requests; numbers go on."""
        with self._lock:
            self._entries.clear()

    def begin(self, request: web.Request) -> LoggedRequest:
        """Note the arrival of a request."""
        headers = self._headers_of(request)
        with self._lock:
            entry = LoggedRequest(
                self._next_number, self.server, time.monotonic(), time.time(), request.method, request.raw_path, headers
            )
            self._next_number += 1
            self._entries.append(entry)
        return entry

    def _headers_of(self, request: web.Request) -> dict[str, str]:
        """The headers of interest; one dictionary for all requests that send the same, to keep long logs small."""
        values = tuple(map(request.headers.get, HEADERS_OF_INTEREST))
        known = self._headers.get(values)
        if known is None:
            if len(self._headers) >= MAX_KNOWN_HEADERS:
                self._headers.clear()
            found = zip(HEADERS_OF_INTEREST, values, strict=True)
            known = self._headers[values] = {name: value for name, value in found if value is not None}
        return known

    def finish(self, entry: LoggedRequest) -> None:
        """Note that the answer has been given (or broken off)."""
        entry.seconds = time.monotonic() - entry.monotonic
        if self._file is not None:
            self._file.write(entry.as_json() + "\n")
            self._file.flush()

    def close(self) -> None:
        """Close the file, if there is one."""
        if self._file is not None:
            self._file.close()
            self._file = None


LOG = web.AppKey("request log", RequestLog)
ENTRY = web.RequestKey("log entry", LoggedRequest)


@web.middleware
async def log_requests(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Log every request but those of the control endpoints."""
    if request.path.startswith(CONTROL_PREFIX):
        return await handler(request)
    log = request.app[LOG]
    entry = request[ENTRY] = log.begin(request)
    try:
        response = await handler(request)
        entry.status = response.status
        return response
    except web.HTTPException as answer:
        entry.status = answer.status
        raise
    finally:
        log.finish(entry)


async def log_status(request: web.Request, response: web.StreamResponse) -> None:
    """Note the status of answers that stream, as soon as their head goes out: they may break off or never end."""
    entry = request.get(ENTRY)
    if entry is not None:
        entry.status = response.status
