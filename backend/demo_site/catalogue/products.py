"""The 500 products of the shop."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from functools import cache
from itertools import count, cycle, islice
from random import Random

from backend.demo_site.catalogue.categories import CATEGORIES, Category
from backend.demo_site.catalogue.descriptions import describe, with_article
from backend.demo_site.catalogue.names import FAMILIAR_BRAND, invent_brands, seeded, slugify
from backend.demo_site.catalogue.reviews import Review, write_reviews
from backend.demo_site.money import Money, PriceStyle, currency_of, format_price

PRODUCTS_PER_CATEGORY = 50
BRANDS_PER_CATEGORY = 7
FAMILIAR_CATEGORIES = {"ssd", "phones", "monitors", "watches"}
FIRST_NUMBER = 1001


@dataclass(frozen=True, slots=True)
class Seller:
    """A dealer of the marketplace, who writes prices as is usual where the dealer lives."""

    name: str
    country: str
    style: PriceStyle


SELLERS: tuple[Seller, ...] = (
    Seller("Bits & Bolts", "United States", PriceStyle.AMERICAN),
    Seller("Elektro Hofer", "Germany", PriceStyle.GERMAN),
    Seller("De Stekker", "Netherlands", PriceStyle.DUTCH),
    Seller("Wired Lane", "United Kingdom", PriceStyle.BRITISH),
    Seller("Boutique Volta", "France", PriceStyle.FRENCH),
    Seller("Alpen Technik", "Austria", PriceStyle.AUSTRIAN),
    Seller("Uhrwerk Digital", "Switzerland", PriceStyle.SWISS),
    Seller("Baltic Parts", "Estonia", PriceStyle.PLAIN),
)


@dataclass(frozen=True, slots=True)
class Product:
    """One thing for sale, with everything the shops say about it."""

    number: int
    name: str
    brand: str
    model: str
    variant: str
    category: Category
    seller: Seller
    amount: Decimal
    old_amount: Decimal | None
    stock: int
    released: date
    specs: tuple[tuple[str, str], ...]
    summary: str
    description: tuple[str, ...]
    reviews: tuple[Review, ...]

    @property
    def sku(self) -> str:
        return f"OW-{self.number}"

    @property
    def gtin(self) -> str:
        """Thirteen digits, the last of them the checksum every scanner verifies."""
        digits = f"40{self.number * 7919:010d}"
        weighted = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(digits))
        return f"{digits}{-weighted % 10}"

    @property
    def slug(self) -> str:
        return f"{self.number}-{slugify(self.name)}"

    @property
    def price(self) -> Money:
        return Money(self.amount, currency_of(self.seller.style))

    @property
    def price_text(self) -> str:
        return format_price(self.amount, self.seller.style)

    @property
    def old_price_text(self) -> str | None:
        return None if self.old_amount is None else format_price(self.old_amount, self.seller.style)

    @property
    def rating(self) -> Decimal | None:
        """The mean of all stars with one decimal, None without reviews."""
        if not self.reviews:
            return None
        mean = Decimal(sum(review.stars for review in self.reviews)) / len(self.reviews)
        return mean.quantize(Decimal("0.1"))

    @property
    def availability(self) -> str:
        if self.stock == 0:
            return "Sold out"
        return f"Only {self.stock} left" if self.stock < 5 else "In stock"


@cache
def all_products() -> tuple[Product, ...]:
    """Every product, by number."""
    return make_edition("main", first_number=FIRST_NUMBER, per_category=PRODUCTS_PER_CATEGORY)


@cache
def products_by_slug() -> dict[str, Product]:
    """Every product, by the last part of its address."""
    return {product.slug: product for product in all_products()}


def make_edition(edition: str, *, first_number: int, per_category: int) -> tuple[Product, ...]:
    """Products of every category, numbered from `first_number`; another edition has other models of the same brands."""
    numbers = count(first_number)
    shelves = (islice(_make_category(category, edition, numbers), per_category) for category in CATEGORIES)
    return tuple(product for shelf in shelves for product in shelf)


def _category_brands(category: Category, random: Random) -> list[str]:
    chosen = random.sample(invent_brands()[1:], BRANDS_PER_CATEGORY)
    return [FAMILIAR_BRAND, *chosen] if category.slug in FAMILIAR_CATEGORIES else chosen


def _make_category(category: Category, edition: str, numbers: Iterator[int]) -> Iterator[Product]:
    random = seeded(f"{edition} {category.slug}")
    codes = _model_codes(random)
    for brand in cycle(_category_brands(category, random)):
        yield from _make_model(category, brand, next(codes), numbers)


def _model_codes(random: Random) -> Iterator[str]:
    """Model names such as `NX-450`, none twice."""
    letters = "ABCDEFGHKLMNPRSTVXZ"
    hundreds = random.sample(range(110, 990, 10), 60)
    return (f"{random.choice(letters)}{random.choice(letters)}-{number}" for number in hundreds)


def _make_model(category: Category, brand: str, model: str, numbers: Iterator[int]) -> Iterator[Product]:
    random = seeded(f"{category.slug} {model}")
    series = random.choice(category.series)
    specs = {label: category.spec(label, random) for label in category.specs}
    base = random.randint(*category.base_price)
    for variant, factor in category.variants.items():
        name = category.name_pattern.format(brand=brand, series=series, model=model, variant=variant)
        all_specs = ((category.variant_label, variant), *specs.items())
        yield _make_product(
            next(numbers), name, category=category, brand=brand, model=model, variant=variant, specs=all_specs,
            amount=base * factor,
        )  # fmt: skip


def _make_product(
    number: int,
    name: str,
    *,
    category: Category,
    brand: str,
    model: str,
    variant: str,
    specs: tuple[tuple[str, str], ...],
    amount: float,
) -> Product:
    random = seeded(name)
    price = _round_price(amount, random)
    praise = random.choice(category.praise)
    return Product(
        number=number,
        name=name,
        brand=brand,
        model=model,
        variant=variant,
        category=category,
        seller=random.choice(SELLERS),
        amount=price,
        old_amount=_round_price(amount * 1.25, random) if random.random() < 0.3 else None,
        stock=random.choice((0, 2, 4, 9, 17, 33, 60, 120)),
        released=date(2021, 1, 1) + timedelta(days=random.randint(0, 1700)),
        specs=specs,
        summary=f"{with_article(category.noun)} that {praise}.",
        description=describe(random, name=name, category=category, specs=specs, praise=praise),
        reviews=write_reviews(random, noun=category.noun, praise=praise),
    )


def _round_price(amount: float, random: Random) -> Decimal:
    """Shops like prices that end in 00, 90 or 99."""
    return Decimal(int(amount)) + random.choice((Decimal("0.00"), Decimal("0.90"), Decimal("0.99"), Decimal("0.00")))
