"""Pages that are harmless without scripts and hostile to browsers. Their scripts are `assets/files/hostile-*.js`."""

import asyncio
import contextlib

from aiohttp import web

from backend.demo_site.hostile.layout import hostile_page, html_answer
from backend.demo_site.hostile.perils import Outcome, Peril
from backend.demo_site.markup import Markup, fill

BASE = "/hostile/browser"
SILENCE_SECONDS = 300
_SCRIPTED = {
    "endless-script": ("A script that never ends.", Outcome.FAILS),
    "late-endless-script": ("Half a second after loading, a script begins that never ends.", Outcome.EITHER),
    "dialogs": ("Alert, confirm and prompt, one after another.", Outcome.PAGE),
    "endless-dialogs": ("A dialog after every dialog.", Outcome.FAILS),
    "leaving": ("Asks whether one really wants to leave.", Outcome.PAGE),
    "pop-ups": ("Opens five windows.", Outcome.PAGE),
    "download": ("Starts a download.", Outcome.PAGE),
    "polling": ("Asks the server ten times a second, for ever, so the network is never quiet.", Outcome.PAGE),
    "growing": ("Adds a thousand elements ten times a second, so the page is never stable.", Outcome.EITHER),
    "memory": ("Takes memory until the page crashes.", Outcome.EITHER),
    "reloading": ("Reloads itself as soon as it is loaded.", Outcome.EITHER),
    "wandering": ("Goes on to a new address each time it is loaded.", Outcome.EITHER),
    "schemes": ("Tries to go to file:, chrome: and data: addresses.", Outcome.EITHER),
    "private": ("Asks a private address in every way it knows (`?canary=http://…` names another).", Outcome.PAGE),
    "rights": ("Asks for place, camera and notifications.", Outcome.PAGE),
    "errors": ("Throws errors for ever.", Outcome.PAGE),
}
PERILS = (
    *(
        Peril(f"{BASE}/{name}", name.replace("-", " ").capitalize(), sentence, outcome)
        for name, (sentence, outcome) in _SCRIPTED.items()
    ),
    Peril(f"{BASE}/never-loaded", "Never loaded", "A picture that never comes keeps the page loading.", Outcome.PAGE),
    Peril(f"{BASE}/file", "Download", "A file to be saved, not a page to be shown.", Outcome.FAILS),
)


async def show_scripted(request: web.Request) -> web.Response:
    """The page of one script. Its name and text are in the HTML, so the http lane reads it without harm."""
    name = request.match_info["name"]
    if name not in _SCRIPTED:
        raise web.HTTPNotFound
    script = fill('<script src="/assets/hostile-{name}.js"></script>\n', name=name)
    return html_answer(hostile_page(name, _SCRIPTED[name][0], script))


async def show_never_loaded(_: web.Request) -> web.Response:
    picture = Markup(f'<img src="{BASE}/hanging.png" alt="">\n')
    return html_answer(hostile_page("never-loaded", "Everything is here but one picture.", picture))


async def hang(_: web.Request) -> web.Response:
    with contextlib.suppress(ConnectionError):
        await asyncio.sleep(SILENCE_SECONDS)
    return web.Response(status=204)


async def send_file(_: web.Request) -> web.Response:
    headers = {"Content-Disposition": 'attachment; filename="harmless.bin"'}
    return web.Response(body=b"harmless\n" * 1000, content_type="application/octet-stream", headers=headers)


async def tick(_: web.Request) -> web.Response:
    return web.Response(text="tick")


async def show_popped(request: web.Request) -> web.Response:
    return html_answer(hostile_page("Popped up", f"Window {request.query.get('n', '')}."))


def add_browsers(app: web.Application) -> None:
    """Serve the pages that are hostile to browsers."""
    app.router.add_get(f"{BASE}/never-loaded", show_never_loaded)
    app.router.add_get(f"{BASE}/hanging.png", hang)
    app.router.add_get(f"{BASE}/file", send_file)
    app.router.add_get(f"{BASE}/tick", tick)
    app.router.add_get(f"{BASE}/popped", show_popped)
    app.router.add_get(BASE + "/{name}", show_scripted)
