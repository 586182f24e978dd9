"""Twenty things whose prices change at different rates; some go, some come. The knob `version` is the clock."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from email.utils import format_datetime

from backend.demo_site.catalogue.products import all_products
from backend.demo_site.markup import Markup, fill
from backend.demo_site.money import PriceStyle, format_price

THING_COUNT = 20
LATE_COUNT = 4
BASE = "/changing/"
_FIRST_DAY = datetime(2025, 1, 1, tzinfo=UTC)
_PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>{title}</title></head>
<body>
<h1 class="name">{title}</h1>
{body}</body>
</html>
"""
_THING = """<p class="price">{price}</p>
<p class="stock">{stock}</p>
<p><a href="/changing/">All things</a></p>
"""


@dataclass(frozen=True, slots=True)
class Thing:
    """One changing page. Its content is new in every `period`-th version; it may appear late and end early."""

    number: int

    @property
    def path(self) -> str:
        return f"{BASE}thing/{self.number}"

    @property
    def name(self) -> str:
        return all_products()[self.number * 13].name

    @property
    def period(self) -> int:
        """How many versions pass between changes: 1, 2, 4, 8 or never (0)."""
        return (1, 2, 4, 8, 0)[self.number % 5]

    @property
    def first_version(self) -> int:
        """The last few things come with the third version."""
        return 3 if self.number > THING_COUNT - LATE_COUNT else 1

    @property
    def last_version(self) -> int | None:
        """Every sixth thing is gone (410) after its fourth version."""
        return 4 if self.number % 6 == 0 else None

    def exists_in(self, version: int) -> bool:
        return self.first_version <= version and (self.last_version is None or version <= self.last_version)

    def edition(self, version: int) -> int:
        """How often it has changed until this version."""
        return version // self.period if self.period else 0

    def last_change(self, version: int) -> datetime:
        """The day of the version in which it became what it is."""
        changed_in = self.edition(version) * self.period
        return _FIRST_DAY + timedelta(days=changed_in)

    def amount(self, version: int) -> Decimal:
        return all_products()[self.number * 13].amount + self.edition(version) * Decimal("2.50")

    def price_text(self, version: int) -> str:
        return format_price(self.amount(version), PriceStyle.AMERICAN)

    def stock_text(self, version: int) -> str:
        return f"{3 + self.edition(version) % 7} left"


THINGS = tuple(Thing(number) for number in range(1, THING_COUNT + 1))


def list_page(version: int) -> Markup:
    """Links to what there is in this version."""
    items = [
        fill('<li><a href="{path}">{name}</a></li>\n', path=thing.path, name=thing.name)
        for thing in THINGS
        if thing.exists_in(version)
    ]
    return fill(_PAGE, title=f"Version {version}", body=fill("<ul>\n{items}</ul>\n", items=items))


def thing_page(thing: Thing, version: int) -> Markup:
    """One thing as it is in this version."""
    body = fill(_THING, price=thing.price_text(version), stock=thing.stock_text(version))
    return fill(_PAGE, title=thing.name, body=body)


def last_modified(thing: Thing, version: int) -> str:
    return format_datetime(thing.last_change(version), usegmt=True)
