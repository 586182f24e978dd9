"""The page at `/`: every part of the site with a sentence."""

from aiohttp import web

from backend.demo_site.changing.routes import PARTS as CHANGING_PARTS
from backend.demo_site.dynamic.routes import PARTS as DYNAMIC_PARTS
from backend.demo_site.markup import Markup, fill
from backend.demo_site.parts import Part, part_list
from backend.demo_site.responses import cached_html

FRIENDLY_PARTS = (
    Part("/shop/", "Orchard & Wire", "A shop with 500 products, categories, reviews and prices in eight formats."),
    Part("/markt/", "Kistenmarkt", "A second shop in German, with table markup and 200 of the same products."),
    Part("/magazine/", "The Slow Signal", "A magazine with 200 articles, authors, tags and dates in five formats."),
)
HOSTILE_PARTS = (
    Part(
        "/hostile/",
        "Hostile pages",
        "Redirects, traps, bombs, broken connections, wrong charsets, and what browsers fear.",
    ),
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


_GROUPS = (
    ("Friendly", "Plain HTML, good manners, every value known.", FRIENDLY_PARTS),
    ("Dynamic", "Pages that show nothing, or not everything, without a browser.", DYNAMIC_PARTS),
    ("Changing", "What re-crawls are for: POST /_control/state turns the clock.", CHANGING_PARTS),
    ("Hostile", "What the web does to crawlers, on purpose or not.", HOSTILE_PARTS),
)


def index_page(*, throughput_pages: int) -> Markup:
    """All parts of the site."""
    groups = [*_GROUPS, _throughput_group(throughput_pages)] if throughput_pages else _GROUPS
    return fill(
        _PAGE,
        groups=[
            fill(_GROUP, title=title, sentence=sentence, parts=part_list(parts)) for title, sentence, parts in groups
        ],
    )


def _throughput_group(pages: int) -> tuple[str, str, tuple[Part, ...]]:
    part = Part("/bulk/", f"{pages:,} pages", "About 45 KB and 60 links each, made on demand.")
    return ("Throughput", "Many pages, to measure with.", (part,))


def add_index(app: web.Application, *, throughput_pages: int) -> None:
    """Serve the page at `/`."""

    async def show_index(request: web.Request) -> web.Response:
        return cached_html(request, lambda: index_page(throughput_pages=throughput_pages))

    app.router.add_get("/", show_index)
