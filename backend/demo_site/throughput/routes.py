"""Which handler answers which throughput page."""

from aiohttp import web

from backend.demo_site.throughput.filler import filler_blocks
from backend.demo_site.throughput.pages import PREFIX, item_page

TOTAL = web.AppKey("throughput pages", int)
_HEADERS = {"Content-Type": "text/html; charset=utf-8"}


async def show_item(request: web.Request) -> web.Response:
    number = int(request.match_info["number"])
    total = request.app[TOTAL]
    if number >= total:
        raise web.HTTPNotFound
    return web.Response(body=item_page(number, total), headers=_HEADERS)


async def show_first(_: web.Request) -> web.Response:
    return web.Response(status=302, headers={"Location": f"{PREFIX}0"})


def add_throughput(app: web.Application, total: int) -> None:
    """Serve `total` pages under `/bulk/item/`."""
    filler_blocks()  # now, so that no request pays for it
    app[TOTAL] = total
    app.router.add_get("/bulk/", show_first)
    app.router.add_get(PREFIX + r"{number:\d+}", show_item)
