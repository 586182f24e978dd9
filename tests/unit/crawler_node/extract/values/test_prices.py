"""Prices are read in all the usual formats."""

from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from crawler_node.extract.values.locales import parse_locale
from crawler_node.extract.values.prices import parse_price, search_price

AMOUNTS = st.from_regex(r"[0-9]{1,5}([.,][0-9]{1,3}){0,3}", fullmatch=True)
SIGNS = st.sampled_from(["$", "€", "£", "¥", "₹", "R$", "zł", "EUR", ""])


@pytest.mark.parametrize(
    ("text", "locale", "amount", "currency"),
    [
        ("€ 1.299,–", "", "1299", "EUR"),
        ("1.299,00 €", "", "1299", "EUR"),
        ("1'299.00 CHF", "", "1299", "CHF"),
        ("CHF 12.–", "", "12", "CHF"),
        ("Fr. 5.-", "", "5", "CHF"),
        ("¥1,200", "", "1200", "JPY"),
        ("¥20", "zh-CN", "20", "CNY"),
        ("￥ 300", "ja", "300", "JPY"),
        ("1,200円", "", "1200", "JPY"),
        ("$1,299.00", "", "1299", "USD"),
        ("$ 1,299.00 USD", "", "1299", "USD"),
        ("$20 CAD", "", "20", "CAD"),
        ("$20", "en-CA", "20", "CAD"),
        ("A$20.50", "", "20.5", "AUD"),
        ("US$ 5", "", "5", "USD"),
        ("US $5.99", "", "5.99", "USD"),
        ("$.99", "", "0.99", "USD"),
        ("£20", "", "20", "GBP"),
        ("EUR12.50", "", "12.5", "EUR"),
        ("12.50EUR", "", "12.5", "EUR"),
        ("EUR 5 000", "", "5000", "EUR"),
        ("12€50", "fr", "12.5", "EUR"),
        ("12,50 euros", "fr", "12.5", "EUR"),
        ("1 299,00 kr", "sv", "1299", "SEK"),
        ("kr. 99,95", "da", "99.95", "DKK"),
        ("20 kr", "", "20", ""),
        ("12,50 zł", "", "12.5", "PLN"),
        ("1 999 Kč", "", "1999", "CZK"),
        ("Rs. 1,23,456.50", "", "123456.5", "INR"),
        ("₹ 999", "", "999", "INR"),
        ("R$ 1.234,56", "", "1234.56", "BRL"),
        ("20.000 ₫", "", "20000", "VND"),
        ("1.234.567,89 EUR", "", "1234567.89", "EUR"),
        ("KWD 1.250", "", "1.25", "KWD"),
        ("1.250", "", "1250", ""),
        ("1299", "", "1299", ""),
        ("Price: $449.95", "", "449.95", "USD"),
        ("2 x € 15.00", "", "15", "EUR"),
        ("Pack of 3: $4.99", "", "4.99", "USD"),
        ("Save 20% now 15 EUR", "", "15", "EUR"),
        ("-5 €", "", "-5", "EUR"),
        ("٣٫٥ €", "", "3.5", "EUR"),
    ],
)
def test_reads_prices(text, locale, amount, currency):
    price = parse_price(text, parse_locale(locale))
    assert (price.amount, price.currency, price.notice) == (Decimal(amount), currency, "")


@pytest.mark.parametrize(
    ("text", "amount", "currency", "notice"),
    [
        ("$5 - $10", "5", "USD", "range"),
        ("€5–€10", "5", "EUR", "range"),
        ("10–20 €", "10", "EUR", "range"),
        ("10-20 €", "10", "EUR", "range"),
        ("from 5 to 10 EUR", "5", "EUR", "range"),
        ("1.299,00 € bis 1.499,00 €", "1299", "EUR", "range"),
        ("was £20 now £15", "20", "GBP", "several"),
        ("$1,299 (save $200)", "1299", "USD", "several"),
    ],
)
def test_of_several_amounts_the_first_is_taken_and_noted(text, amount, currency, notice):
    price = parse_price(text, parse_locale(""))
    assert (price.amount, price.currency, notice in price.notice) == (Decimal(amount), currency, True)


@pytest.mark.parametrize("text", ["", "free", "call us", "€", "$1.2.3"])
def test_no_amount_no_price(text):
    assert parse_price(text, parse_locale("")) is None


@given(SIGNS, st.sampled_from(["", " ", "  "]), AMOUNTS, SIGNS, st.sampled_from(["", "en-CA", "de", "zh"]))
@example("$", "", "1,299.00", "", "")
@example("", " ", "1.299,00", "€", "de")
@example("", "", "000.10", "£", "")
def test_a_plain_price_is_read_as_any_other(before, space, amount, after, locale):
    text = f"{before}{space if before else ''}{amount}{space if after else ''}{after}"
    assert parse_price(text, parse_locale(locale)) == search_price(text, parse_locale(locale))
