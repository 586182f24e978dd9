"""Answers that break the rules of HTTP or the connection itself."""

import asyncio
from collections.abc import AsyncIterator

from aiohttp import web

from backend.demo_site.hostile.layout import hostile_page
from backend.demo_site.hostile.perils import Outcome, Peril
from backend.demo_site.hostile.raw import Chunks, RawAnswer, head, once

BASE = "/hostile/connection"
_TYPE = "Content-Type: text/html; charset=utf-8"
_CLOSE = "Connection: close"
_BODY = hostile_page("Broken", "The connection breaks after this.").encode()
PERILS = (
    Peril(f"{BASE}/reset", "Reset at once", "The connection is reset before any answer.", Outcome.FAILS),
    Peril(f"{BASE}/reset-body", "Reset in the body", "Half of the body, then a reset.", Outcome.FAILS),
    Peril(f"{BASE}/close", "Closed at once", "The connection is closed without an answer.", Outcome.FAILS),
    Peril(f"{BASE}/short", "Too short", "Content-Length says more than comes.", Outcome.FAILS),
    Peril(f"{BASE}/long", "Too long", "More comes than Content-Length says.", Outcome.EITHER),
    Peril(f"{BASE}/two-lengths", "Two lengths", "Two different Content-Length headers.", Outcome.EITHER),
    Peril(f"{BASE}/bad-chunks", "Bad chunks", "A chunk whose size is not a number.", Outcome.FAILS),
    Peril(f"{BASE}/cut-chunks", "Cut chunks", "Chunks without the last one.", Outcome.FAILS),
    Peril(f"{BASE}/endless-headers", "Endless headers", "Header lines that never end.", Outcome.FAILS),
    Peril(f"{BASE}/long-header", "Long header", "One header of a megabyte.", Outcome.FAILS),
    Peril(f"{BASE}/bad-header", "Bad header", "A header line without a colon.", Outcome.EITHER),
    Peril(f"{BASE}/bad-status", "Bad status", "A status of 999.", Outcome.FAILS),
    Peril(f"{BASE}/not-http", "Not HTTP", "Something that is not HTTP at all.", Outcome.FAILS),
    Peril(f"{BASE}/interim", "Interim answers", "A hundred answers of 103 before the real one.", Outcome.EITHER),
)


async def _endless_headers() -> AsyncIterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\n"
    number = 0
    while True:
        yield b"".join(b"X-Header-%d: and one more\r\n" % (number + step) for step in range(500))
        number += 500
        await asyncio.sleep(0)


_ANSWERS: dict[str, tuple[Chunks, int]] = {
    "reset-body": (once(head(_TYPE, f"Content-Length: {len(_BODY)}"), _BODY[: len(_BODY) // 2]), 200),
    "reset": (once(), 0),
    "close": (once(), 0),
    "short": (once(head(_TYPE, f"Content-Length: {len(_BODY) + 1000}", _CLOSE), _BODY), 200),
    "long": (once(head(_TYPE, f"Content-Length: {len(_BODY) // 2}", _CLOSE), _BODY), 200),
    "two-lengths": (
        once(head(_TYPE, f"Content-Length: {len(_BODY)}", f"Content-Length: {len(_BODY) // 2}", _CLOSE), _BODY),
        200,
    ),
    "bad-chunks": (once(head(_TYPE, "Transfer-Encoding: chunked", _CLOSE), b"zz\r\n", _BODY), 200),
    "cut-chunks": (
        once(head(_TYPE, "Transfer-Encoding: chunked", _CLOSE), b"%x\r\n%s\r\n" % (len(_BODY), _BODY)),
        200,
    ),
    "endless-headers": (_endless_headers, 200),
    "long-header": (once(head(_TYPE, "X-Long: " + "x" * (1 << 20), "Content-Length: 2", _CLOSE), b"ok"), 200),
    "bad-header": (once(head(_TYPE, "this line has no colon", f"Content-Length: {len(_BODY)}", _CLOSE), _BODY), 200),
    "bad-status": (once(head(_TYPE, "Content-Length: 2", _CLOSE, status="999 Request denied"), b"no"), 999),
    "not-http": (once(b"220 mail.example ESMTP ready\r\n"), 0),
    "interim": (
        once(head(status="103 Early Hints") * 100 + head(_TYPE, f"Content-Length: {len(_BODY)}", _CLOSE) + _BODY),
        200,
    ),
}
_RESETS = {"reset", "reset-body"}


async def show_broken(request: web.Request) -> web.StreamResponse:
    name = request.match_info["name"]
    if name not in _ANSWERS:
        raise web.HTTPNotFound
    chunks, status = _ANSWERS[name]
    return RawAnswer(chunks, status=status, reset=name in _RESETS)


def add_connections(app: web.Application) -> None:
    """Serve the broken answers."""
    app.router.add_get(BASE + "/{name}", show_broken)
