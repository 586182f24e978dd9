"""Pages behind a login form with a session cookie, and a page behind a captcha."""

import secrets

from aiohttp import web

from backend.demo_site.dates import DateStyle, format_date
from backend.demo_site.dynamic import data
from backend.demo_site.dynamic.layout import dynamic_page
from backend.demo_site.markup import Markup, fill
from backend.demo_site.money import PriceStyle, format_price
from backend.demo_site.paging import cut_page, page_links
from backend.demo_site.state import STATE

USER_NAME = "demo"
PASSWORD = "gleaner-demo"  # noqa: S105 - printed on the page itself
COOKIE = "demo_session"
CAPTCHA_COOKIE = "demo_human"
CAPTCHA_ANSWER = "seven"
ORDERS = "/dynamic/account/orders"

_FORM = """{error}<form class="form" method="post" action="/dynamic/login">
<input type="hidden" name="next" value="{next}"><input type="hidden" name="token" value="{token}">
<label>User name <input id="username" name="username" autocomplete="username"></label>
<label>Password <input id="password" name="password" type="password" autocomplete="current-password"></label>
<button id="sign-in">Sign in</button>
<p>Try “{user}” with “{password}”.</p>
</form>
"""
_SIGNED_IN = """<p id="signed-in">Signed in as <b>{user}</b>. <a href="/dynamic/account/orders">Your orders</a></p>
<form method="post" action="/dynamic/logout"><button class="quiet">Sign out</button></form>
"""
_ORDER = """<li class="item order"><span class="price">{total}</span>
<a class="name" href="{path}">Order {number}</a> <span class="brand">{ordered}</span>
<span class="what">{what}</span></li>
"""
_CAPTCHA = """<form class="form g-captcha" method="post" action="/dynamic/captcha">
<label>How much is three and four? Write it as a word. <input name="answer" autocomplete="off"></label>
<button>I am not a robot</button></form>
"""


def is_signed_in(request: web.Request) -> bool:
    """Whether the session cookie still holds; each page behind the login uses it up a little."""
    return request.app[STATE].use_session(request.cookies.get(COOKIE, ""))


async def show_login(request: web.Request) -> web.Response:
    return _login_form(request.query.get("next", "/dynamic/account"))


def _login_form(target: str, *, error: str = "", status: int = 200) -> web.Response:
    token = secrets.token_hex(8)
    message = fill('<p class="error" role="alert">{error}</p>\n', error=error) if error else None
    body = fill(_FORM, error=message, next=target, token=token, user=USER_NAME, password=PASSWORD)
    page = dynamic_page("Please sign in", "A form, a session cookie, and pages behind it.", body)
    response = web.Response(text=page, content_type="text/html", status=status)
    response.set_cookie("demo_token", token, path="/dynamic/", httponly=True)
    return response


async def sign_in(request: web.Request) -> web.Response:
    """Check name, password and the token that ties the form to the browser; then set the cookie and go on."""
    form = await request.post()
    target = str(form.get("next", ""))
    if form.get("token") != request.cookies.get("demo_token"):
        return _login_form(target, error="The form has expired. Please try again.", status=403)
    if (form.get("username"), form.get("password")) != (USER_NAME, PASSWORD):
        return _login_form(target, error="Wrong user name or password.", status=401)
    local = target.startswith("/") and not target.startswith("//")
    response = web.Response(status=303, headers={"Location": target if local else "/dynamic/account"})
    response.set_cookie(COOKIE, request.app[STATE].open_session(), path="/dynamic/", httponly=True)
    return response


async def sign_out(request: web.Request) -> web.Response:
    request.app[STATE].close_session(request.cookies.get(COOKIE, ""))
    response = web.Response(status=303, headers={"Location": "/dynamic/login"})
    response.del_cookie(COOKIE, path="/dynamic/")
    return response


def _to_login(request: web.Request) -> web.Response:
    return web.Response(status=302, headers={"Location": f"/dynamic/login?next={request.path_qs}"})


def _page(title: str, about: str, body: Markup) -> web.Response:
    signed_in = fill(_SIGNED_IN, user=USER_NAME)
    return web.Response(text=dynamic_page(title, about, Markup(signed_in + body)), content_type="text/html")


async def show_account(request: web.Request) -> web.Response:
    if not is_signed_in(request):
        return _to_login(request)
    return _page("Your account", "Only for people who signed in.", Markup())


async def show_orders(request: web.Request) -> web.Response:
    if not is_signed_in(request):
        return _to_login(request)
    page = cut_page(data.orders(), request.query.get("page"), data.ORDERS_PER_PAGE)
    if page is None:
        raise web.HTTPNotFound
    shown = [_order_card(order) for order in page.items]
    body = fill('<ul class="items">\n{shown}</ul>\n{links}', shown=shown, links=page_links(ORDERS, page))
    return _page("Your orders", "Thirty orders on three pages.", body)


async def show_order(request: web.Request) -> web.Response:
    if not is_signed_in(request):
        return _to_login(request)
    number = request.match_info["number"]
    order = next((order for order in data.orders() if str(order.number) == number), None)
    if order is None:
        raise web.HTTPNotFound
    return _page(
        f"Order {number}", order.product.name, fill('<ul class="items">\n{card}</ul>\n', card=_order_card(order))
    )


def order_total(order: data.Order) -> str:
    return format_price(order.total, PriceStyle.BRITISH)


def order_day(order: data.Order) -> str:
    return format_date(order.ordered, DateStyle.BRITISH)


def _order_card(order: data.Order) -> Markup:
    return fill(
        _ORDER,
        total=order_total(order),
        path=f"{ORDERS}/{order.number}",
        number=order.number,
        ordered=order_day(order),
        what=order.product.name,
    )


async def show_captcha(request: web.Request) -> web.Response:
    """403 and a question until a person has answered it once."""
    if request.cookies.get(CAPTCHA_COOKIE) == CAPTCHA_ANSWER:
        page = dynamic_page("Behind the captcha", "You are a person.", Markup('<p id="secret">Welcome.</p>\n'))
        return web.Response(text=page, content_type="text/html")
    page = dynamic_page("Are you human?", "Something about you looks automatic.", Markup(_CAPTCHA))
    return web.Response(text=page, content_type="text/html", status=403)


async def answer_captcha(request: web.Request) -> web.Response:
    answer = str((await request.post()).get("answer", "")).strip().lower()
    response = web.Response(status=303, headers={"Location": "/dynamic/captcha"})
    if answer == CAPTCHA_ANSWER:
        response.set_cookie(CAPTCHA_COOKIE, answer, path="/dynamic/")
    return response


def add_account(app: web.Application) -> None:
    """Serve the login, what is behind it, and the captcha."""
    app.router.add_get("/dynamic/login", show_login)
    app.router.add_post("/dynamic/login", sign_in)
    app.router.add_post("/dynamic/logout", sign_out)
    app.router.add_get("/dynamic/account", show_account)
    app.router.add_get(ORDERS, show_orders)
    app.router.add_get(ORDERS + r"/{number:\d+}", show_order)
    app.router.add_get("/dynamic/captcha", show_captcha)
    app.router.add_post("/dynamic/captcha", answer_captcha)
