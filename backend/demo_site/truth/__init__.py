"""The exact documents that a perfect crawl of the site yields, so that tests can compare every value."""

from backend.demo_site.truth.changing import (
    CHANGING_RULES,
    changed_pages,
    changing_documents,
    changing_pages,
    gone_pages,
)
from backend.demo_site.truth.dynamic import DYNAMIC_KINDS, LOGIN_ACTIONS
from backend.demo_site.truth.expected import DocumentKind, ExpectedDocument, ExpectedField, FieldRule, FieldType
from backend.demo_site.truth.hostile import (
    HOSTILE_BROKEN,
    HOSTILE_CHARSETS,
    HOSTILE_EVENTS,
    HOSTILE_KINDS,
    HOSTILE_TOO_DEEP,
    session_pages,
)
from backend.demo_site.truth.magazine import MAGAZINE_ARTICLES, magazine_pages
from backend.demo_site.truth.second_shop import SECOND_SHOP_ARTICLES, SECOND_SHOP_ROWS, second_shop_pages
from backend.demo_site.truth.shop import SHOP_CARDS, SHOP_PRODUCTS, SHOP_REVIEWS, shop_pages
from backend.demo_site.truth.throughput import THROUGHPUT_RULES, throughput_document, throughput_path

KINDS: dict[str, DocumentKind] = {
    kind.name: kind
    for kind in (
        SHOP_PRODUCTS,
        SHOP_CARDS,
        SHOP_REVIEWS,
        SECOND_SHOP_ARTICLES,
        SECOND_SHOP_ROWS,
        MAGAZINE_ARTICLES,
        *DYNAMIC_KINDS,
        *HOSTILE_KINDS,
    )
}

__all__ = [
    "CHANGING_RULES",
    "DYNAMIC_KINDS",
    "HOSTILE_BROKEN",
    "HOSTILE_CHARSETS",
    "HOSTILE_EVENTS",
    "HOSTILE_KINDS",
    "HOSTILE_TOO_DEEP",
    "KINDS",
    "LOGIN_ACTIONS",
    "MAGAZINE_ARTICLES",
    "SECOND_SHOP_ARTICLES",
    "SECOND_SHOP_ROWS",
    "SHOP_CARDS",
    "SHOP_PRODUCTS",
    "SHOP_REVIEWS",
    "THROUGHPUT_RULES",
    "DocumentKind",
    "ExpectedDocument",
    "ExpectedField",
    "FieldRule",
    "FieldType",
    "changed_pages",
    "changing_documents",
    "changing_pages",
    "gone_pages",
    "magazine_pages",
    "second_shop_pages",
    "session_pages",
    "shop_pages",
    "throughput_document",
    "throughput_path",
]
