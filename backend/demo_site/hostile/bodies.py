"""Bodies that are too large, too slow, or packed to explode."""

import asyncio
import contextlib
import gzip
from collections.abc import AsyncIterator

from aiohttp import web

from backend.demo_site.hostile.bombs import ENCODINGS, bomb, doubly_packed
from backend.demo_site.hostile.layout import hostile_page, html_answer
from backend.demo_site.hostile.perils import Outcome, Peril
from backend.demo_site.hostile.raw import RawAnswer, head, once

BASE = "/hostile/body"
LARGE_BYTES = 100 * 1024 * 1024
DRIP_SECONDS = 1.0
DRIP_BYTES = 600
SILENCE_SECONDS = 300
_CHUNK = b"<p>All work and no play makes a crawler a dull program.</p>\n" * 1024
_START = b"<!doctype html><title>Long</title><h1 class='name'>A long page</h1>\n"
PERILS = (
    Peril(f"{BASE}/large", "100 MB", "A body of 100 MB, with its length in the header.", Outcome.FAILS),
    Peril(f"{BASE}/large?length=no", "100 MB, unannounced", "The same in chunks, without a length.", Outcome.FAILS),
    Peril(f"{BASE}/endless", "Endless body", "Chunks that never end, as fast as they are read.", Outcome.FAILS),
    Peril(f"{BASE}/drip", "Slow drip", "One byte each second, for ten minutes.", Outcome.FAILS),
    Peril(f"{BASE}/silence", "Silence", "Nothing at all for five minutes after the request.", Outcome.FAILS),
    Peril(f"{BASE}/pause", "Pause", "A head and half a body, then nothing for five minutes.", Outcome.FAILS),
    *(
        Peril(f"{BASE}/bomb?encoding={name}", f"Bomb ({name})", "A small body that unpacks to 1 GB.", Outcome.FAILS)
        for name in ENCODINGS
    ),
    Peril(f"{BASE}/bomb?encoding=twice", "Bomb in a bomb", "Compressed with gzip twice.", Outcome.FAILS),
    Peril(f"{BASE}/not-gzip", "Not gzip", "Says gzip and sends plain text.", Outcome.EITHER),
    Peril(f"{BASE}/cut-gzip", "Cut gzip", "A gzip body without its second half.", Outcome.EITHER),
    Peril(f"{BASE}/unknown-encoding", "Unknown encoding", "A content encoding nobody has heard of.", Outcome.EITHER),
    Peril(f"{BASE}/binary", "Binary", "Random bytes that call themselves HTML.", Outcome.EITHER),
    Peril(f"{BASE}/no-type", "No type", "A page without a Content-Type header.", Outcome.EITHER),
    Peril(f"{BASE}/pdf", "Other type", "A file that is not a page.", Outcome.FAILS),
    Peril(f"{BASE}/video", "Large file", "A video of 2 GB, announced in the head.", Outcome.FAILS),
    Peril(f"{BASE}/nothing", "Empty", "200 with an empty body.", Outcome.EITHER),
    Peril(f"{BASE}/no-content", "204", "No content at all.", Outcome.EITHER),
)


async def _stream(
    request: web.Request, chunks: AsyncIterator[bytes], *, length: int | None = None
) -> web.StreamResponse:
    """Send the chunks as they come; a client that goes away ends it quietly."""
    response = web.StreamResponse(headers={"Content-Type": "text/html; charset=utf-8"})
    response.content_length = length
    with contextlib.suppress(ConnectionError):
        await response.prepare(request)
        async for chunk in chunks:
            await response.write(chunk)
        await response.write_eof()
    return response


async def _repeat(total: int | None) -> AsyncIterator[bytes]:
    sent = len(_START)
    yield _START
    while total is None or sent < total:
        chunk = _CHUNK if total is None else _CHUNK[: total - sent]
        sent += len(chunk)
        yield chunk


async def _drip() -> AsyncIterator[bytes]:
    yield b"<"
    for _ in range(DRIP_BYTES):
        await asyncio.sleep(DRIP_SECONDS)
        yield b"!"


async def _half_then_nothing() -> AsyncIterator[bytes]:
    yield _START
    await asyncio.sleep(SILENCE_SECONDS)
    yield _CHUNK


async def large(request: web.Request) -> web.StreamResponse:
    announced = None if request.query.get("length") == "no" else LARGE_BYTES
    return await _stream(request, _repeat(LARGE_BYTES), length=announced)


async def endless(request: web.Request) -> web.StreamResponse:
    return await _stream(request, _repeat(None))


async def drip(request: web.Request) -> web.StreamResponse:
    return await _stream(request, _drip())


async def pause(request: web.Request) -> web.StreamResponse:
    return await _stream(request, _half_then_nothing())


async def silence(_: web.Request) -> web.Response:
    await asyncio.sleep(SILENCE_SECONDS)
    return html_answer(hostile_page("At last", "Thank you for waiting."))


async def explode(request: web.Request) -> web.Response:
    encoding = request.query.get("encoding", "gzip")
    if encoding not in (*ENCODINGS, "twice"):
        raise web.HTTPNotFound
    loop = asyncio.get_running_loop()
    if encoding == "twice":
        return _encoded(await loop.run_in_executor(None, doubly_packed), "gzip, gzip")
    return _encoded(await loop.run_in_executor(None, bomb, encoding), encoding)


def _encoded(body: bytes, encoding: str) -> web.Response:
    headers = {"Content-Encoding": encoding, "Content-Type": "text/html; charset=utf-8"}
    return web.Response(body=body, headers=headers)


async def not_gzip(_: web.Request) -> web.Response:
    return _encoded(hostile_page("Not gzip", "This was never compressed.").encode(), "gzip")


async def cut_gzip(_: web.Request) -> web.Response:
    whole = gzip.compress(hostile_page("Cut gzip", "The end is missing. " * 200).encode(), mtime=0)
    return _encoded(whole[: len(whole) // 2], "gzip")


async def unknown_encoding(_: web.Request) -> web.Response:
    return _encoded(hostile_page("Unknown encoding", "Readable all the same.").encode(), "x-origami")


async def binary(_: web.Request) -> web.Response:
    body = bytes((place * place * 31 + place * 7) & 255 for place in range(50_000))
    return web.Response(body=body, headers={"Content-Type": "text/html; charset=utf-8"})


async def no_type(_: web.Request) -> web.StreamResponse:
    body = hostile_page("No type", "A page like any other.").encode()
    return RawAnswer(once(head(f"Content-Length: {len(body)}", "Connection: close") + body))


async def pdf(_: web.Request) -> web.Response:
    return web.Response(body=b"%PDF-1.7\n" + b"0" * 20_000, content_type="application/pdf")


async def video(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "video/mp4", "Content-Length": str(2 << 30)})
    with contextlib.suppress(ConnectionError):
        await response.prepare(request)
        for _ in range((2 << 30) >> 16):
            await response.write(bytes(1 << 16))
    return response


async def nothing(_: web.Request) -> web.Response:
    return web.Response(body=b"", content_type="text/html")


async def no_content(_: web.Request) -> web.Response:
    return web.Response(status=204)


_HANDLERS = {
    "large": large, "endless": endless, "drip": drip, "pause": pause, "silence": silence, "bomb": explode,
    "not-gzip": not_gzip, "cut-gzip": cut_gzip, "unknown-encoding": unknown_encoding, "binary": binary,
    "no-type": no_type, "pdf": pdf, "video": video, "nothing": nothing, "no-content": no_content,
}  # fmt: skip


def add_bodies(app: web.Application) -> None:
    """Serve the bodies."""
    for name, handler in _HANDLERS.items():
        app.router.add_get(f"{BASE}/{name}", handler)
