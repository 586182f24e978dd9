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
        ("1.25E7", "", "12500000", ""),
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
        ("1,739 €", "de", "1.739", "EUR"),
        ("1,649 €/l", "fr", "1.649", "EUR"),
        ("2,499 zł/kg", "pl", "2.499", "PLN"),
        ("1,259 Kč", "cs", "1.259", "CZK"),
        ("1.739 €", "de", "1739", "EUR"),
        ("1,739 €", "", "1739", "EUR"),
        ("1,739 €", "en", "1739", "EUR"),
        ("1.739 €", "en", "1739", "EUR"),
        ("1.739,– €", "en", "1739", "EUR"),
        ("$1,299", "de", "1299", "USD"),
        ("$3.459/gal", "en", "3.459", "USD"),
        ("20,000 ₫", "vi", "20000", "VND"),
        ("Rp 20,000", "id", "20000", "IDR"),
        ("12,500 DT", "", "12.5", "TND"),
        ("12,500 DT", "ar", "12.5", "TND"),
        ("1.250 TND", "fr", "1.25", "TND"),
        ("KD 1.250", "", "1.25", "KWD"),
        ("BD 5.500", "", "5.5", "BHD"),
        ("JD 0.750", "", "0.75", "JOD"),
        ("BD 12,99 €", "", "12.99", "EUR"),
        ("3 BD $1,200", "", "1200", "USD"),
        ("AU $12.34", "", "12.34", "AUD"),
        ("NZ $1,299.00", "", "1299", "NZD"),
        ("C $1.00", "", "1", "CAD"),
        ("AUD $12", "", "12", "AUD"),
        ("R $ 10,00", "", "10", "BRL"),
        ("Vitamin C $12.00", "", "12", "USD"),
        ("A $20 voucher", "", "20", "USD"),
        ("iPhone 15 - $799", "", "799", "USD"),
        ("-$5.00", "", "-5", "USD"),
        ("Discount: −€5", "", "-5", "EUR"),
        ("Phone 4 -$5", "", "5", "USD"),
        ("99p", "", "0.99", "GBP"),
        ("5p each", "en-GB", "0.05", "GBP"),
        ("99p", "ru", "99", ""),
        ("720p", "", "720", ""),
        ("99¢", "", "0.99", "USD"),
        ("99 ¢", "fr-CA", "0.99", "CAD"),
        ("1万2000円", "ja", "12000", "JPY"),
        ("1万2,000円", "ja", "12000", "JPY"),
        ("3億5000万円", "ja", "350000000", "JPY"),
        ("2千万円", "ja", "20000000", "JPY"),
        ("1.5万元", "zh", "15000", "CNY"),
        ("$1.5 million", "", "1500000", "USD"),
        ("$1.299 billion", "en", "1299000000", "USD"),
        ("1,5 Mio. €", "de", "1500000", "EUR"),
        ("1.299 Mio. EUR", "de", "1299000000", "EUR"),
        ("15 тыс. руб", "ru", "15000", "RUB"),
        ("₹ 25 lakh", "en-IN", "2500000", "INR"),
        ("20 mil €", "es", "20000", "EUR"),
        ("20 mil €", "", "20", "EUR"),
        ("$20k", "", "20000", "USD"),
        ("15 k€", "fr", "15000", "EUR"),
        ("14k gold $299", "", "299", "USD"),
        ("12 ,99 €", "de", "12.99", "EUR"),
        ("$ 12 .99", "", "12.99", "USD"),
        ("1 299 ,00 €", "fr", "1299", "EUR"),
        ("12.99$ CAD", "", "12.99", "CAD"),
        ("12,99 $ US", "fr-CA", "12.99", "USD"),
        ("$ CAD 12.99", "", "12.99", "CAD"),
        ("RD$ 1,299.00", "", "1299", "DOP"),
        ("TT$12", "", "12", "TTD"),
        ("COL$ 1.299", "", "1299", "COP"),
        ("S/.12.50", "es-PE", "12.5", "PEN"),
        ("S/ 12.50", "es-PE", "12.5", "PEN"),
        ("B/.12.50", "es-PA", "12.5", ""),
        ("د.ك 1.250", "ar", "1.25", "KWD"),
        ("د.إ. 1,299.00", "ar", "1299", "AED"),
        ("١٢٣٫٤٥ ر.س", "ar", "123.45", "SAR"),
        ("12,500 د.ت.", "ar", "12.5", "TND"),
        ("12.90 ש״ח", "he", "12.9", "ILS"),
        ("1,299 บาท", "th", "1299", "THB"),
        ("12 ₾", "ka", "12", "GEL"),
        ("KSh1,299", "", "1299", "KES"),
        ("iPhone 15 $799", "", "799", "USD"),
        ("Honda Civic 2019 $15,000", "", "15000", "USD"),
        ("Qty: 2 £19.99", "", "19.99", "GBP"),
        ("2023-2024 $19", "", "19", "USD"),
        ("Modell 12 CHF999.-", "de", "999", "CHF"),
        ("10 $799 USD", "", "799", "USD"),
        ("PIZZA$12.00", "", "12", "USD"),
        ("SHIRTS$12", "en-CA", "12", "CAD"),
        ("nowA$12", "", "12", "AUD"),
        ("FJ$12", "", "12", "FJD"),
        ("N$ 1,299.00", "", "1299", "NAD"),
        ("E£1,299", "", "1299", "EGP"),
        ("12 руб. 99 коп.", "ru", "12.99", "RUB"),
        ("12 р. 99 к.", "ru", "12.99", "RUB"),
        ("12 zł 99 gr", "pl", "12.99", "PLN"),
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
        ("C $1.00 to C $5.00", "1", "CAD", "range"),
        ("$5-$10", "5", "USD", "range"),
        ("$5 -$10", "5", "USD", "range"),
        ("£1.50 or 99p", "1.5", "GBP", "several"),
        ("iPhone 15 $799 $999", "799", "USD", "several"),
        ("12,99 €15,99 €", "12.99", "EUR", "several"),
        ("12 €50", "12", "EUR", "several"),
        ("10 $ 20 $", "10", "USD", "several"),
        ("12,99 €1", "12.99", "EUR", "several"),
        ("99 €1", "99", "EUR", "several"),
        ("99 $1", "99", "USD", "several"),
        ("12,00 zł345", "12", "PLN", "several"),
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
