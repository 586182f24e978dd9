"""Sitemaps that are too large, broken, or lead round in circles."""

import asyncio
import contextlib

from aiohttp import web

from backend.demo_site.hostile.bombs import bomb
from backend.demo_site.hostile.perils import Outcome, Peril

BASE = "/hostile/sitemaps"
HUGE_COUNT = 50_000
_OPEN = '<?xml version="1.0" encoding="UTF-8"?>\n<{kind} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
PERILS = (
    Peril(f"{BASE}/huge.xml", "Huge sitemap", f"{HUGE_COUNT:,} addresses, as many as the rules allow.", Outcome.EITHER),
    Peril(f"{BASE}/loop.xml", "Sitemap loop", "A sitemap index that lists itself.", Outcome.EITHER),
    Peril(f"{BASE}/broken.xml", "Broken sitemap", "XML that stops in the middle of an entry.", Outcome.EITHER),
    Peril(f"{BASE}/entities.xml", "Entity bomb", "XML entities that multiply a billion times.", Outcome.FAILS),
    Peril(f"{BASE}/bomb.xml.gz", "Sitemap bomb", "A gzip file that unpacks to 1 GB.", Outcome.FAILS),
)
_LOCATION = "<url><loc>http://{host}/hostile/links/found?n={number}</loc></url>\n"
_LAUGHS = "".join(f'<!ENTITY l{level} "{f"&l{level - 1};" * 10}">\n' for level in range(1, 10))
_DOCTYPE = f'<!DOCTYPE urlset [\n<!ENTITY l0 "ha">\n{_LAUGHS}]>\n'
_ENTITIES = f'<?xml version="1.0"?>\n{_DOCTYPE}<urlset><url><loc>&l9;</loc></url></urlset>\n'


async def show_huge(request: web.Request) -> web.StreamResponse:
    """Written piece by piece, never held whole."""
    response = web.StreamResponse(headers={"Content-Type": "application/xml"})
    with contextlib.suppress(ConnectionError):
        await response.prepare(request)
        await response.write(_OPEN.format(kind="urlset").encode())
        for start in range(0, HUGE_COUNT, 1000):
            numbers = range(start, start + 1000)
            await response.write("".join(_LOCATION.format(host=request.host, number=n) for n in numbers).encode())
        await response.write(b"</urlset>\n")
        await response.write_eof()
    return response


async def show_loop(request: web.Request) -> web.Response:
    here = f"http://{request.host}{BASE}/loop.xml"
    text = _OPEN.format(kind="sitemapindex") + f"<sitemap><loc>{here}</loc></sitemap>\n</sitemapindex>\n"
    return web.Response(text=text, content_type="application/xml")


async def show_broken(request: web.Request) -> web.Response:
    text = _OPEN.format(kind="urlset") + _LOCATION.format(host=request.host, number=1) + "<url><loc>http://"
    return web.Response(text=text, content_type="application/xml")


async def show_entities(_: web.Request) -> web.Response:
    return web.Response(text=_ENTITIES, content_type="application/xml")


async def show_bomb(_: web.Request) -> web.Response:
    body = await asyncio.get_running_loop().run_in_executor(None, bomb, "gzip")
    return web.Response(body=body, content_type="application/gzip")


def add_hostile_sitemaps(app: web.Application) -> None:
    """Serve the sitemaps."""
    app.router.add_get(f"{BASE}/huge.xml", show_huge)
    app.router.add_get(f"{BASE}/loop.xml", show_loop)
    app.router.add_get(f"{BASE}/broken.xml", show_broken)
    app.router.add_get(f"{BASE}/entities.xml", show_entities)
    app.router.add_get(f"{BASE}/bomb.xml.gz", show_bomb)
