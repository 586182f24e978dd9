"""The exact documents that a perfect crawl of the site yields, so that tests can compare every value."""

from backend.demo_site.truth.expected import DocumentKind, ExpectedDocument, ExpectedField, FieldRule, FieldType
from backend.demo_site.truth.magazine import MAGAZINE_ARTICLES, magazine_pages
from backend.demo_site.truth.second_shop import SECOND_SHOP_ARTICLES, SECOND_SHOP_ROWS, second_shop_pages
from backend.demo_site.truth.shop import SHOP_CARDS, SHOP_PRODUCTS, SHOP_REVIEWS, shop_pages

KINDS: dict[str, DocumentKind] = {
    kind.name: kind
    for kind in (
        SHOP_PRODUCTS,
        SHOP_CARDS,
        SHOP_REVIEWS,
        SECOND_SHOP_ARTICLES,
        SECOND_SHOP_ROWS,
        MAGAZINE_ARTICLES,
    )
}

__all__ = [
    "KINDS",
    "MAGAZINE_ARTICLES",
    "SECOND_SHOP_ARTICLES",
    "SECOND_SHOP_ROWS",
    "SHOP_CARDS",
    "SHOP_PRODUCTS",
    "SHOP_REVIEWS",
    "DocumentKind",
    "ExpectedDocument",
    "ExpectedField",
    "FieldRule",
    "FieldType",
    "magazine_pages",
    "second_shop_pages",
    "shop_pages",
]
