"""The exact documents that a perfect crawl of the site yields, so that tests can compare every value."""

from backend.demo_site.truth.expected import DocumentKind, ExpectedDocument, ExpectedField, FieldRule, FieldType
from backend.demo_site.truth.shop import SHOP_CARDS, SHOP_PRODUCTS, SHOP_REVIEWS, shop_pages

KINDS: dict[str, DocumentKind] = {kind.name: kind for kind in (SHOP_PRODUCTS, SHOP_CARDS, SHOP_REVIEWS)}

__all__ = [
    "KINDS",
    "SHOP_CARDS",
    "SHOP_PRODUCTS",
    "SHOP_REVIEWS",
    "DocumentKind",
    "ExpectedDocument",
    "ExpectedField",
    "FieldRule",
    "FieldType",
    "shop_pages",
]
