"""The page at `/`: every part of the site with a sentence."""

from dataclasses import dataclass

from aiohttp import web

from backend.demo_site.markup import Markup, fill
from backend.demo_site.responses import cached_html


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the site and what it is good for."""

    path: str
    title: str
    sentence: str


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
_PART = '<div><dt><a href="{path}">{title}</a></dt><dd>{sentence}</dd></div>\n'


def part_list(parts: tuple[Part, ...]) -> list[Markup]:
    """The parts as entries of a definition list."""
    return [fill(_PART, path=part.path, title=part.title, sentence=part.sentence) for part in parts]


def index_page() -> Markup:
    """All parts of the site."""
    groups = (("Friendly", "Plain HTML, good manners, every value known.", FRIENDLY_PARTS),)
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
