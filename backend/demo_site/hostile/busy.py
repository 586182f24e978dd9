"""Servers that ask for patience: 429 and 503 with Retry-After, flaky pages, a limit on the rate."""

import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

from aiohttp import web

from backend.demo_site.hostile.layout import hostile_page, html_answer, link_list
from backend.demo_site.hostile.perils import Outcome, Peril
from backend.demo_site.state import STATE

BASE = "/hostile/busy"
RATE_LIMITED = "/hostile/rate-limited"
FLAKY = "/hostile/flaky"
RATE_PER_SECOND = 10
RATE_LIMITED_PAGES = 40
FLAKY_PAGES = 10
LONG_DELAYS = {"day": "86400"}
ABSURD_DELAYS = {"words": "soon", "negative": "-5", "past": "Sat, 01 Jan 2000 00:00:00 GMT"}
PERILS = (
    Peril(f"{BASE}/429?tries=3&wait=1", "429", "Twice 429 with `Retry-After: 1`, then a page.", Outcome.RECOVERS),
    Peril(f"{BASE}/503?tries=2&wait=1", "503", "Once 503 with `Retry-After: 1`, then a page.", Outcome.RECOVERS),
    Peril(f"{BASE}/503?tries=2&wait=2&form=date", "503 with a date", "Retry-After as a date.", Outcome.RECOVERS),
    Peril(f"{BASE}/429?tries=2&form=none", "429 alone", "Once 429 without Retry-After, then a page.", Outcome.RECOVERS),
    Peril(f"{BASE}/503?tries=1000000&wait=1", "503 for ever", "Never anything but 503.", Outcome.FAILS),
    *(
        Peril(
            f"{BASE}/503?tries=2&form={name}", f"Retry-After: {value}", "A Retry-After to be doubted.", Outcome.EITHER
        )
        for name, value in ABSURD_DELAYS.items()
    ),
    Peril(f"{BASE}/503?tries=2&form=day", "Retry-After: 86400", "A Retry-After of a day.", Outcome.WAITS),
    Peril(f"{FLAKY}/1", "Flaky", "Ten pages that fail with 500, 502 or 504 at the first try.", Outcome.RECOVERS),
    Peril(f"{RATE_LIMITED}/1", "Rate limit", "Forty pages; more than ten a second get 429.", Outcome.RECOVERS),
    Peril(f"{BASE}/401", "401", "Asks for a password that nobody has.", Outcome.FAILS),
    Peril(f"{BASE}/403", "403", "Forbidden.", Outcome.FAILS),
    Peril(f"{BASE}/404", "404", "Not found.", Outcome.FAILS),
    Peril(f"{BASE}/410", "410", "Gone for good.", Outcome.FAILS),
    Peril(f"{BASE}/500", "500", "An error that stays.", Outcome.FAILS),
)
_PLAIN_STATUSES = {401, 403, 404, 410, 500}
_FLAKY_STATUSES = (500, 502, 504)


def _retry_after(form: str, wait_seconds: int) -> dict[str, str]:
    match form:
        case "none":
            return {}
        case "date":
            # HTTP dates have whole seconds, and the client may be up to one second late in reading it.
            until = datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=wait_seconds)
            return {"Retry-After": format_datetime(until, usegmt=True)}
        case name if name in LONG_DELAYS | ABSURD_DELAYS:
            return {"Retry-After": (LONG_DELAYS | ABSURD_DELAYS)[name]}
    return {"Retry-After": str(wait_seconds)}


async def show_busy(request: web.Request) -> web.Response:
    """Refuse until the `tries`-th request for this very address; `X-Attempt` says which one this was."""
    status = int(request.match_info["status"])
    if status in _PLAIN_STATUSES:
        return html_answer(hostile_page(f"Status {status}", "No."), status=status)
    if status not in (429, 503):
        raise web.HTTPNotFound
    attempt = request.app[STATE].attempt(request.path_qs)
    seen = {"X-Attempt": str(attempt)}
    if attempt < int(request.query.get("tries", "3")):
        waiting = _retry_after(request.query.get("form", ""), int(request.query.get("wait", "1")))
        return html_answer(hostile_page("Busy", "Please come back later."), status=status, headers={**seen, **waiting})
    return html_answer(hostile_page("Patience rewarded", f"Attempt {attempt} was let in."), headers=seen)


async def show_flaky(request: web.Request) -> web.Response:
    """An error at the first try, a page at the second."""
    number = int(request.match_info["number"])
    if not 1 <= number <= FLAKY_PAGES:
        raise web.HTTPNotFound
    if request.app[STATE].attempt(request.path_qs) == 1:
        return html_answer(hostile_page("Oops", "Try again."), status=_FLAKY_STATUSES[number % len(_FLAKY_STATUSES)])
    links = link_list(f"{FLAKY}/{other}" for other in range(1, FLAKY_PAGES + 1))
    return html_answer(hostile_page(f"Flaky page {number}", "It worked.", links))


async def show_rate_limited(request: web.Request) -> web.Response:
    """A page for the first ten requests of each second of the server's clock, 429 for the rest."""
    number = int(request.match_info["number"])
    if not 1 <= number <= RATE_LIMITED_PAGES:
        raise web.HTTPNotFound
    second = int(time.monotonic())
    if request.app[STATE].attempt(f"{RATE_LIMITED} {second}") > RATE_PER_SECOND:
        return html_answer(hostile_page("Too fast", "Slow down."), status=429, headers={"Retry-After": "1"})
    links = link_list(f"{RATE_LIMITED}/{other}" for other in range(1, RATE_LIMITED_PAGES + 1))
    return html_answer(hostile_page(f"Rate-limited page {number}", "You were polite.", links))


def add_busy(app: web.Application) -> None:
    """Serve the busy pages."""
    app.router.add_get(BASE + r"/{status:\d+}", show_busy)
    app.router.add_get(FLAKY + r"/{number:\d+}", show_flaky)
    app.router.add_get(RATE_LIMITED + r"/{number:\d+}", show_rate_limited)
