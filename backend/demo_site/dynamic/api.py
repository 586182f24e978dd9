"""The data that the scripts of the dynamic pages fetch."""

from collections.abc import Sequence

from aiohttp import web

from backend.demo_site.catalogue.products import FIRST_NUMBER, Product, all_products
from backend.demo_site.dynamic import data
from backend.demo_site.shop.addresses import image_path

MAX_COUNT = 60


def item_data(product: Product) -> dict[str, str]:
    """What a card shows."""
    return {
        "name": product.name,
        "brand": product.brand,
        "price": product.price_text,
        "path": data.item_path(product),
    }


def _items(products: Sequence[Product]) -> web.Response:
    return web.json_response({"items": [item_data(product) for product in products], "total": data.SCROLL_TOTAL})


def _number(request: web.Request, name: str) -> int:
    text = request.query.get(name, "")
    if not text.isdecimal():
        raise web.HTTPBadRequest(text=f"{name} must be a number.")
    return int(text)


async def show_items(request: web.Request) -> web.Response:
    """Some of the 300 things: `?from=40&count=20`."""
    start = _number(request, "from")
    return _items(data.scroll_products()[start : start + min(_number(request, "count"), MAX_COUNT)])


async def show_item(request: web.Request) -> web.Response:
    place = int(request.match_info["number"]) - FIRST_NUMBER
    if not 0 <= place < len(all_products()):
        raise web.HTTPNotFound
    product = all_products()[place]
    return web.json_response({**item_data(product), "image": image_path(product), "summary": product.summary})


async def show_tab(request: web.Request) -> web.Response:
    if request.match_info["name"] not in data.TABS:
        raise web.HTTPNotFound
    title, text = data.TABS[request.match_info["name"]]
    return web.json_response({"title": title, "text": text})


async def show_search(request: web.Request) -> web.Response:
    return _items(data.search_products(request.query.get("q", "")))


async def show_category(request: web.Request) -> web.Response:
    return _items(data.category_products(request.match_info["slug"]))


async def show_opinion(request: web.Request) -> web.Response:
    place = int(request.match_info["place"])
    if place >= len(data.opinions()):
        raise web.HTTPNotFound
    return web.json_response({"text": data.opinions()[place].text})


def add_api(app: web.Application) -> None:
    """Serve the data under `/dynamic/api/`."""
    app.router.add_get("/dynamic/api/items", show_items)
    app.router.add_get(r"/dynamic/api/item/{number:\d+}", show_item)
    app.router.add_get("/dynamic/api/tab/{name}", show_tab)
    app.router.add_get("/dynamic/api/search", show_search)
    app.router.add_get("/dynamic/api/category/{slug}", show_category)
    app.router.add_get(r"/dynamic/api/opinion/{place:\d+}", show_opinion)
