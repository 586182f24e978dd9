"""Pages that list products: home, all products, categories, brands, search results."""

from collections.abc import Sequence

from backend.demo_site.catalogue.categories import CATEGORIES, Category
from backend.demo_site.catalogue.products import Product, all_products
from backend.demo_site.markup import Markup, fill
from backend.demo_site.paging import Paged, page_links, page_path
from backend.demo_site.shop.addresses import ALL_PRODUCTS, HOME, brand_path, category_path, image_path, product_path
from backend.demo_site.shop.layout import breadcrumbs, shop_page, stars

PRODUCTS_PER_PAGE = 20
FEATURED = 8

_CARD = """<li class="card">
<a class="picture" href="{path}"><img src="{image}" alt="{name}" width="240" height="180"></a>
<p class="maker">{brand}</p>
<h3><a href="{path}">{name}</a></h3>
{rating}<p class="price"><strong>{price}</strong>{old_price}</p>
<p class="stock {stock_class}">{availability}</p>
</li>
"""
_RATING = '<p class="rating">{stars} <span class="score">{rating}</span> <span class="count">({count})</span></p>\n'
_HERO = """<section class="hero">
<div><h1>Things with a plug, from people you can ask</h1>
<p>500 products in ten categories from eight sellers. Every price is written the way its seller writes it at home.</p>
<p><a class="button" href="/shop/products">See everything</a>
<a class="button quiet" href="/shop/c/ssd">Start with SSDs</a></p></div>
<img src="{image}" alt="" width="480" height="360">
</section>
"""
_TILE = '<li><a href="{path}"><img src="{image}" alt="" width="96" height="72"><span>{title}</span></a></li>\n'


def product_card(product: Product) -> Markup:
    """One product in a list. Rating and old price are missing where the product has none."""
    rating = None
    if product.rating is not None:
        rating = fill(_RATING, stars=stars(product.rating), rating=product.rating, count=len(product.reviews))
    old_price = fill(" <del>{text}</del>", text=product.old_price_text) if product.old_price_text else None
    return fill(
        _CARD,
        path=product_path(product),
        image=image_path(product),
        name=product.name,
        brand=product.brand,
        rating=rating,
        price=product.price_text,
        old_price=old_price,
        stock_class="out" if product.stock == 0 else "low" if product.stock < 5 else "in",
        availability=product.availability,
    )


def product_grid(products: Sequence[Product]) -> Markup:
    """Cards side by side."""
    return fill('<ul class="grid">\n{cards}</ul>\n', cards=[product_card(product) for product in products])


def featured_products() -> list[Product]:
    """One well rated product of each of the first categories."""
    best: dict[str, Product] = {}
    for product in sorted(all_products(), key=lambda product: (-(product.rating or 0), product.number)):
        best.setdefault(product.category.slug, product)
    return [best[category.slug] for category in CATEGORIES][:FEATURED]


def home_page() -> Markup:
    """Hero, categories, featured products."""
    first = {product.category.slug: product for product in reversed(all_products())}
    tiles = [
        fill(_TILE, path=category_path(each.slug), image=image_path(first[each.slug]), title=each.title)
        for each in CATEGORIES
    ]
    body = fill(
        '{hero}<h2>Categories</h2>\n<ul class="tiles">\n{tiles}</ul>\n<h2>Well liked</h2>\n{grid}',
        hero=fill(_HERO, image=image_path(first["cameras"])),
        tiles=tiles,
        grid=product_grid(featured_products()),
    )
    return shop_page("Things with a plug", body, path=HOME)


def all_products_page(page: Paged[Product]) -> Markup:
    """The whole catalogue, page by page."""
    return _list_page("All products", "Everything we have, by number.", ALL_PRODUCTS, page)


def category_page(category: Category, page: Paged[Product]) -> Markup:
    """One shelf, page by page."""
    return _list_page(category.title, category.intro, category_path(category.slug), page)


def brand_page(brand: str, products: Sequence[Product]) -> Markup:
    """Everything of one brand on one page."""
    return _list_page(brand, f"{len(products)} products by {brand}.", brand_path(brand), Paged(products, 1, 1))


def search_page(query: str, products: Sequence[Product]) -> Markup:
    """What the shop's own search finds."""
    title = f"Results for “{query}”"
    return _list_page(title, f"{len(products)} products.", "/shop/search", Paged(products, 1, 1))


def find_products(query: str) -> list[Product]:
    """Products whose name holds every word of the query, at most 60."""
    words = query.lower().split()
    found = [product for product in all_products() if all(word in product.name.lower() for word in words)]
    return found[:60] if words else []


def _list_page(title: str, intro: str, path: str, page: Paged[Product]) -> Markup:
    numbered = title if page.number == 1 else f"{title}, page {page.number}"
    body = fill(
        '{crumbs}<h1>{title}</h1>\n<p class="intro">{intro}</p>\n{grid}{links}',
        crumbs=breadcrumbs(here=title),
        title=title,
        intro=intro,
        grid=product_grid(page.items),
        links=page_links(path, page),
    )
    return shop_page(numbered, body, path=page_path(path, page.number), description=intro)
