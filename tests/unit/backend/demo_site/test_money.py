from decimal import Decimal

import pytest

from backend.demo_site.money import PriceStyle, currency_of, format_price


@pytest.mark.parametrize("style", PriceStyle)
def test_each_style_writes_its_own_example(style: PriceStyle):
    assert " ".join(format_price(Decimal(1299), style).split()) == style.value


def test_uses_the_no_break_spaces_of_real_shops():
    assert format_price(Decimal("1299.5"), PriceStyle.GERMAN) == "1.299,50\u00a0€"
    assert format_price(Decimal("1299.5"), PriceStyle.FRENCH) == "1\u202f299,50\u00a0€"


def test_the_dutch_dash_stands_for_whole_amounts_only():
    assert format_price(Decimal("12.95"), PriceStyle.DUTCH) == "€ 12,95"


def test_knows_the_currency_of_a_style():
    assert [currency_of(style) for style in (PriceStyle.AMERICAN, PriceStyle.SWISS, PriceStyle.DUTCH)] == [
        "USD",
        "CHF",
        "EUR",
    ]
