"""What the dynamic pages show, once their scripts have run."""

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from functools import cache

from backend.demo_site.catalogue.categories import CATEGORIES
from backend.demo_site.catalogue.names import seeded
from backend.demo_site.catalogue.products import Product, all_products
from backend.demo_site.catalogue.reviews import Review

SCROLL_TOTAL = 300
LIST_COUNT = 60
MORE_COUNT = 120
COOKIES_SLICE = slice(100, 124)
WAIT_SLICE = slice(200, 212)
HOVER_SLICE = slice(240, 246)
LAZY_SLICE = slice(400, 424)
SHADOW_PLACES = (10, 20, 30, 40)
SHADOW_NESTED_PLACES = (50, 60, 70, 80)
DECLARATIVE_SLICE = slice(90, 94)
FRAME_SLICE = slice(300, 308)
SRCDOC_SLICE = slice(310, 314)
PARITY_SLICE = slice(20, 32)
OPINION_COUNT = 10
ORDER_COUNT = 30
ORDERS_PER_PAGE = 10
SHOWN_IN_CATEGORY = 12
PREVIEW_CHARACTERS = 40

TABS = {
    "description": ("Description", "A tent for two people who like each other, and a dog that does not snore."),
    "specifications": ("Specifications", "Weight 1.9 kg, packed size 42 × 14 cm, water column 4000 mm."),
    "delivery": ("Delivery", "Two working days, in a box without plastic, from a warehouse in Ghent."),
    "warranty": ("Warranty", "Five years on seams and poles; repairs are done by hand."),
}


def item_path(product: Product) -> str:
    return f"/dynamic/item/{product.number}"


def scroll_products() -> tuple[Product, ...]:
    """The 300 things of the list that has no visible end."""
    return all_products()[:SCROLL_TOTAL]


def category_products(slug: str) -> list[Product]:
    """What the page with the select box shows for a category."""
    return [product for product in all_products() if product.category.slug == slug][:SHOWN_IN_CATEGORY]


def search_products(query: str) -> list[Product]:
    """What the page with the search box shows: names with every word of the query, at most 20."""
    words = query.lower().split()
    found = [product for product in all_products() if all(word in product.name.lower() for word in words)]
    return found[:20] if words else []


@cache
def opinions() -> tuple[Review, ...]:
    """Ten opinions, of which the page shows only the beginning."""
    reviews = (product.reviews[0] for product in all_products() if len(product.reviews) > 5)
    return tuple(next(reviews) for _ in range(OPINION_COUNT))


@dataclass(frozen=True, slots=True)
class Order:
    """Something the demo user has bought: only visible after signing in."""

    number: int
    product: Product
    ordered: date
    total: Decimal


@cache
def orders() -> tuple[Order, ...]:
    """The orders of the demo user, the newest first."""
    random = seeded("orders")
    products = random.sample(all_products(), ORDER_COUNT)
    return tuple(
        Order(9_000 - place, product, date(2025, 10, 1) - timedelta(days=9 * place), product.amount + Decimal("4.90"))
        for place, product in enumerate(products)
    )


CATEGORY_SLUGS = tuple(category.slug for category in CATEGORIES)
