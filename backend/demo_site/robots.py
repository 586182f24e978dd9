"""robots.txt in all the ways a website can serve it.

Which variant `/robots.txt` is, a knob decides (`robots`, or `--robots` at the start). A request whose host begins with
`robots-VARIANT.` gets that one. And each lies under `/robots/VARIANT.txt`, for crawlers with a robots address of their
own.
"""

import asyncio
from collections.abc import Awaitable, Callable

from aiohttp import web

from backend.demo_site.state import STATE

HUGE_BYTES = 600 * 1024  # RFC 9309 asks crawlers to read at least 500 KiB
SLOW_SECONDS = 60
FRIENDLY = """# A friendly site: take what you like, but leave the baskets alone.
User-agent: *
Disallow: /shop/cart
Disallow: /shop/search
Disallow: /markt/warenkorb.php
Disallow: /hostile/forbidden
Disallow: /_control/
"""
Variant = Callable[[web.Request], Awaitable[web.StreamResponse]]


def _text(text: str) -> Variant:
    async def answer(request: web.Request) -> web.Response:
        sitemap = f"\nSitemap: http://{request.host}/sitemap.xml\n"
        return web.Response(text=text + sitemap, content_type="text/plain")

    return answer


def _raw(body: bytes, content_type: str) -> Variant:
    async def answer(_: web.Request) -> web.Response:
        return web.Response(body=body, content_type=content_type)

    return answer


def _status(status: int) -> Variant:
    async def answer(_: web.Request) -> web.Response:
        return web.Response(status=status, text=f"robots.txt answers {status} here.")

    return answer


def _redirect(target: str) -> Variant:
    async def answer(_: web.Request) -> web.Response:
        return web.Response(status=302, headers={"Location": target})

    return answer


async def _slow(_: web.Request) -> web.Response:
    await asyncio.sleep(SLOW_SECONDS)
    return web.Response(text=FRIENDLY)


def _huge() -> bytes:
    """One rule at the beginning, one past 500 KiB, and comments between them."""
    early, late = b"User-agent: *\nDisallow: /shop/c/ssd\n", b"Disallow: /shop/c/phones\n"
    comment = b"# nothing to see here, please walk on to the end of this file\n"
    return early + comment * (HUGE_BYTES // len(comment)) + late


_GARBAGE = bytes(range(256)) * 4 + b"\nUser-agent: *\nDisallow: /shop/c/ssd\nDisallow /no/colon\n:::\nAllow\n\xff\xfe\n"
_HTML = b"<!doctype html><title>Welcome</title><h1>Every address of this site answers with this page</h1>"
_GROUPS = """User-agent: gleaner
User-agent: othercrawler
Disallow: /shop/c/ssd
Allow: /shop/c/ssd?page=2$

User-agent: *
Disallow: /

User-agent: Gleaner
Disallow: /shop/*/reviews
"""
VARIANTS: dict[str, Variant] = {
    "friendly": _text(FRIENDLY),
    "crawl-delay": _text(FRIENDLY + "Crawl-delay: 1\n"),
    "disallow-all": _text("User-agent: *\nDisallow: /\n"),
    "groups": _text(_GROUPS),
    "missing": _status(404),
    "forbidden": _status(403),
    "error": _status(500),
    "unavailable": _status(503),
    "redirect": _redirect("/robots/friendly.txt"),
    "redirect-loop": _redirect("/robots/redirect-loop.txt"),
    "huge": _raw(_huge(), "text/plain"),
    "garbage": _raw(_GARBAGE, "text/plain"),
    "html": _raw(_HTML, "text/html"),
    "bom": _raw(b"\xef\xbb\xbfUser-agent: *\nDisallow: /shop/c/ssd\n", "text/plain"),
    "slow": _slow,
}


def _variant_of(request: web.Request) -> str:
    first_label = request.host.partition(".")[0]
    return first_label.removeprefix("robots-") if first_label.startswith("robots-") else request.app[STATE].robots


async def show_robots(request: web.Request) -> web.StreamResponse:
    """The variant that the host or the knob asks for."""
    return await _answer(_variant_of(request), request)


async def show_variant(request: web.Request) -> web.StreamResponse:
    """The variant that the path names."""
    return await _answer(request.match_info["variant"], request)


async def _answer(name: str, request: web.Request) -> web.StreamResponse:
    if name not in VARIANTS:
        raise web.HTTPNotFound(text=f"There are {', '.join(VARIANTS)}.")
    return await VARIANTS[name](request)


def add_robots(app: web.Application) -> None:
    """Serve `/robots.txt` and all variants under `/robots/`."""
    app.router.add_get("/robots.txt", show_robots)
    app.router.add_get("/robots/{variant}.txt", show_variant)
