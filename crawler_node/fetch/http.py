"""The HTTP lane: one request, one answer, every surprise of the web turned into a value."""

import asyncio
import re
import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from types import TracebackType
from typing import NamedTuple

import aiohttp
from yarl import URL

from crawler_node.contracts import (
    Failure,
    FetchedPage,
    FetchFailure,
    Hop,
    Lease,
    Redirect,
    Refusal,
    TargetKind,
    media_type_of,
)
from crawler_node.fetch.cookies import CookieShelf
from crawler_node.fetch.encodings import ACCEPT_ENCODING, BodyTooBigError, UndecodableBodyError, decode_body
from crawler_node.fetch.failures import failure_for_exception, proxy_refused, refused
from crawler_node.fetch.guard import check_before_proxy, guarded_connector
from crawler_node.fetch.options import SITEMAP_TYPES, LaneOptions
from crawler_node.fetch.proxies import Proxy, ProxyRing
from crawler_node.fetch.retry_after import parse_retry_after
from crawler_node.fetch.statuses import REDIRECTS, failure_for_status
from crawler_node.fetch.walls import CAPTCHA_SENTENCE, MAX_WALL_BYTES, WALL_STATUSES, Walls, find_captcha
from crawler_node.urls.parse import MAX_URL_CHARACTERS, normalize, parse_url

Answer = FetchedPage | Redirect | FetchFailure

# For the body of a page that was refused: it may not cost what a good page may.
_WALL_SECONDS = 5.0
# Policies of large sites grow long; browsers take more.
_MAX_HEADER_BYTES = 65_536
_MAX_HEADERS = 256
# How aiohttp writes a byte of a header that is no UTF-8.
_RAW_BYTE = re.compile("[\udc80-\udcff]")
# Wishes and links of a page may come in any number of lines.
_LISTS = ("link", "x-robots-tag")
_ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


class _Wanted(NamedTuple):
    """Which answers are taken: content types (None for all), size, and whether a longer body is cut or refused.

    `is_page` where a captcha instead is worth telling; `is_known` where we have it already: only then 304 tells us.
    """

    types: frozenset[str] | None
    max_bytes: int
    may_cut: bool = False
    is_page: bool = False
    is_known: bool = False


class HttpLane:
    """Fetches over HTTP with keep-alive, cookies, compression, proxies and conditional requests. Use as a context.

    Never raises for what a website does. Nothing it does can outlast the deadline, exceed the size caps, or reach an
    address outside the policy.
    """

    def __init__(self, options: LaneOptions) -> None:
        self.options = options
        self.cookies = CookieShelf(is_kept=options.keep_cookies)
        self.walls = Walls(is_one_site=options.is_one_site)
        self._proxies = ProxyRing(options.proxies, clock=time.monotonic)
        self._own_headers = _own_headers(options)
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> "HttpLane":
        options = self.options
        self._session = aiohttp.ClientSession(
            connector=guarded_connector(options.policy, limit=0, limit_per_host=options.connections_per_host),
            cookie_jar=self.cookies.jar,
            headers=_session_headers(options),
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=options.connect_seconds),
            auto_decompress=False,
            max_line_size=_MAX_HEADER_BYTES,
            max_field_size=_MAX_HEADER_BYTES,
            max_headers=_MAX_HEADERS,
            skip_auto_headers=("User-Agent", "Accept", "Accept-Encoding"),
        )
        # aiohttp would ask again at once when a connection breaks early; a second request waits for a slot of its own.
        self._session._retry_connection = False
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def fetch(self, lease: Lease) -> Answer:
        """The page of a lease. A redirect is handed back, so that its target gets a slot of its own."""
        options, conditions = self.options, _conditions(lease)
        is_known = conditions is not None
        if lease.kind is TargetKind.SITEMAP:
            wanted = _Wanted(SITEMAP_TYPES, options.max_sitemap_bytes, is_known=is_known)
        else:
            wanted = _Wanted(options.page_types, options.max_body_bytes, is_page=True, is_known=is_known)
        answer = await self._get(lease.url, wanted, conditions)
        if wanted.is_page and isinstance(answer, FetchedPage):
            self.walls.passed()
        return answer

    async def fetch_following(
        self,
        url: str,
        *,
        types: frozenset[str] | None = None,
        max_bytes: int | None = None,
        pause_seconds: float = 0.0,
        may_cut: bool = False,
    ) -> FetchedPage | FetchFailure:
        """A page at the end of its redirects, each checked like the first; for whatever holds no lease.

        `pause_seconds` is kept between two requests; redirects that take longer than two pages may are given up.
        `types` None takes any content type. With `may_cut` a body longer than `max_bytes` is cut there instead of
        refused.
        """
        hops: list[Hop] = []
        parsed = parse_url(url)
        if parsed is None:
            return FetchFailure(url, Failure.BROKEN, "Only http and https addresses can be fetched.", can_retry=False)
        target = parsed.url
        latest = time.monotonic() + 2 * (self.options.deadline_seconds + pause_seconds)
        while True:
            size = max_bytes or self.options.max_body_bytes
            answer = await self.get(target, types=types, max_bytes=size, may_cut=may_cut)
            if not isinstance(answer, Redirect):
                return _with_hops(answer, url, tuple(hops))
            hops.append(Hop(target, answer.status))
            if len(hops) > self.options.max_redirects:
                return redirect_loop(url, tuple(hops))
            if time.monotonic() + pause_seconds > latest:
                return slow_redirects(url, tuple(hops))
            target = answer.target
            await asyncio.sleep(pause_seconds)

    async def get(
        self,
        url: str,
        *,
        types: frozenset[str] | None,
        max_bytes: int,
        headers: Mapping[str, str] | None = None,
        may_cut: bool = False,
    ) -> Answer:
        """One request for a URL in WHATWG form, and its answer.

        Content type and announced size are checked before the body is read.
        """
        return await self._get(url, _Wanted(types, max_bytes, may_cut=may_cut), headers)

    async def _get(self, url: str, wanted: _Wanted, headers: Mapping[str, str] | None) -> Answer:
        started = time.perf_counter()
        proxy = self._proxies.choose() if self._proxies else None
        try:
            async with asyncio.timeout(self.options.deadline_seconds):
                if proxy is not None:
                    await self._check_name(url)
                answer = await self._ask(url, wanted, headers, proxy, started)
            if proxy is not None and answer.status == 407:
                answer = proxy_refused(url)
        except (aiohttp.ClientError, OSError, ValueError, TimeoutError) as error:
            answer = failure_for_exception(url, error, is_proxied=proxy is not None)
        if proxy is not None:
            self._proxies.report(proxy, worked=not _blames_proxy(answer))
        return answer

    def _may_see_headers(self, address: URL) -> bool:
        options = self.options
        if address.scheme != "https" and not options.headers_in_open:
            return False
        return options.is_own is None or options.is_own(address.raw_host or "")

    async def _check_name(self, url: str) -> None:
        parsed = parse_url(url)
        if parsed is not None:
            await check_before_proxy(parsed, self.options.policy)

    async def _ask(
        self,
        url: str,
        wanted: _Wanted,
        headers: Mapping[str, str] | None,
        proxy: Proxy | None,
        started: float,
    ) -> Answer:
        assert self._session is not None, "use the lane as a context"  # noqa: S101
        address = URL(url, encoded=True)
        if self._own_headers and self._may_see_headers(address):
            headers = {**self._own_headers, **(headers or {})}
        async with self._session.get(
            address, headers=headers, allow_redirects=False, proxy=proxy.url if proxy else None
        ) as response:
            self.cookies.notice(response)
            early = _judge_head(url, response, wanted)
            if early is not None:
                seconds = time.perf_counter() - started
                if wanted.is_page and response.status in WALL_STATUSES and await _shows_captcha(response):
                    early = self.walls.met(url, CAPTCHA_SENTENCE, response.status)
                response.close()
                return replace(early, load_seconds=seconds)
            try:
                raw = await _read(response, wanted)
                coding = _codings(response)
                size, may_cut = wanted.max_bytes, wanted.may_cut
                body = decode_body(raw, coding, max_bytes=size, may_cut=may_cut) if coding else raw
            except BodyTooBigError:
                response.close()
                return refused(url, Refusal.TOO_BIG, response.status)
            except UndecodableBodyError as error:
                return FetchFailure(
                    url, Failure.BROKEN, f"The page is packed in a broken way: {error}.", can_retry=False
                )
            return FetchedPage(
                url, response.status, _plain(response), body, time.perf_counter() - started, requested_url=url
            )


def redirect_loop(url: str, hops: tuple[Hop, ...]) -> FetchFailure:
    """The failure of a URL that only ever sends us on."""
    sentence = f"The address only leads to more redirects ({len(hops)} in a row)."
    return FetchFailure(url, Failure.REDIRECT_LOOP, sentence, can_retry=False, hops=hops)


def slow_redirects(url: str, hops: tuple[Hop, ...]) -> FetchFailure:
    """The failure of a URL that is sent on for longer than anybody waits."""
    sentence = f"The redirects of the address took too long ({len(hops)} in a row)."
    return FetchFailure(url, Failure.TIMEOUT, sentence, can_retry=True, hops=hops)


def _session_headers(options: LaneOptions) -> dict[str, str]:
    defaults = {"User-Agent": options.user_agent, "Accept": _ACCEPT, "Accept-Language": "en;q=0.8,*;q=0.5"}
    return defaults | {"Accept-Encoding": ACCEPT_ENCODING}


def _own_headers(options: LaneOptions) -> dict[str, str]:
    """What the crawler sends besides; how bodies are packed is ours to say."""
    chosen = {name.title(): value for name, value in options.headers.items()}
    return {name: value for name, value in chosen.items() if name != "Accept-Encoding"}


def _conditions(lease: Lease) -> dict[str, str] | None:
    if not lease.etag and not lease.last_modified:
        return None
    conditions = {"If-None-Match": lease.etag} if lease.etag else {}
    return conditions | ({"If-Modified-Since": lease.last_modified} if lease.last_modified else {})


def _judge_head(url: str, response: aiohttp.ClientResponse, wanted: _Wanted) -> Answer | None:
    """The answer where status and headers already decide it; None when the body is wanted."""
    status = response.status
    if status in REDIRECTS:
        return _redirect(url, response)
    if status == 304 and wanted.is_known:
        return FetchedPage(url, status, _plain(response), b"", requested_url=url)
    if not 200 <= status < 300:
        now = datetime.now(UTC)
        return failure_for_status(
            url, status, retry_after_seconds=parse_retry_after(response.headers.get("Retry-After"), now=now)
        )
    media_type = media_type_of(response.headers.get("Content-Type", ""))
    if wanted.types is not None and media_type and media_type not in wanted.types:
        return refused(url, Refusal.CONTENT_TYPE, status, detail=media_type)
    if not wanted.may_cut and (response.content_length or 0) > wanted.max_bytes:
        return refused(url, Refusal.TOO_BIG, status, detail=f"{response.content_length} bytes")
    return None


def _redirect(url: str, response: aiohttp.ClientResponse) -> Answer:
    location = response.headers.get("Location", "")
    # Bytes that are no UTF-8 are an older charset's: escaped they are asked for as they came, as browsers do.
    target = normalize(_RAW_BYTE.sub(lambda match: f"%{ord(match[0]) - 0xDC00:02X}", location), url)
    if not location or target is None or parse_url(target) is None:
        sentence = (
            "The server sends us on, but not to a web address." if location else "The server sends us on to nowhere."
        )
        return FetchFailure(url, Failure.BAD_REDIRECT, sentence, can_retry=False, status=response.status)
    if len(target) > MAX_URL_CHARACTERS:
        sentence = f"The server sends us on to an address of more than {MAX_URL_CHARACTERS:,} characters."
        return FetchFailure(url, Failure.BAD_REDIRECT, sentence, can_retry=False, status=response.status)
    return Redirect(
        url, response.status, target, sets_cookies="Set-Cookie" in response.headers, headers=_plain(response)
    )


def _codings(response: aiohttp.ClientResponse) -> str:
    """How the body is packed, in the order it was done: each of several lines packs what is packed already."""
    return ",".join(response.headers.getall("Content-Encoding", ()))


async def _read(response: aiohttp.ClientResponse, wanted: _Wanted) -> bytes:
    if response.content_length is not None and response.content_length <= wanted.max_bytes:
        return await response.read()
    chunks: list[bytes] = []
    size = 0
    async for chunk in response.content.iter_any():
        size += len(chunk)
        chunks.append(chunk)
        if size > wanted.max_bytes:
            if not wanted.may_cut:
                raise BodyTooBigError
            response.close()
            break
    return b"".join(chunks)[: wanted.max_bytes]


async def _shows_captcha(response: aiohttp.ClientResponse) -> bool:
    """Whether a page that was not given to us asks for a person instead."""
    if "html" not in response.headers.get("Content-Type", "").lower():
        return False
    try:
        async with asyncio.timeout(_WALL_SECONDS):
            raw = await _read(response, _Wanted(None, MAX_WALL_BYTES, may_cut=True))
        coding = _codings(response)
        body = decode_body(raw, coding, max_bytes=MAX_WALL_BYTES, may_cut=True) if coding else raw
    except (aiohttp.ClientError, TimeoutError, BodyTooBigError, UndecodableBodyError):
        return False
    return find_captcha(body.decode("utf-8", "replace"))


def _plain(response: aiohttp.ClientResponse) -> dict[str, str]:
    """Of a header that came more than once the last counts, but of lists, whose lines all do."""
    headers = response.headers
    plain = {name.lower(): value for name, value in headers.items()}
    return plain | {name: "\n".join(headers.getall(name)) for name in _LISTS if name in plain}


def _blames_proxy(answer: Answer) -> bool:
    """A page that took too long, or whose connection broke, may be the proxy's fault or the site's: a rest for the
    proxy costs neither anything."""
    if not isinstance(answer, FetchFailure):
        return False
    has_broken_off = answer.failure is Failure.BROKEN and answer.can_retry
    return has_broken_off or answer.failure in (Failure.PROXY, Failure.TIMEOUT) or answer.status in (502, 504)


def _with_hops(answer: FetchedPage | FetchFailure, url: str, hops: tuple[Hop, ...]) -> FetchedPage | FetchFailure:
    if not hops:
        return answer
    if isinstance(answer, FetchedPage):
        return FetchedPage(answer.url, answer.status, answer.headers, answer.body, answer.load_seconds, url, hops)
    return FetchFailure(
        answer.url,
        answer.failure,
        answer.sentence,
        can_retry=answer.can_retry,
        status=answer.status,
        refusal=answer.refusal,
        retry_after_seconds=answer.retry_after_seconds,
        hops=hops,
    )
