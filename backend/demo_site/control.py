"""The control endpoints under `/_control/`: read the log, turn the knobs. Their own requests are not logged."""

import json
from datetime import date
from decimal import Decimal

from aiohttp import web

from backend.demo_site.money import Money
from backend.demo_site.request_log import LOG
from backend.demo_site.robots import VARIANTS
from backend.demo_site.state import STATE
from backend.demo_site.truth import KINDS

JSON_LINES = "application/x-ndjson"


async def show_log(request: web.Request) -> web.Response:
    """Every request since the last reset (or since number `?since=N`) as JSON lines."""
    entries = request.app[LOG].entries(since=int(request.query.get("since", "0")))
    return _json_lines([entry.as_json() for entry in entries])


async def reset(request: web.Request) -> web.Response:
    """Forget the log and the counters, and put the knobs back."""
    request.app[LOG].clear()
    request.app[STATE].reset()
    return await show_state(request)


async def show_state(request: web.Request) -> web.Response:
    """The knobs as they are."""
    return web.json_response(request.app[STATE].knobs())


async def turn_knobs(request: web.Request) -> web.Response:
    """Set any of the knobs from a JSON object; unknown names are refused."""
    try:
        wanted = await request.json()
        if wanted.get("robots", "friendly") not in VARIANTS:
            raise ValueError(f"There are the robots variants {', '.join(VARIANTS)}.")
        request.app[STATE].turn(wanted)
    except (TypeError, ValueError) as fault:
        return web.json_response({"error": str(fault)}, status=400)
    return await show_state(request)


async def show_truth(request: web.Request) -> web.Response:
    """All expected documents of one kind as JSON lines."""
    kind = KINDS.get(request.match_info["kind"].replace("-", " "))
    if kind is None:
        return web.json_response({"error": "No such kind.", "kinds": list(KINDS)}, status=404)
    lines = [
        json.dumps({"path": document.path, "shown": document.shown, "values": document.values}, default=_as_json)
        for document in kind.documents()
    ]
    return _json_lines(lines)


def _as_json(value: object) -> object:
    match value:
        case Money(amount, currency):
            return {"amount": str(amount), "currency": currency}
        case Decimal():
            return float(value)
        case date():
            return value.isoformat()
    raise TypeError(f"{type(value).__name__} has no JSON form")


def _json_lines(lines: list[str]) -> web.Response:
    return web.Response(text="".join(f"{line}\n" for line in lines), content_type=JSON_LINES)


def add_control(app: web.Application) -> None:
    """Serve the control endpoints."""
    app.router.add_get("/_control/log", show_log)
    app.router.add_get("/_control/state", show_state)
    app.router.add_get("/_control/truth/{kind}", show_truth)
    app.router.add_post("/_control/state", turn_knobs)
    app.router.add_post("/_control/reset", reset)
