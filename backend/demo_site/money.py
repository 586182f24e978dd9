"""Amounts of money, and the ways in which shops write them."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

NARROW_NO_BREAK_SPACE = "\u202f"
NO_BREAK_SPACE = "\u00a0"


@dataclass(frozen=True, slots=True)
class Money:
    """An amount in a currency: what a reader understands when looking at a price."""

    amount: Decimal
    currency: str


class PriceStyle(StrEnum):
    """How a shop writes its prices. The value names the example 1299 in that style."""

    AMERICAN = "$1,299.00"
    BRITISH = "£1,299.00"
    GERMAN = "1.299,00 €"
    DUTCH = "€ 1.299,–"
    AUSTRIAN = "€ 1.299,00"
    FRENCH = "1 299,00 €"
    SWISS = "CHF 1’299.00"
    PLAIN = "1299.00 EUR"


CURRENCIES = {
    PriceStyle.AMERICAN: "USD",
    PriceStyle.BRITISH: "GBP",
    PriceStyle.SWISS: "CHF",
}


def currency_of(style: PriceStyle) -> str:
    """The ISO code of the currency a style is written in."""
    return CURRENCIES.get(style, "EUR")


def _digits(amount: Decimal, thousands: str, point: str) -> str:
    whole, cents = f"{amount:,.2f}".split(".")
    return whole.replace(",", thousands) + point + cents


def _dutch(amount: Decimal) -> str:
    digits = _digits(amount, ".", ",")
    return f"€ {digits[:-2]}–" if digits.endswith(",00") else f"€ {digits}"


def format_price(amount: Decimal, style: PriceStyle) -> str:
    """The amount as a shop of this style prints it, with the no-break spaces such shops use."""
    match style:
        case PriceStyle.AMERICAN:
            return "$" + _digits(amount, ",", ".")
        case PriceStyle.BRITISH:
            return "£" + _digits(amount, ",", ".")
        case PriceStyle.GERMAN:
            return _digits(amount, ".", ",") + NO_BREAK_SPACE + "€"
        case PriceStyle.DUTCH:
            return _dutch(amount)
        case PriceStyle.AUSTRIAN:
            return "€" + NO_BREAK_SPACE + _digits(amount, ".", ",")
        case PriceStyle.FRENCH:
            return _digits(amount, NARROW_NO_BREAK_SPACE, ",") + NO_BREAK_SPACE + "€"
        case PriceStyle.SWISS:
            return "CHF " + _digits(amount, "’", ".")
        case PriceStyle.PLAIN:
            return f"{amount:.2f} EUR"
