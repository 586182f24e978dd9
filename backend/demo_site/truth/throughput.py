"""The exact documents of the throughput pages."""

from decimal import Decimal

from backend.demo_site.money import Money
from backend.demo_site.throughput.pages import PREFIX, item_fields
from backend.demo_site.truth.expected import ExpectedDocument, FieldRule, FieldType, number, price, text

_ARTICLE = "//article[@class='product']"
THROUGHPUT_RULES = {
    "name": FieldRule(f"{_ARTICLE}/h1"),
    "brand": FieldRule(f"{_ARTICLE}/p[@class='brand']"),
    "price": FieldRule(f"{_ARTICLE}/p[@class='price']", FieldType.PRICE),
    "sku": FieldRule("//dd[@class='sku']"),
    "rating": FieldRule("//dd[@class='rating']", FieldType.NUMBER),
    "stock": FieldRule("//dd[@class='stock']"),
}


def throughput_path(place: int) -> str:
    """The address of page number `place`, counted from 0."""
    return f"{PREFIX}{place}"


def throughput_document(place: int) -> ExpectedDocument:
    """What page number `place` shows."""
    fields = item_fields(place)
    amount = Decimal(fields["price"].removeprefix("$").replace(",", ""))
    return ExpectedDocument(
        throughput_path(place),
        {
            **{name: text(fields[name]) for name in ("name", "brand", "sku", "stock")},
            "price": price(fields["price"], Money(amount, "USD")),
            "rating": number(fields["rating"], Decimal(fields["rating"])),
        },
    )
