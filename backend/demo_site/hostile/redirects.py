"""Redirects that loop, never end, or lead where nobody should go."""

from aiohttp import web

from backend.demo_site.hostile.layout import hostile_page, html_answer
from backend.demo_site.hostile.perils import Outcome, Peril
from backend.demo_site.markup import Markup, fill

BASE = "/hostile/redirect"
FORBIDDEN_TARGETS = {
    "metadata": "http://169.254.169.254/latest/meta-data/",
    "private": "http://10.0.0.1/",
    "mapped": "http://[::ffff:169.254.169.254]/",
    "file": "file:///etc/passwd",
    "javascript": "javascript:alert(1)",
    "bad-port": "http://127.0.0.1:99999/",
    "nowhere": "http://no-such-host.invalid/",
}
PERILS = (
    Peril(f"{BASE}/loop", "Redirect to itself", "Redirects to its own address for ever.", Outcome.FAILS),
    Peril(f"{BASE}/ping", "Two in a ring", "Redirects to `pong`, which redirects back.", Outcome.FAILS),
    Peril(
        f"{BASE}/chain/5", "Short chain", "Five redirects with five different status codes, then a page.", Outcome.PAGE
    ),
    Peril(f"{BASE}/chain/60", "Long chain", "Sixty redirects, then a page.", Outcome.FAILS),
    Peril(f"{BASE}/endless?n=1", "Endless", "Each redirect leads to a new address.", Outcome.FAILS),
    Peril(f"{BASE}/empty", "Nowhere", "302 without a Location header.", Outcome.FAILS),
    Peril(f"{BASE}/relative", "Relative", "Redirects by a relative address with `..` in it.", Outcome.PAGE),
    Peril(f"{BASE}/cookie", "Cookie check", "Redirects to itself until a cookie comes back.", Outcome.PAGE),
    Peril(f"{BASE}/refresh", "Meta refresh", "A page that sends browsers on to the next.", Outcome.PAGE),
    *(
        Peril(f"{BASE}/to/{name}", f"To {name}", f"Redirects to `{target}`.", Outcome.FAILS)
        for name, target in FORBIDDEN_TARGETS.items()
    ),
)
_STATUSES = (301, 302, 303, 307, 308)


def _redirect(target: str, *, status: int = 302) -> web.Response:
    return web.Response(status=status, headers={"Location": target})


async def loop(request: web.Request) -> web.Response:
    return _redirect(request.path_qs)


async def ping(_: web.Request) -> web.Response:
    return _redirect(f"{BASE}/pong")


async def pong(_: web.Request) -> web.Response:
    return _redirect(f"{BASE}/ping")


async def chain(request: web.Request) -> web.Response:
    left = int(request.match_info["left"])
    if left == 0:
        return html_answer(hostile_page("End of the chain", "You have arrived."))
    return _redirect(f"{BASE}/chain/{left - 1}", status=_STATUSES[left % len(_STATUSES)])


async def endless(request: web.Request) -> web.Response:
    number = request.query.get("n", "1")
    following = int(number) + 1 if number.isdecimal() else 1
    return _redirect(f"{BASE}/endless?n={following}", status=301)


async def empty(_: web.Request) -> web.Response:
    return web.Response(status=302)


async def relative(_: web.Request) -> web.Response:
    return _redirect("../redirect/./chain/0")


async def cookie(request: web.Request) -> web.Response:
    if request.cookies.get("checked") == "yes":
        return html_answer(hostile_page("Cookie check passed", "The cookie came back."))
    response = _redirect(request.path_qs)
    response.set_cookie("checked", "yes", path=BASE)
    return response


async def refresh(_: web.Request) -> web.Response:
    head = fill('<meta http-equiv="refresh" content="0; url={url}">\n', url=f"{BASE}/chain/0")
    return html_answer(hostile_page("Please wait", "You will be sent on.", Markup(), head=head))


async def forbidden_target(request: web.Request) -> web.Response:
    target = FORBIDDEN_TARGETS.get(request.match_info["name"])
    if target is None:
        raise web.HTTPNotFound
    return _redirect(target)


def add_redirects(app: web.Application) -> None:
    """Serve the redirects."""
    for handler in (loop, ping, pong, endless, empty, relative, cookie, refresh):
        app.router.add_get(f"{BASE}/{handler.__name__}", handler)
    app.router.add_get(BASE + r"/chain/{left:\d+}", chain)
    app.router.add_get(BASE + "/to/{name}", forbidden_target)
