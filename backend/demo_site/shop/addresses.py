"""Where things live in the shop."""

from backend.demo_site.catalogue.names import slugify
from backend.demo_site.catalogue.products import Product

HOME = "/shop/"
ALL_PRODUCTS = "/shop/products"


def product_path(product: Product) -> str:
    return f"/shop/p/{product.slug}"


def reviews_path(product: Product) -> str:
    return f"/shop/p/{product.slug}/reviews"


def image_path(product: Product) -> str:
    return f"/shop/img/{product.number}.svg"


def category_path(slug: str) -> str:
    return f"/shop/c/{slug}"


def brand_path(brand: str) -> str:
    return f"/shop/b/{slugify(brand)}"
