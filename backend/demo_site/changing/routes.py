"""Which handler answers which changing page, with validators that tell the truth."""

from aiohttp import web

from backend.demo_site.changing.pages import BASE, THINGS, Thing, last_modified, list_page, thing_page
from backend.demo_site.parts import Part
from backend.demo_site.responses import conditional, render
from backend.demo_site.state import STATE

PARTS = (
    Part(BASE, "Changing things", "Twenty pages with ETag and Last-Modified that change with the site’s version."),
)
_HTML = "text/html; charset=utf-8"
_THINGS: dict[str, Thing] = {str(thing.number): thing for thing in THINGS}


async def show_list(request: web.Request) -> web.Response:
    """Without validators: it is always sent whole."""
    return web.Response(text=list_page(request.app[STATE].version), content_type="text/html")


async def show_thing(request: web.Request) -> web.Response:
    """The page, 304 when the client has it, 404 before it came and 410 after it went."""
    thing = _THINGS.get(request.match_info["number"])
    version = request.app[STATE].version
    if thing is None or version < thing.first_version:
        raise web.HTTPNotFound
    if not thing.exists_in(version):
        raise web.HTTPGone
    rendered = render(thing_page(thing, version), _HTML)
    return conditional(request, rendered, last_modified=last_modified(thing, version))


def add_changing(app: web.Application) -> None:
    """Serve the changing pages under `/changing/`."""
    app.router.add_get(BASE, show_list)
    app.router.add_get(BASE + r"thing/{number:\d+}", show_thing)
