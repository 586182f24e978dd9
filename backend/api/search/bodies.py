"""Read what a caller sends before anything is done for them: nobody holds a place who does not send it."""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from typing import Any, Final

from backend.api.search.answering import Answer
from backend.apps.search.answer_bytes import to_json

MAX_BYTES: Final = 256 << 10
"""Several times what a query, its conditions and what is tried take."""
BODY_SECONDS: Final = 5.0

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]

TOO_LARGE: Final = Answer(
    413,
    to_json(
        {
            "code": "too_large",
            "detail": f"A search can take up to {MAX_BYTES >> 10} KB. Send fewer conditions, or a shorter query.",
            "fields": {},
        }
    ),
)
TOO_LATE: Final = Answer(
    408,
    to_json(
        {
            "code": "too_late",
            "detail": f"What was announced did not arrive within {BODY_SECONDS:g} seconds. Send it again.",
            "fields": {},
        }
    ),
)


def announces_body(headers: Sequence[tuple[bytes, bytes]]) -> bool:
    """Whether anything follows the head of a request."""
    return any(name == b"transfer-encoding" or (name == b"content-length" and value != b"0") for name, value in headers)


async def read_body(receive: Receive) -> bytes | Answer | None:
    """All that is sent; the refusal when it is too much or takes too long; None when the caller has gone."""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await _read(receive)
    except TimeoutError:
        return TOO_LATE


async def _read(receive: Receive) -> bytes | Answer | None:
    parts, size = [], 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > MAX_BYTES:
            return TOO_LARGE
        if not message.get("more_body", False):
            return b"".join(parts)


def replayed(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives what was read at once, then whatever comes (that the caller has gone)."""
    rest = [body]

    async def next_message() -> Message:
        if rest:
            return {"type": "http.request", "body": rest.pop(), "more_body": False}
        return await receive()

    return next_message
