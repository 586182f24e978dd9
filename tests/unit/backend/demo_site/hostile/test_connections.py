import asyncio
from urllib.parse import urlsplit

import pytest

from backend.demo_site import DemoSite
from backend.demo_site.hostile.connections import BASE


async def _ask(site: DemoSite, name: str, limit: int = 5_000_000) -> bytes:
    """All bytes of the answer, as they come over the wire."""
    address = urlsplit(site.url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    try:
        writer.write(f"GET {BASE}/{name} HTTP/1.1\r\nHost: {address.netloc}\r\n\r\n".encode())
        received = b""
        while len(received) < limit and (part := await reader.read(65536)):
            received += part
        return received
    finally:
        writer.close()


async def test_reset_before_the_answer(site: DemoSite):
    with pytest.raises(ConnectionResetError):
        await _ask(site, "reset")
    assert [entry.status for entry in site.log] == [0]


async def test_reset_in_the_body(site: DemoSite):
    with pytest.raises(ConnectionResetError):
        await _ask(site, "reset-body")


async def test_closed_without_an_answer(site: DemoSite):
    assert await _ask(site, "close") == b""


@pytest.mark.parametrize(("name", "difference"), [("short", -1000), ("long", 1)])
async def test_lengths_that_are_wrong(site: DemoSite, name: str, difference: int):
    head, _, body = (await _ask(site, name)).partition(b"\r\n\r\n")
    announced = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
    assert (len(body) - announced) * difference > 0


async def test_two_lengths(site: DemoSite):
    assert (await _ask(site, "two-lengths")).count(b"Content-Length") == 2


async def test_chunks_that_are_wrong(site: DemoSite):
    assert b"\r\n\r\nzz\r\n" in await _ask(site, "bad-chunks")
    assert not (await _ask(site, "cut-chunks")).endswith(b"0\r\n\r\n")


async def test_headers_without_end(site: DemoSite):
    received = await _ask(site, "endless-headers", limit=3_000_000)
    assert len(received) >= 3_000_000
    assert b"\r\n\r\n" not in received


async def test_a_header_of_a_megabyte(site: DemoSite):
    assert len(await _ask(site, "long-header")) > 1 << 20


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("bad-status", b"HTTP/1.1 999 "),
        ("not-http", b"220 mail"),
        ("interim", b"HTTP/1.1 103 "),
        ("bad-header", b"HTTP/1.1 200 "),
    ],
)
async def test_answers_that_break_the_rules(site: DemoSite, name: str, start: bytes):
    assert (await _ask(site, name)).startswith(start)


async def test_an_unknown_one_is_a_404(site: DemoSite):
    address = urlsplit(site.url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    writer.write(f"GET {BASE}/none HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    assert b" 404 " in (await reader.read()).split(b"\r\n")[0]
    writer.close()
