"""Ask an ASGI application as uvicorn does, without a network."""

import asyncio
import json
from dataclasses import dataclass
from typing import Any


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


async def call(
    application: Any,
    path: str,
    *,
    query: str = "",
    method: str = "GET",
    headers: dict[str, str] | None = None,
    body: bytes = b"",
) -> Answer:
    """One request and its whole answer."""
    given = {
        "host": "localhost",
        "content-type": "application/json",
        "content-length": str(len(body)),
        **(headers or {}),
    }
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in given.items()],
        "client": ("127.0.0.1", 12345),
        "server": ("127.0.0.1", 80),
    }
    sent: list[Any] = []
    incoming: asyncio.Queue[Any] = asyncio.Queue()
    await incoming.put({"type": "http.request", "body": body, "more_body": False})

    async def send(message: Any) -> None:
        sent.append(message)

    await application(scope, incoming.get, send)
    headers_sent = {name.decode().lower(): value.decode() for name, value in sent[0]["headers"]}
    return Answer(sent[0]["status"], headers_sent, b"".join(message.get("body", b"") for message in sent[1:]))
