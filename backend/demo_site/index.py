"""The page at `/`: every part of the site with a sentence."""

from aiohttp import web

from backend.demo_site.dynamic.routes import PARTS as DYNAMIC_PARTS
from backend.demo_site.markup import Markup, fill
from backend.demo_site.parts import Part, part_list
from backend.demo_site.responses import cached_html

FRIENDLY_PARTS = (
    Part("/shop/", "Orchard & Wire", "A shop with 500 products, categories, reviews and prices in eight formats."),
    Part("/markt/", "Kistenmarkt", "A second shop in German, with table markup and 200 of the same products."),
    Part("/magazine/", "The Slow Signal", "A magazine with 200 articles, authors, tags and dates in five formats."),
)
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Gleaner’s demo site</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/assets/index.css">
</head>
<body>
<main>
<h1>Gleaner’s demo site</h1>
<p class="intro">Everything here is made up by a seeded generator, the same on every machine: to try a crawl, to test
the crawler, and to measure it.</p>
{groups}</main>
</body>
</html>
"""
_GROUP = "<section><h2>{title}</h2>\n<p>{sentence}</p>\n<dl>\n{parts}</dl></section>\n"


def index_page() -> Markup:
    """All parts of the site."""
    groups = (
        ("Friendly", "Plain HTML, good manners, every value known.", FRIENDLY_PARTS),
        ("Dynamic", "Pages that show nothing, or not everything, without a browser.", DYNAMIC_PARTS),
    )
    return fill(
        _PAGE,
        groups=[
            fill(_GROUP, title=title, sentence=sentence, parts=part_list(parts)) for title, sentence, parts in groups
        ],
    )


async def show_index(request: web.Request) -> web.Response:
    return cached_html(request, index_page)


def add_index(app: web.Application) -> None:
    """Serve the page at `/`."""
    app.router.add_get("/", show_index)
