"""What is no answer, or breaks off in the middle, is a failure of its kind, and not asked for again on the spot."""

import asyncio
import gzip

import pytest
from aiohttp import web

from crawler_node.contracts import Failure, FetchedPage, FetchFailure
from tests.unit.crawler_node.fetch.conftest import MakeSite, lane_to, lane_to_port, lease


@pytest.mark.parametrize(
    ("answer", "failure"),
    [
        (b"", Failure.BROKEN),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 50\r\n\r\nshort", Failure.BROKEN),
        (b"SSH-2.0-OpenSSH_9.2\r\n", Failure.BROKEN),
        (b"HTTP/1.1 200 OK\r\nX: " + b"x" * 99_999 + b"\r\n\r\n", Failure.BROKEN),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", Failure.BROKEN),
        (b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope", Failure.BROKEN),
        (b"HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n", Failure.HTTP),
    ],
)
async def test_answers_that_are_not_http_are_failures(answer: bytes, failure: Failure) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with lane_to_port(port) as lane:
        found = await lane.fetch(lease(f"http://127.0.0.1:{port}/"))
    server.close()
    await server.wait_closed()
    assert isinstance(found, FetchFailure)
    assert found.failure is failure


async def test_nobody_listening_is_a_failure_worth_a_retry() -> None:
    server = await asyncio.start_server(lambda reader, writer: None, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    server.close()
    await server.wait_closed()
    async with lane_to_port(port) as lane:
        found = await lane.fetch(lease(f"http://127.0.0.1:{port}/"))
    assert isinstance(found, FetchFailure)
    assert (found.failure, found.can_retry) == (Failure.CONNECT, True)


async def test_a_name_that_does_not_exist_is_told() -> None:
    async with lane_to_port(1) as lane:
        found = await lane.fetch(lease("http://nothing-here.invalid/"))
    assert isinstance(found, FetchFailure)
    assert found.failure is Failure.DNS


async def test_a_connection_that_breaks_early_is_not_asked_again_on_the_spot() -> None:
    asked: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for place in range(2):
            asked.append(await reader.readuntil(b"\r\n\r\n"))
            if place == 0:
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nok")
                await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server, lane_to_port(port) as lane:
        first = await lane.fetch(lease(f"http://127.0.0.1:{port}/1"))
        second = await lane.fetch(lease(f"http://127.0.0.1:{port}/2"))
    assert isinstance(first, FetchedPage)
    assert isinstance(second, FetchFailure)
    assert second.can_retry
    assert len(asked) == 2


async def test_a_compressed_page_that_breaks_off_is_a_failure(make_site: MakeSite) -> None:
    async def half(request: web.Request) -> web.Response:
        body = gzip.compress(b"<p>" + bytes(range(256)) * 100)
        return web.Response(
            body=body[: len(body) // 2], headers={"Content-Encoding": "gzip", "Content-Type": "text/html"}
        )

    site = await make_site({"/": half})
    async with lane_to(site) as lane:
        answer = await lane.fetch(lease(site.url()))
    assert isinstance(answer, FetchFailure)
    assert "ends too early" in answer.sentence
