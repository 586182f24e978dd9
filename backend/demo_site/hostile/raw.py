"""Answers below HTTP: bytes written straight to the connection, which then ends well or badly."""

import asyncio
import socket
import struct
from collections.abc import AsyncIterator, Callable

from aiohttp import web
from aiohttp.abc import AbstractStreamWriter
from aiohttp.web_request import BaseRequest

Chunks = Callable[[], AsyncIterator[bytes]]


class RawAnswer(web.StreamResponse):
    """Writes what `chunks` yields, as it is, then closes the connection, or breaks it with a reset.

    A client that goes away ends it quietly.
    """

    def __init__(self, chunks: Chunks, *, status: int = 200, reset: bool = False) -> None:
        super().__init__(status=status)
        self._chunks = chunks
        self._reset = reset

    async def prepare(self, request: BaseRequest) -> AbstractStreamWriter | None:
        transport = request.transport
        if transport is None:
            return None
        async for chunk in self._chunks():
            if transport.is_closing():
                return None
            transport.write(chunk)
            await request.writer.drain()
        if self._reset:
            break_connection(transport)
        return None

    async def write_eof(self, data: bytes = b"") -> None:
        """Nothing: what ends the answer is the end of the connection."""


def break_connection(transport: asyncio.Transport) -> None:
    """End the connection with a reset instead of a farewell (SO_LINGER with a timeout of zero)."""
    connection = transport.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()


def once(*parts: bytes) -> Chunks:
    """These bytes, one part after another."""

    async def chunks() -> AsyncIterator[bytes]:
        for part in parts:
            yield part
            await asyncio.sleep(0.05)  # so that the parts travel apart

    return chunks


def head(*lines: str, status: str = "200 OK") -> bytes:
    """The head of an answer, with the given header lines."""
    return "\r\n".join((f"HTTP/1.1 {status}", *lines, "", "")).encode("latin-1")
