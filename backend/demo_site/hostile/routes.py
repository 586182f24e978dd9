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
from backend.demo_site.hostile.perils import Peril
from backend.demo_site.markup import Markup, fill
from backend.demo_site.responses import cached_html

GROUPS: dict[str, tuple[Peril, ...]] = {
    "Redirects": redirects.PERILS,
    "Traps": traps.PERILS,
    "Bodies": bodies.PERILS,
    "Connections": connections.PERILS,
    "Patience": busy.PERILS,
    "Charsets and broken HTML": (*charsets.PERILS, *broken.PERILS),
    "Duplicates": duplicates.PERILS,
    "Directives and links": directives.PERILS,
    "Sitemaps": sitemaps.PERILS,
    "For browsers": browsers.PERILS,
}
PERILS = tuple(peril for group in GROUPS.values() for peril in group)
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Hostile pages</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/assets/index.css">
</head>
<body>
<main>
<h1>Hostile pages</h1>
<p class="intro">What the web does to crawlers, on purpose or not, and how a good crawler comes out of it.</p>
{groups}</main>
</body>
</html>
"""
_GROUP = "<section><h2>{title}</h2>\n<dl>\n{perils}</dl></section>\n"
_PERIL = '<div><dt><a href="{path}">{title}</a></dt><dd>{sentence} <em>It {outcome}.</em></dd></div>\n'


def index_page() -> Markup:
    """Every peril with its sentence and how it should end."""
    groups = [
        fill(_GROUP, title=title, perils=[_describe(peril) for peril in perils]) for title, perils in GROUPS.items()
    ]
    return fill(_PAGE, groups=groups)


def _describe(peril: Peril) -> Markup:
    sentence = _show_code(peril.sentence)
    return fill(_PERIL, path=peril.path, title=peril.title, sentence=sentence, outcome=peril.outcome.value)


def _show_code(sentence: str) -> list[Markup]:
    """The sentence with what stands between backticks as code."""
    parts = sentence.split("`")
    return [fill("<code>{part}</code>" if place % 2 else "{part}", part=part) for place, part in enumerate(parts)]


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
