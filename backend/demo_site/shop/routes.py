"""Which handler answers which address of the shop."""

from aiohttp import web

from backend.demo_site.catalogue.categories import CATEGORIES
from backend.demo_site.catalogue.names import slugify
from backend.demo_site.catalogue.products import FIRST_NUMBER, Product, all_products, products_by_slug
from backend.demo_site.paging import cut_page
from backend.demo_site.responses import cached_file, cached_html, not_found
from backend.demo_site.shop import detail, information, listing
from backend.demo_site.shop.images import product_picture

_CATEGORIES = {category.slug: category for category in CATEGORIES}


async def show_home(request: web.Request) -> web.Response:
    return cached_html(request, listing.home_page)


async def show_all_products(request: web.Request) -> web.Response:
    page = cut_page(all_products(), request.query.get("page"), listing.PRODUCTS_PER_PAGE)
    if page is None:
        return not_found("The catalogue has no such page.")
    return cached_html(request, lambda: listing.all_products_page(page))


async def show_category(request: web.Request) -> web.Response:
    category = _CATEGORIES.get(request.match_info["slug"])
    shelf = [product for product in all_products() if product.category is category]
    page = cut_page(shelf, request.query.get("page"), listing.PRODUCTS_PER_PAGE)
    if category is None or page is None:
        return not_found("There is no such category page.")
    return cached_html(request, lambda: listing.category_page(category, page))


async def show_brand(request: web.Request) -> web.Response:
    slug = request.match_info["slug"]
    products = [product for product in all_products() if slugify(product.brand) == slug]
    if not products:
        return not_found("We do not sell this brand.")
    return cached_html(request, lambda: listing.brand_page(products[0].brand, products))


def _product_of(request: web.Request) -> Product | None:
    return products_by_slug().get(request.match_info["slug"])


async def show_product(request: web.Request) -> web.Response:
    product = _product_of(request)
    if product is None:
        return not_found("We do not sell this product.")
    return cached_html(request, lambda: detail.product_page(product))


async def show_reviews(request: web.Request) -> web.Response:
    product = _product_of(request)
    if product is None or not product.reviews:
        return not_found("There are no reviews of this product.")
    page = cut_page(product.reviews, request.query.get("page"), detail.REVIEWS_PER_PAGE)
    if page is None:
        return not_found("There is no such page of reviews.")
    return cached_html(request, lambda: detail.reviews_page(product, page))


async def show_picture(request: web.Request) -> web.Response:
    place = int(request.match_info["number"]) - FIRST_NUMBER
    if not 0 <= place < len(all_products()):
        return not_found("There is no such picture.")
    return cached_file(request, lambda: product_picture(all_products()[place]), "image/svg+xml")


async def show_search(request: web.Request) -> web.Response:
    query = request.query.get("q", "")
    return cached_html(request, lambda: listing.search_page(query, listing.find_products(query)))


async def show_information(request: web.Request) -> web.Response:
    return cached_html(request, information.PAGES[request.path])


def add_shop(app: web.Application) -> None:
    """Serve the shop under `/shop/`."""
    app.router.add_get("/shop/", show_home)
    app.router.add_get("/shop/products", show_all_products)
    app.router.add_get("/shop/c/{slug}", show_category)
    app.router.add_get("/shop/b/{slug}", show_brand)
    app.router.add_get("/shop/p/{slug}", show_product)
    app.router.add_get("/shop/p/{slug}/reviews", show_reviews)
    app.router.add_get(r"/shop/img/{number:\d+}.svg", show_picture)
    app.router.add_get("/shop/search", show_search)
    for path in information.PAGES:
        app.router.add_get(path, show_information)
