"""The frame around every dynamic page."""

from collections.abc import Sequence

from backend.demo_site.catalogue.products import Product
from backend.demo_site.dynamic.data import item_path
from backend.demo_site.markup import Markup, fill

_PAGE = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/assets/dynamic.css">
{scripts}</head>
<body>
<header>Things that move</header>
<main>
<h1>{title}</h1>
<p class="about">{about}</p>
{body}</main>
</body>
</html>
"""
_CARD = """<li class="item"{data}>{image}{price}<a class="name" href="{path}">{name}</a>
<span class="brand">{brand}</span></li>
"""
ITEMS = Markup('<ul class="items" id="items"></ul>\n')
LOADING = Markup('<p class="centre" id="state">Loading…</p>\n')


def dynamic_page(title: str, about: str, body: Markup, *, script: str = "", language: str = "en") -> Markup:
    """A whole page that runs `dynamic-SCRIPT.js`."""
    names = ("dynamic", f"dynamic-{script}") if script else ()
    scripts = [fill('<script src="/assets/{name}.js" defer></script>\n', name=name) for name in names]
    return fill(_PAGE, title=title, about=about, body=body, scripts=scripts, language=language)


def card(
    product: Product, *, with_price: bool = True, image: Markup | None = None, data: Markup | None = None
) -> Markup:
    """The same card that `itemCard` in dynamic.js makes, for what the server sends ready."""
    price = fill('<span class="price">{price}</span>', price=product.price_text) if with_price else None
    return fill(
        _CARD, price=price, path=item_path(product), name=product.name, brand=product.brand, image=image, data=data
    )


def cards(products: Sequence[Product]) -> Markup:
    """A list of cards."""
    return fill('<ul class="items">\n{cards}</ul>\n', cards=[card(product) for product in products])
