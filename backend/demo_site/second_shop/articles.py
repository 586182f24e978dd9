"""What the second shop sells: 200 products of the first shop at prices of its own, and 100 that only it has."""

from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from backend.demo_site.catalogue.names import seeded
from backend.demo_site.catalogue.products import Product, all_products, make_edition
from backend.demo_site.dates import DateStyle, format_date
from backend.demo_site.money import NO_BREAK_SPACE, Money, PriceStyle, format_price
from backend.demo_site.second_shop.translation import NOUNS, german_decimal, translate_variant

SHARED_PRODUCTS = 200
OWN_PER_CATEGORY = 10
FIRST_OWN_NUMBER = 5001


@dataclass(frozen=True, slots=True)
class Article:
    """A product as the second shop offers it."""

    product: Product
    amount: Decimal
    recommended: Decimal | None
    stock: int

    @property
    def number(self) -> int:
        return self.product.number

    @property
    def name(self) -> str:
        """The same thing in other words: kind first, no series, variant last."""
        product = self.product
        return f"{NOUNS[product.category.noun]} {product.brand} {product.model}, {translate_variant(product.variant)}"

    @property
    def price(self) -> Money:
        return Money(self.amount, "EUR")

    @property
    def price_text(self) -> str:
        """Mostly `1.299,00 €`; some articles have a hyphen for the cents, some the code of the currency in front."""
        german = format_price(self.amount, PriceStyle.GERMAN)
        if self.number % 3 == 0 and ",00" in german:
            return german.replace(",00", ",-")
        return f"EUR {german.removesuffix(NO_BREAK_SPACE + '€')}" if self.number % 5 == 0 else german

    @property
    def recommended_text(self) -> str | None:
        return None if self.recommended is None else format_price(self.recommended, PriceStyle.GERMAN)

    @property
    def rating_text(self) -> str | None:
        return None if self.product.rating is None else german_decimal(self.product.rating)

    @property
    def released_text(self) -> str:
        return format_date(self.product.released, DateStyle.GERMAN)

    @property
    def availability(self) -> str:
        if self.stock == 0:
            return "Ausverkauft"
        return f"Noch {self.stock} Stück" if self.stock < 5 else "Sofort lieferbar"


@cache
def all_articles() -> tuple[Article, ...]:
    """Every article, by number: the shared ones first."""
    shared = seeded("second shop").sample(all_products(), SHARED_PRODUCTS)
    own = make_edition("second shop", first_number=FIRST_OWN_NUMBER, per_category=OWN_PER_CATEGORY)
    return tuple(_offer(product) for product in sorted(shared, key=lambda product: product.number) + list(own))


@cache
def articles_by_number() -> dict[int, Article]:
    return {article.number: article for article in all_articles()}


def _offer(product: Product) -> Article:
    random = seeded(f"second shop {product.number}")
    amount = (product.amount * random.randint(86, 108) / 100).quantize(Decimal(1))
    cents = random.choice((Decimal("0.00"), Decimal("0.00"), Decimal("0.49"), Decimal("0.95")))
    recommended = (amount * Decimal("1.2")).quantize(Decimal(1)) if random.random() < 0.4 else None
    return Article(product, amount + cents, recommended, random.choice((0, 1, 3, 8, 25, 90)))
