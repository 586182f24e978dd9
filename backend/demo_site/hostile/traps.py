"""Links without end, each beside a fixed number of real pages."""

import zlib
from datetime import date, timedelta

from aiohttp import web

from backend.demo_site.hostile.layout import hostile_page, html_answer, link_list
from backend.demo_site.hostile.perils import Outcome, Peril
from backend.demo_site.markup import Markup, fill

EVENT_COUNT = 50
SESSION_PAGE_COUNT = 20
CALENDAR = "/hostile/calendar"
SESSION = "/hostile/session"
GROWING = "/hostile/growing"
DEEP = "/hostile/deep/"
FACETS = "/hostile/facets"
EMPTY_PAGES = "/hostile/empty-pages"
COLOURS = ("red", "green", "blue", "white", "black")
SIZES = ("s", "m", "l", "xl")
PERILS = (
    Peril(CALENDAR, "Endless calendar", "Fifty events, and months and days without end.", Outcome.BOUNDED),
    Peril(SESSION, "Session ids", "Twenty pages whose links carry a new session id each time.", Outcome.BOUNDED),
    Peril(GROWING, "Growing parameters", "Each link adds one more parameter to the last.", Outcome.BOUNDED),
    Peril(DEEP, "Repeating paths", "A relative link that makes every path longer than the last.", Outcome.BOUNDED),
    Peril(FACETS, "Facets", "Filters in every combination and order.", Outcome.BOUNDED),
    Peril(EMPTY_PAGES, "Empty pages", "A list whose next page always exists and holds nothing new.", Outcome.BOUNDED),
)


def event_path(number: int) -> str:
    return f"{CALENDAR}/event/{number}"


def event_title(number: int) -> str:
    return f"Event {number} of {EVENT_COUNT}"


async def calendar(request: web.Request) -> web.Response:
    """A month: its days, the months around it, and a few of the events, so that all are linked within five months."""
    first = _first_of_month(request)
    months = (first - timedelta(days=1), first + timedelta(days=32))
    days = [f"{CALENDAR}/day?date={first + timedelta(days=day)}" for day in range(28)]
    page = first.month % 5 * 10
    events = [event_path(number) for number in range(page + 1, page + 11)]
    links = [f"{CALENDAR}?year={month.year}&month={month.month}" for month in months if 1 < month.year < 9000]
    start = [f"{CALENDAR}?year=2025&month={month}" for month in range(6, 11)]
    body = link_list((*links, *start, *events, *days))
    return html_answer(hostile_page(f"{first:%B %Y}", "A month like any other.", body))


def _first_of_month(request: web.Request) -> date:
    year, month = request.query.get("year", ""), request.query.get("month", "")
    if year.isdecimal() and month.isdecimal() and 1 < int(year) < 9000 and 1 <= int(month) <= 12:
        return date(int(year), int(month), 1)
    return date(2025, 11, 1)


async def day(request: web.Request) -> web.Response:
    """A day with nothing on it but links to the days around it."""
    try:
        here = date.fromisoformat(request.query.get("date", ""))
        around = [here + timedelta(days=step) for step in (-7, -1, 1, 7)]
    except (ValueError, OverflowError) as fault:
        raise web.HTTPNotFound from fault
    links = link_list(f"{CALENDAR}/day?date={other}" for other in around)
    return html_answer(hostile_page(f"{here:%d.%m.%Y}", "Nothing happens on this day.", links))


async def event(request: web.Request) -> web.Response:
    number = int(request.match_info["number"])
    if not 1 <= number <= EVENT_COUNT:
        raise web.HTTPNotFound
    links = link_list([CALENDAR, event_path(number % EVENT_COUNT + 1)])
    return html_answer(hostile_page(event_title(number), f"Number {number} is worth the way.", links))


def session_path(number: int) -> str:
    """The address of a page, as it would be without session ids."""
    return f"{SESSION}/page/{number}"


async def session(request: web.Request) -> web.Response:
    """Twenty pages that link to each other, with an id in each link that follows from the address asked for."""
    number = int(request.match_info.get("number", "0"))
    if number > SESSION_PAGE_COUNT:
        raise web.HTTPNotFound
    seed = zlib.crc32(request.path_qs.encode())
    others = {1, number + 1, number + 2, number + 7} & set(range(1, SESSION_PAGE_COUNT + 1))
    links = [_with_session(session_path(other), seed + other) for other in sorted(others)]
    title = f"Session page {number} of {SESSION_PAGE_COUNT}"
    return html_answer(hostile_page(title, "The same page under many addresses.", link_list(links)))


def _with_session(path: str, seed: int) -> str:
    """Three fashions: in the path, and under two names in the query."""
    identity = f"{seed * 2654435761 & 0xFFFFFFFFFFFFFFFF:016x}"
    fashions = (
        f"{path};jsessionid={identity.upper()}",
        f"{path}?PHPSESSID={identity}{identity}",
        f"{path}?sid={identity}",
    )
    return fashions[seed % 3]


async def growing(request: web.Request) -> web.Response:
    """One parameter more in each link."""
    names = [name for name, _ in request.query.items()]
    query = request.query_string + ("&" if request.query_string else "") + f"filter{len(names)}=on"
    links = link_list([f"{GROWING}?{query}", f"{GROWING}?{query}&again=1"]) if len(query) < 6000 else Markup()
    return html_answer(hostile_page(f"{len(names)} filters", "There is always one more.", links))


async def deep(_: web.Request) -> web.Response:
    """A relative link without its first slash, the oldest mistake of all."""
    body = fill('<p><a href="{a}">Products</a> <a href="{b}">About us</a></p>\n', a="products/", b="about/")
    return html_answer(hostile_page("Deeper", "Each link makes the path longer.", body))


async def facets(request: web.Request) -> web.Response:
    """Every combination of filters has an address, in any order."""
    chosen = request.query_string.split("&") if request.query_string else []
    options = [f"colour={colour}" for colour in COLOURS] + [f"size={size}" for size in SIZES]
    links = [f"{FACETS}?{'&'.join([*chosen, option])}" for option in options if option not in chosen]
    return html_answer(hostile_page("Shirts", f"{len(chosen)} filters chosen.", link_list(links)))


async def empty_pages(request: web.Request) -> web.Response:
    """`?page=N` for every N; after the third there is nothing on them."""
    text = request.query.get("page", "1")
    number = int(text) if text.isdecimal() else 1
    links = link_list([f"{EMPTY_PAGES}?page={number + 1}"])
    things = f"Things {number * 10 - 9} to {number * 10}." if number <= 3 else "No more things."
    return html_answer(hostile_page("A list" if number > 3 else f"A list, page {number}", things, links))


def add_traps(app: web.Application) -> None:
    """Serve the traps."""
    app.router.add_get(CALENDAR, calendar)
    app.router.add_get(f"{CALENDAR}/day", day)
    app.router.add_get(CALENDAR + r"/event/{number:\d+}", event)
    app.router.add_get(SESSION, session)
    app.router.add_get(SESSION + r"/page/{number:\d+}{id:(;jsessionid=\w+)?}", session)
    app.router.add_get(GROWING, growing)
    app.router.add_get(DEEP + "{rest:.*}", deep)
    app.router.add_get(FACETS, facets)
    app.router.add_get(EMPTY_PAGES, empty_pages)
