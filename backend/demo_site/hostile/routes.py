"""All hostile addresses together, and the page that lists them."""

from aiohttp import web

from backend.demo_site.hostile import (
    bodies,
    broken,
    browsers,
    busy,
    charsets,
    connections,
    directives,
    duplicates,
    redirects,
    sitemaps,
    traps,
)
from backend.demo_site.hostile.layout import hostile_page
from backend.demo_site.hostile.perils import Peril
from backend.demo_site.markup import Markup, fill
from backend.demo_site.responses import cached_html

PERILS: tuple[Peril, ...] = (
    *redirects.PERILS,
    *traps.PERILS,
    *bodies.PERILS,
    *connections.PERILS,
    *busy.PERILS,
    *charsets.PERILS,
    *broken.PERILS,
    *duplicates.PERILS,
    *directives.PERILS,
    *sitemaps.PERILS,
    *browsers.PERILS,
)
_PERIL = '<div><dt><a href="{path}">{title}</a></dt><dd>{sentence} <em>It {outcome}.</em></dd></div>\n'


def index_page() -> Markup:
    """Every peril with its sentence and how it should end."""
    items = [
        fill(_PERIL, path=peril.path, title=peril.title, sentence=peril.sentence, outcome=peril.outcome.value)
        for peril in PERILS
    ]
    head = Markup('<link rel="stylesheet" href="/assets/index.css">\n')
    return hostile_page(
        "Hostile pages", "What the web does to crawlers.", fill("<dl>\n{items}</dl>\n", items=items), head=head
    )


async def show_index(request: web.Request) -> web.Response:
    return cached_html(request, index_page)


def add_hostile(app: web.Application) -> None:
    """Serve everything under `/hostile/`."""
    app.router.add_get("/hostile/", show_index)
    redirects.add_redirects(app)
    traps.add_traps(app)
    bodies.add_bodies(app)
    connections.add_connections(app)
    busy.add_busy(app)
    charsets.add_charsets(app)
    broken.add_broken(app)
    duplicates.add_duplicates(app)
    directives.add_directives(app)
    sitemaps.add_hostile_sitemaps(app)
    browsers.add_browsers(app)
