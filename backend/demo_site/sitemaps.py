"""Sitemaps: an index, plain ones, and one compressed with gzip."""

import gzip
from collections.abc import Iterable

from aiohttp import web

from backend.demo_site.markup import Markup, fill
from backend.demo_site.truth import magazine_pages, second_shop_pages, shop_pages

_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
_INDEX = '<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="{namespace}">\n{entries}</sitemapindex>\n'
_SITEMAP = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{namespace}">\n{entries}</urlset>\n'
_PARTS = {"shop.xml": shop_pages, "markt.xml": second_shop_pages, "magazine.xml.gz": magazine_pages}


def _base(request: web.Request) -> str:
    return f"http://{request.host}"


def sitemap(base: str, paths: Iterable[str]) -> Markup:
    """A sitemap of these paths under the site's own address."""
    entries = [fill("<url><loc>{url}</loc></url>\n", url=base + path) for path in paths]
    return fill(_SITEMAP, namespace=_NAMESPACE, entries=entries)


async def show_index(request: web.Request) -> web.Response:
    """The sitemaps of the friendly parts."""
    base = _base(request)
    entries = [fill("<sitemap><loc>{base}/sitemaps/{name}</loc></sitemap>\n", base=base, name=name) for name in _PARTS]
    return web.Response(text=fill(_INDEX, namespace=_NAMESPACE, entries=entries), content_type="application/xml")


async def show_sitemap(request: web.Request) -> web.Response:
    """Every page of one friendly part."""
    name = request.match_info["name"]
    if name not in _PARTS:
        raise web.HTTPNotFound
    text = sitemap(_base(request), sorted(_PARTS[name]()))
    if name.endswith(".gz"):
        return web.Response(body=gzip.compress(text.encode(), mtime=0), content_type="application/gzip")
    return web.Response(text=text, content_type="application/xml")


def add_sitemaps(app: web.Application) -> None:
    """Serve `/sitemap.xml` and what it lists."""
    app.router.add_get("/sitemap.xml", show_index)
    app.router.add_get("/sitemaps/{name}", show_sitemap)
