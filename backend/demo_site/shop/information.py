"""The shop's pages without products: about, delivery, basket."""

from backend.demo_site.markup import Markup, fill
from backend.demo_site.shop.layout import breadcrumbs, shop_page

_ABOUT = (
    "Orchard & Wire began as a stall between apples and extension cords.",
    "Today eight sellers from eight countries share one website. Each writes prices and dates as at home.",
    "Nothing here is real: the products are made by a seeded generator, so that crawls can be compared.",
)
_DELIVERY = (
    "Parcels leave on the day of the order when it comes in before noon.",
    "Delivery is free above 50 €. Below, it costs 4,90 €.",
    "You may send things back within 30 days, no questions asked.",
)
_BASKET = ("Your basket is empty.",)


def _information_page(title: str, paragraphs: tuple[str, ...], path: str) -> Markup:
    texts = [fill("<p>{text}</p>\n", text=text) for text in paragraphs]
    body = fill(
        '{crumbs}<h1>{title}</h1>\n<div class="prose">{texts}</div>\n',
        crumbs=breadcrumbs(here=title),
        title=title,
        texts=texts,
    )
    return shop_page(title, body, path=path, description=paragraphs[0])


PAGES = {
    "/shop/about": lambda: _information_page("About us", _ABOUT, "/shop/about"),
    "/shop/shipping": lambda: _information_page("Delivery and returns", _DELIVERY, "/shop/shipping"),
    "/shop/cart": lambda: _information_page("Basket", _BASKET, "/shop/cart"),
}
