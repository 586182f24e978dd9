"""Which handler answers which dynamic page."""

from collections.abc import Callable

from aiohttp import web

from backend.demo_site.catalogue.products import FIRST_NUMBER, all_products
from backend.demo_site.dynamic import pages
from backend.demo_site.dynamic.account import add_account
from backend.demo_site.dynamic.api import add_api
from backend.demo_site.dynamic.consent import LANGUAGES, cookies_page
from backend.demo_site.dynamic.layout import dynamic_page
from backend.demo_site.markup import Markup, fill
from backend.demo_site.parts import Part, part_list
from backend.demo_site.responses import cached_html, not_found

_PAGES: dict[str, Callable[[], Markup]] = {
    "list": pages.list_page,
    "scroll": pages.scroll_page,
    "more": pages.more_page,
    "tabs": pages.tabs_page,
    "lazy": pages.lazy_page,
    "shadow": pages.shadow_page,
    "frames": pages.frames_page,
    "frames/inner": pages.inner_frame,
    "search": pages.search_page,
    "select": pages.select_page,
    "hover": pages.hover_page,
    "wait": pages.wait_page,
    "expand": pages.expand_page,
    "parity": pages.parity_page,
}
PARTS = (
    Part("/dynamic/list", "JavaScript list", "Sixty things fetched and drawn by a script, each with a page like that."),
    Part("/dynamic/scroll", "Infinite scroll", "Three hundred things that come while one scrolls."),
    Part("/dynamic/more", "Load more", "A button that brings 120 things, twenty at a time, and then goes away."),
    Part("/dynamic/tabs", "Tabs", "Four tabs whose texts are fetched when they are opened."),
    Part("/dynamic/cookies", "Cookie banner", "Nothing comes before the banner is answered (?lang=en, de, fr, es)."),
    Part("/dynamic/login", "Login", "A form with a session cookie; thirty orders behind it."),
    Part("/dynamic/captcha", "Captcha", "403 and a question for people."),
    Part("/dynamic/lazy", "Lazy images", "Twenty-four pictures that come when they are scrolled to."),
    Part("/dynamic/shadow", "Shadow DOM", "Twelve things in open, nested and declarative shadow roots."),
    Part("/dynamic/frames", "Frames", "Twelve things in two frames of the same origin."),
    Part("/dynamic/search", "Search box", "Type and press Enter."),
    Part("/dynamic/select", "Select box", "Choose a category."),
    Part("/dynamic/hover", "Hover", "Prices under the pointer."),
    Part("/dynamic/wait", "Slow start", "A spinner, then twelve things."),
    Part("/dynamic/expand", "Read more", "Ten opinions, cut off."),
    Part("/dynamic/parity", "Parity", "A table without tbody: no script, the same rows in every lane."),
)


def index_page() -> Markup:
    """All dynamic pages."""
    body = fill("<dl>\n{parts}</dl>\n", parts=part_list(PARTS))
    return dynamic_page("Things that move", "Pages that need a browser, each in its own way.", body)


async def show_index(request: web.Request) -> web.Response:
    return cached_html(request, index_page)


async def show_page(request: web.Request) -> web.Response:
    return cached_html(request, _PAGES[request.path.removeprefix("/dynamic/")])


async def show_item(request: web.Request) -> web.Response:
    place = int(request.match_info["number"]) - FIRST_NUMBER
    if not 0 <= place < len(all_products()):
        return not_found("There is no such thing.")
    return cached_html(request, pages.item_page)


async def show_cookies(request: web.Request) -> web.Response:
    language = request.query.get("lang", "en")
    if language not in LANGUAGES:
        return not_found(f"The banner speaks {', '.join(LANGUAGES)}.")
    return cached_html(request, lambda: cookies_page(language))


def add_dynamic(app: web.Application) -> None:
    """Serve the dynamic pages under `/dynamic/`."""
    app.router.add_get("/dynamic/", show_index)
    for name in _PAGES:
        app.router.add_get(f"/dynamic/{name}", show_page)
    app.router.add_get(r"/dynamic/item/{number:\d+}", show_item)
    app.router.add_get("/dynamic/cookies", show_cookies)
    add_account(app)
    add_api(app)
