"""Which handler answers which address of the second shop."""

from aiohttp import web

from backend.demo_site.catalogue.categories import CATEGORIES
from backend.demo_site.paging import cut_page
from backend.demo_site.responses import cached_file, cached_html, not_found
from backend.demo_site.second_shop import pages
from backend.demo_site.second_shop.articles import Article, articles_by_number
from backend.demo_site.second_shop.images import article_picture

CHARSET = "windows-1252"


async def show_home(request: web.Request) -> web.Response:
    return cached_html(request, pages.home_page, charset=CHARSET)


async def show_list(request: web.Request) -> web.Response:
    number = request.query.get("kat", "")
    if not number.isdecimal() or not 1 <= int(number) <= len(CATEGORIES):
        return not_found("Diese Abteilung gibt es nicht.")
    category = CATEGORIES[int(number) - 1]
    page = cut_page(pages.articles_of(category), request.query.get("seite"), pages.ARTICLES_PER_PAGE)
    if page is None:
        return not_found("Diese Seite gibt es nicht.")
    return cached_html(request, lambda: pages.list_page(category, page), charset=CHARSET)


def _article(number: str) -> Article | None:
    return articles_by_number().get(int(number)) if number.isdecimal() else None


async def show_article(request: web.Request) -> web.Response:
    article = _article(request.query.get("id", ""))
    if article is None:
        return not_found("Diesen Artikel gibt es nicht.")
    return cached_html(request, lambda: pages.article_page(article), charset=CHARSET)


async def show_picture(request: web.Request) -> web.Response:
    article = _article(request.match_info["number"])
    if article is None:
        return not_found("Dieses Bild gibt es nicht.")
    return cached_file(request, lambda: article_picture(article), "image/png")


async def show_shipping(request: web.Request) -> web.Response:
    return cached_html(request, pages.shipping_page, charset=CHARSET)


async def show_basket(request: web.Request) -> web.Response:
    return cached_html(request, pages.basket_page, charset=CHARSET)


def add_second_shop(app: web.Application) -> None:
    """Serve the second shop under `/markt/`."""
    app.router.add_get("/markt/", show_home)
    app.router.add_get("/markt/liste.php", show_list)
    app.router.add_get("/markt/artikel.php", show_article)
    app.router.add_get(r"/markt/bilder/{number:\d+}.png", show_picture)
    app.router.add_get("/markt/versand.html", show_shipping)
    app.router.add_get("/markt/warenkorb.php", show_basket)
