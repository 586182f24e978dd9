"""The same content under many addresses, almost the same content, and pages that only pretend to be there."""

import zlib

from aiohttp import web

from backend.demo_site.catalogue.stories import TOPICS
from backend.demo_site.hostile.layout import hostile_page, html_answer, link_list
from backend.demo_site.hostile.perils import Outcome, Peril
from backend.demo_site.markup import Markup, fill

COPIES = 10
SAME = "/hostile/same"
NEAR = "/hostile/near"
SOFT = "/hostile/soft-404"
CANONICAL = "/hostile/canonical"
PERILS = (
    Peril(f"{SAME}/1", "Duplicates", "Ten addresses with the very same bytes.", Outcome.PAGE),
    Peril(f"{NEAR}/1", "Near-duplicates", "Ten pages that differ in a date and a counter only.", Outcome.PAGE),
    Peril(f"{SOFT}/missing", "Soft 404", "“Not found” with status 200, for every address.", Outcome.PAGE),
    Peril(CANONICAL, "Canonical", "One page under tracking parameters, print view and odd case.", Outcome.PAGE),
)
_ARTICLE = " ".join(fact for topic in TOPICS for fact in topic.facts)


async def show_same(request: web.Request) -> web.Response:
    """Not one byte depends on the number."""
    _check_copy(request)
    links = link_list(f"{SAME}/{number}" for number in range(1, COPIES + 1))
    return html_answer(hostile_page("The same page", _ARTICLE, links))


async def show_near(request: web.Request) -> web.Response:
    """A date and a visitor counter differ; everything else is the same."""
    number = _check_copy(request)
    links = link_list(f"{NEAR}/{other}" for other in range(1, COPIES + 1))
    body = fill(
        "{links}<p>Printed on 2025-10-{day:0>2}. Visitors: {visitors}</p>\n",
        links=links,
        day=number,
        visitors=number * 7919,
    )
    return html_answer(hostile_page("Almost the same page", _ARTICLE, body))


def _check_copy(request: web.Request) -> int:
    number = int(request.match_info["number"])
    if not 1 <= number <= COPIES:
        raise web.HTTPNotFound
    return number


async def show_soft_404(request: web.Request) -> web.Response:
    """Says that nothing is here, in words only, and suggests other pages that are not there either."""
    seed = zlib.crc32(request.path.encode())
    links = link_list(f"{SOFT}/suggestion-{(seed + step) % 100}" for step in range(3))
    return html_answer(hostile_page("Page not found", "Sorry, we could not find what you were looking for.", links))


async def show_canonical(_: web.Request) -> web.Response:
    """Every variant says which address is the right one."""
    head = fill('<link rel="canonical" href="{path}">\n', path=CANONICAL)
    query = ("utm_source=mail&utm_campaign=may", "gclid=abc123", "print=1", "fbclid=xyz", "b=2&a=1", "a=1&b=2")
    variants = [
        *(f"{CANONICAL}?{part}" for part in query),
        "/hostile/Canonical",
        f"{CANONICAL}#top",
        f"{CANONICAL}/index.html",
    ]
    page = hostile_page("One page, many addresses", "Ask for me once.", Markup(link_list(variants)), head=head)
    return html_answer(page)


def add_duplicates(app: web.Application) -> None:
    """Serve the duplicates."""
    app.router.add_get(SAME + r"/{number:\d+}", show_same)
    app.router.add_get(NEAR + r"/{number:\d+}", show_near)
    app.router.add_get(SOFT + "/{name:.*}", show_soft_404)
    for path in (CANONICAL, "/hostile/Canonical", f"{CANONICAL}/index.html"):
        app.router.add_get(path, show_canonical)
