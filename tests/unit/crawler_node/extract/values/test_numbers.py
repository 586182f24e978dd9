"""Numbers are read as people mean them."""

from decimal import Decimal

import pytest

from crawler_node.extract.values.locales import parse_locale
from crawler_node.extract.values.numbers import find_numbers, pick_number, to_plain, western_digits


@pytest.mark.parametrize(
    ("text", "locale", "value"),
    [
        ("42", "", "42"),
        ("1.25E7", "de", "12500000"),
        ("-5e-05", "", "-0.00005"),
        ("2E10", "", "2"),
        ("1,234", "", "1234"),
        ("1.234", "", "1.234"),
        ("1.234", "de", "1234"),
        ("1,234", "de-AT", "1.234"),
        ("1,234", "de-CH", "1234"),
        ("1,5", "", "1.5"),
        ("1,234.5", "de", "1234.5"),
        ("1.234,5", "en", "1234.5"),
        ("1.234.567", "en", "1234567"),
        ("12,34,567.50", "", "1234567.50"),
        ("1 234 567", "fr", "1234567"),
        ("1'234'567.8", "", "1234567.8"),
        ("1’234", "", "1234"),
        ("0.123", "de", "0.123"),
        (".5", "", "0.5"),
        ("-3", "", "-3"),
        ("−5 °C", "", "-5"),
        ("A-5", "", "5"),
        ("10-20", "", "10"),
        ("15 %", "", "15"),
        ("Rated 4.5 out of 5", "", "4.5"),
        ("DMC-FX3 has 12", "", "12"),
        ("v12", "", "12"),
        ("٣٫٥", "ar", "3.5"),
        ("１２３", "ja", "123"),
        ("1.299,–", "en", "1299"),
        ("(1,024 reviews)", "", "1024"),
        ("20000", "", "20000"),
        ("2011 500", "", "2011"),
    ],
)
def test_reads_numbers(text, locale, value):
    numbers = find_numbers(western_digits(text), parse_locale(locale))
    assert pick_number(numbers).value == Decimal(value)


@pytest.mark.parametrize("text", ["", "none", "1.2.3", "24.12.2011", "9" * 41])
def test_what_only_looks_like_a_number_is_none(text):
    assert find_numbers(text, parse_locale("")) == []


@pytest.mark.parametrize(("value", "plain"), [("3", 3), ("3.0", 3), ("3.5", 3.5), ("1e20", 1e20), ("-0.5", -0.5)])
def test_whole_numbers_stay_whole(value, plain):
    assert repr(to_plain(Decimal(value))) == repr(plain)


@pytest.mark.parametrize(
    ("text", "language", "region"),
    [
        ("de", "de", ""),
        ("de-CH", "de", "CH"),
        ("pt_BR.UTF-8", "pt", "BR"),
        ("zh-Hant-TW", "zh", "TW"),
        ("??", "", ""),
        ("", "", ""),
    ],
)
def test_locales(text, language, region):
    locale = parse_locale(text)
    assert (locale.language, locale.region) == (language, region)
