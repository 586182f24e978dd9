"""The browser's only way out: a forwarding proxy of ours that connects to permitted addresses and to no others.

It stands below the page, so nothing a page does gets past it: documents, sub-resources, redirects, frames, workers and
WebSockets all arrive here as a CONNECT or as a plain request, by name or by address. A name is resolved here, once, and
the connection goes to that very address; the browser itself resolves nothing.
"""

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType

from crawler_node.browser.blocking import tracker_of
from crawler_node.browser.ways import ProxyRefusedError, Streams, Ways
from crawler_node.contracts import Failure, FetchFailure
from crawler_node.fetch.failures import failure_for_exception
from crawler_node.fetch.networks import NetworkPolicy
from crawler_node.urls.parse import ParsedUrl, parse_url

# Tells our own refusals from answers of servers.
VERDICT_HEADER = "x-gleaner-guard"
_MAX_HEAD_BYTES = 256 * 1024
_PIECE_BYTES = 64 * 1024
_CONNECT_SECONDS = 10.0
_MAX_VERDICTS = 2_000
_TRACKER_SENTENCE = (
    "The page leads to a site that is known for watching people, which browsers open only where it is crawled itself. "
    "Make its address a seed if you want it."
)
_HOP_HEADERS = frozenset({b"proxy-connection", b"proxy-authorization"})


@dataclass(frozen=True, slots=True)
class _Request:
    """The head of a request to a proxy: where to, and what to send there."""

    method: bytes
    target: ParsedUrl
    head: bytes
    body_bytes: int


class GuardProxy:
    """Use as a context; `address` is what Chromium's `--proxy-server` takes.

    `verdict(url)` is why the last connection to a URL's server was not made, None when it was. Sites that only watch
    people are not reached, but for those that are crawled themselves: `welcome` names one.
    """

    def __init__(self, policy: NetworkPolicy, *, proxies: Sequence[str] = (), blocks_trackers: bool = True) -> None:
        self._blocks_trackers = blocks_trackers
        self._welcome: set[str] = set()
        self._ways = Ways(policy, proxies)
        self._verdicts: dict[tuple[str, int], FetchFailure] = {}
        self._open: set[asyncio.Task[None]] = set()
        self.address = ""

    async def __aenter__(self) -> "GuardProxy":
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=_MAX_HEAD_BYTES)
        port = self._server.sockets[0].getsockname()[1]
        self.address = f"http://127.0.0.1:{port}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        for task in list(self._open):
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)
        await self._server.wait_closed()

    def welcome(self, url: str) -> None:
        """Somebody wants to see a page of this site, whatever it is known for."""
        parsed = parse_url(url)
        if parsed is not None and (site := tracker_of(parsed.host)):
            self._welcome.add(site)

    def verdict(self, url: str) -> FetchFailure | None:
        """Why a URL's server was not reached, in the words of the HTTP lane."""
        parsed = parse_url(url)
        return None if parsed is None else self._verdicts.get(_place(parsed))

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - a server runs its callback as a task
        self._open.add(task)
        try:
            await self._serve(reader, writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError, asyncio.CancelledError):
            pass  # the browser sees its connection end, and says so in its log
        finally:
            self._open.discard(task)
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection of the browser: a tunnel, or plain requests one after another, perhaps to several servers."""
        async with _Upstream(writer) as upstream:
            while head := await _read_head(reader):
                request = _parse(head)
                if request is None:
                    await _refuse(writer, "400 Bad Request", "scheme")
                    return
                if self._is_unwelcome(request.target):
                    await _refuse(writer, "403 Forbidden", "tracker")
                    return
                if not await self._reach(request.target, upstream, writer):
                    return
                if request.method == b"CONNECT":
                    await upstream.tunnel(reader, writer)
                    return
                await upstream.forward(request, reader)

    def _is_unwelcome(self, target: ParsedUrl) -> bool:
        site = tracker_of(target.host) if self._blocks_trackers else ""
        if not site or site in self._welcome:
            return False
        failure = FetchFailure(target.url, Failure.REFUSED, _TRACKER_SENTENCE, can_retry=False)
        self._remember(_place(target), failure)
        return True

    async def _reach(self, target: ParsedUrl, upstream: "_Upstream", writer: asyncio.StreamWriter) -> bool:
        place = _place(target)
        if upstream.place == place and upstream.is_open:
            return True
        try:
            async with asyncio.timeout(_CONNECT_SECONDS):
                await upstream.open(place, await self._ways.connect(target))
        except (OSError, TimeoutError) as error:
            failure = _failure(target.url, error)
            self._remember(place, failure)
            status = "403 Forbidden" if failure.failure is Failure.REFUSED else "502 Bad Gateway"
            await _refuse(writer, status, failure.failure.value)
            return False
        self._verdicts.pop(place, None)
        return True

    def _remember(self, place: tuple[str, int], failure: FetchFailure) -> None:
        if len(self._verdicts) >= _MAX_VERDICTS:
            self._verdicts.clear()
        self._verdicts[place] = failure


class _Upstream:
    """The connection to the server that a connection of the browser talks to now."""

    def __init__(self, client: asyncio.StreamWriter) -> None:
        self._client = client
        self._writer: asyncio.StreamWriter | None = None
        self._answers: asyncio.Task[None] | None = None
        self.place: tuple[str, int] | None = None

    async def __aenter__(self) -> "_Upstream":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    @property
    def is_open(self) -> bool:
        return self._answers is not None and not self._answers.done()

    async def open(self, place: tuple[str, int], streams: Streams) -> None:
        """Turn to another server."""
        self._close()
        reader, self._writer = streams
        self.place = place
        self._answers = asyncio.create_task(self._carry_back(reader))

    async def forward(self, request: _Request, reader: asyncio.StreamReader) -> None:
        """Send a plain request on; its answer comes back by itself."""
        assert self._writer is not None  # noqa: S101 - reached before
        self._writer.write(request.head)
        left = request.body_bytes
        while left > 0 and (piece := await reader.read(min(left, _PIECE_BYTES))):
            self._writer.write(piece)
            await self._writer.drain()
            left -= len(piece)
        await self._writer.drain()

    async def tunnel(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry bytes both ways until one side ends."""
        assert self._writer is not None and self._answers is not None  # noqa: S101, PT018 - reached before
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        there = asyncio.create_task(_carry(reader, self._writer))
        await asyncio.wait([there, self._answers], return_when=asyncio.FIRST_COMPLETED)
        there.cancel()
        self._close()

    async def _carry_back(self, reader: asyncio.StreamReader) -> None:
        with contextlib.suppress(OSError):
            await _carry(reader, self._client)
        self._client.close()  # the answer is over when the server says so

    def _close(self) -> None:
        if self._answers is not None:
            self._answers.cancel()
        if self._writer is not None:
            self._writer.close()
        self._answers = self._writer = self.place = None


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while piece := await reader.read(_PIECE_BYTES):
        writer.write(piece)
        await writer.drain()


async def _read_head(reader: asyncio.StreamReader) -> bytes:
    """Up to the empty line; nothing when the browser has no more to say."""
    try:
        return await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError as error:
        if error.partial:
            raise
        return b""


def _place(target: ParsedUrl) -> tuple[str, int]:
    return target.host.strip("[]"), target.port


def _failure(url: str, error: Exception) -> FetchFailure:
    if isinstance(error, ProxyRefusedError):
        return FetchFailure(url, Failure.PROXY, "The proxy did not let us through.", can_retry=True)
    return failure_for_exception(url, error, is_proxied=False)


def _parse(head: bytes) -> _Request | None:
    """What a head asks for; None for what is no proxy's business."""
    line, *rest = head[:-4].split(b"\r\n")
    method, _, remainder = line.partition(b" ")
    written, _, version = remainder.rpartition(b" ")
    text = written.decode("ascii", "replace")
    target = parse_url(f"https://{text}/" if method == b"CONNECT" else text)
    if target is None or (method != b"CONNECT" and target.scheme != "http"):
        return None
    headers = [(name.strip().lower(), value.strip(), raw) for raw in rest for name, _, value in [raw.partition(b":")]]
    length = next((int(value) for name, value, _ in headers if name == b"content-length"), 0)
    origin = text.split("/", 3)
    path = "/" + (origin[3] if len(origin) > 3 else "")
    lines = [
        b"%s %s %s" % (method, path.encode(), version),
        *(raw for name, _, raw in headers if name not in _HOP_HEADERS),
    ]
    return _Request(method, target, b"\r\n".join(lines) + b"\r\n\r\n", length)


async def _refuse(writer: asyncio.StreamWriter, status: str, verdict: str) -> None:
    answer = f"HTTP/1.1 {status}\r\n{VERDICT_HEADER}: {verdict}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
    writer.write(answer.encode())
    with contextlib.suppress(OSError):
        await writer.drain()
