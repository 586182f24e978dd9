"""Dates come out in ISO 8601, as exact as they were written."""

from datetime import UTC, datetime

import pytest

from crawler_node.extract.values.dates import parse_date
from crawler_node.extract.values.locales import parse_locale

NOW = datetime(2011, 3, 10, 12, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "locale", "iso"),
    [
        ("2011-03-05", "", "2011-03-05"),
        ("2011-03-05T14:30:00+01:00", "", "2011-03-05T14:30:00+01:00"),
        ("2011-03-05T14:30:00.123Z", "", "2011-03-05T14:30:00Z"),
        ("2011-03-05 14:30", "", "2011-03-05T14:30"),
        ("5 March 2011", "", "2011-03-05"),
        ("March 5, 2011", "", "2011-03-05"),
        ("Saturday, March 5th, 2011 at 10:15 PM", "", "2011-03-05T22:15"),
        ("Mar. 5 2011, 12:05 am", "", "2011-03-05T00:05"),
        ("Sat, 05 Mar 2011 10:00:00 GMT", "", "2011-03-05T10:00:00Z"),
        ("Sat, 05 Mar 2011 10:00:00 -0500", "", "2011-03-05T10:00:00-05:00"),
        ("5. März 2011", "de", "2011-03-05"),
        ("le 12 janvier 2011", "fr", "2011-01-12"),
        ("1er mai 2011", "fr", "2011-05-01"),
        ("3 de febrero de 2011", "es", "2011-02-03"),
        ("5 марта 2011 г.", "ru", "2011-03-05"),
        ("2011年3月5日", "ja", "2011-03-05"),
        ("05.03.2011", "", "2011-03-05"),
        ("2011/3/5", "", "2011-03-05"),
        ("20110305", "", "2011-03-05"),
        ("3/5/2011", "", "2011-03-05"),
        ("3/5/2011", "en-US", "2011-03-05"),
        ("3/5/2011", "en-GB", "2011-05-03"),
        ("3/5/2011", "fr", "2011-05-03"),
        ("25/3/2011", "en-US", "2011-03-25"),
        ("12-6-2010", "en-US", "2010-12-06"),
        ("5/3/11", "de", "2011-03-05"),
        ("5 Mar '11", "", "2011-03-05"),
        ("5-Mar-99", "", "1999-03-05"),
        ("Published: 01 Oct 2010 by someone", "", "2010-10-01"),
        ("March 2011", "", "2011-03"),
        ("03/2011", "", "2011-03"),
        ("2011-03", "", "2011-03"),
        ("2011", "", "2011"),
        ("٥/٣/٢٠١١", "ar", "2011-03-05"),
        ("12 ago 2011", "es", "2011-08-12"),
    ],
)
def test_reads_dates(text, locale, iso):
    assert parse_date(text, parse_locale(locale)) == iso


@pytest.mark.parametrize(
    "text", ["", "hello", "Foo 12", "10:15", "31 Feb 2011", "ISBN 9781439177785", "99/99/2011", "March 5"]
)
def test_what_is_no_date_is_none(text):
    assert parse_date(text, parse_locale("")) is None


@pytest.mark.parametrize(
    ("text", "locale", "iso"),
    [("yesterday", "en", "2011-03-09"), ("3 days ago", "en", "2011-03-07"), ("vor 2 Wochen", "de", "2011-02-24")],
)
def test_relative_dates_need_to_know_now(text, locale, iso):
    assert parse_date(text, parse_locale(locale), now=NOW) == iso
    assert parse_date(text, parse_locale(locale)) is None
