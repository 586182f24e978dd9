"""Dates come out in ISO 8601, as exact as they were written."""

from datetime import UTC, date, datetime, timedelta

import pytest

from crawler_node.extract.values.calendars import persian_date
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
        ("20110304T143000Z", "", "2011-03-04T14:30:00Z"),
        ("20110304T1430+0100", "", "2011-03-04T14:30+01:00"),
        ("20110304T14:30", "", "2011-03-04T14:30"),
        ("20110304T9930", "", "2011-03-04"),
        ("05.03.11", "de", "2011-03-05"),
        ("5-7 March 2011", "", "2011-03-05"),
        ("5.–7. März 2011", "de", "2011-03-05"),
        ("Room 12-5 March 2011", "", "2011-03-05"),
        ("Episode 3 - 5 March 2011", "", "2011-03-05"),
        ("March 5-7, 2011", "", "2011-03-05"),
        ("March 5 – 7, 2011", "", "2011-03-05"),
        ("5 March 2011 19:00-21:00", "", "2011-03-05T19:00"),
        ("5 March 2011, 9:00-10:30", "", "2011-03-05T09:00"),
        ("2011-03-05 14:30-05:00", "", "2011-03-05T14:30-05:00"),
        ("2011-03-05T09:30-10:00", "", "2011-03-05T09:30-10:00"),
        ("2011-03-05 14:30:00+01", "", "2011-03-05T14:30:00+01:00"),
        ("березень 2011", "uk", "2011-03"),
        ("maaliskuu 2011", "fi", "2011-03"),
        ("5 березня 2011", "uk", "2011-03-05"),
        ("5. listopada 2011", "hr", "2011-10-05"),
        ("5 listopada 2011", "pl", "2011-11-05"),
        ("1402/05/13", "fa", "2023-08-04"),
        ("۱۳ مرداد ۱۴۰۲", "fa", "2023-08-04"),
        ("13 مرداد 1402", "", "2023-08-04"),
        ("2023/08/04", "fa", "2023-08-04"),
        ("1402/05/13", "", "1402-05-13"),
        ("5/3/2554", "th", "2011-03-05"),
        ("5 มี.ค. 2554", "th", "2011-03-05"),
        ("29 กุมภาพันธ์ พ.ศ. 2555", "th", "2012-02-29"),
        ("5 มีนาคม 2011", "th", "2011-03-05"),
        ("2554", "th", "2011"),
        ("4711-12", "", "4711-12"),
        ("Sat Mar 05 2011 14:30:00 GMT+0100 (CET)", "", "2011-03-05T14:30:00+01:00"),
        ("5 March 2011 14:30 UTC+2", "", "2011-03-05T14:30+02:00"),
        ("5 March 2011 14:30 GMT -05:30", "", "2011-03-05T14:30-05:30"),
        ("5 March 2011 14:30 GMT - 16:00 GMT", "", "2011-03-05T14:30Z"),
        ("5 มี.ค. 54", "th", "2011-03-05"),
        ("5 มี.ค. 24", "th", "2024-03-05"),
        ("05/03/2011 à 14h30", "fr", "2011-03-05T14:30"),
        ("05/03/2011 às 14:30", "pt-BR", "2011-03-05T14:30"),
        ("05.03.2011, 14.30 Uhr", "de", "2011-03-05T14:30"),
        ("5 марта 2011 г. в 14:30", "ru", "2011-03-05T14:30"),
        ("5. mars 2011 kl. 14:30", "nb", "2011-03-05T14:30"),
        ("2011年3月5日 14時30分", "ja", "2011-03-05T14:30"),
        ("5 March 2011, 2.30pm", "", "2011-03-05T14:30"),
        ("5 March 2011 v. 1.30", "", "2011-03-05"),
    ],
)
def test_reads_dates(text, locale, iso):
    assert parse_date(text, parse_locale(locale)) == iso


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("03/04/2020 - updated 2021-05-06", "2020-03-04"),
        ("03/04/20 - updated 2021-05-06", "2020-03-04"),
        ("Posted May 4, 2012, edited 6 June 2014", "2012-05-04"),
        ("May 2012, and again on 6 June 2014", "2012-05"),
        ("Ref 4711-12, May 4, 2012", "2012-05-04"),
        ("Ref 4711-99, May 4, 2012", "2012-05-04"),
        ("31 Feb 2011 or 1 March 2011", "2011-03-01"),
        ("Version 1.2.10 of 5 May 2012", "2012-05-05"),
        ("No. 20101231 of 5 May 2012", "2012-05-05"),
    ],
)
def test_of_several_dates_the_first_is_taken_and_what_is_none_ends_nothing(text, iso):
    assert parse_date(text, parse_locale("")) == iso


@pytest.mark.parametrize(
    "text", ["", "hello", "Foo 12", "10:15", "31 Feb 2011", "ISBN 9781439177785", "99/99/2011", "March 5"]
)
def test_what_is_no_date_is_none(text):
    assert parse_date(text, parse_locale("")) is None


@pytest.mark.parametrize("text", ["Q1 2011", "2011 Q2", "2011-W10-6", "W10 2011", "v2.1 2011", "1 2011", "12-34"])
def test_no_month_and_no_day_is_made_up(text):
    assert parse_date(text, parse_locale("")) is None


@pytest.mark.parametrize(("text", "locale"), [("1402/12/30", "fa"), ("1402/07/31", "fa"), ("1402-05", "fa")])
def test_a_persian_day_that_there_is_not_is_none(text, locale):
    assert parse_date(text, parse_locale(locale)) is None


@pytest.mark.parametrize(
    ("year", "new_year"),
    [(1300, date(1921, 3, 21)), (1375, date(1996, 3, 20)), (1403, date(2024, 3, 20)), (1404, date(2025, 3, 21))],
)
def test_persian_years_begin_in_spring(year, new_year):
    assert persian_date(year, 1, 1) == new_year
    assert persian_date(year, 7, 1) - new_year == timedelta(days=186)
    assert persian_date(year - 1, 12, 29) in {new_year - timedelta(days=1), new_year - timedelta(days=2)}


@pytest.mark.parametrize(
    ("text", "locale", "iso"),
    [("yesterday", "en", "2011-03-09"), ("3 days ago", "en", "2011-03-07"), ("vor 2 Wochen", "de", "2011-02-24")],
)
def test_relative_dates_need_to_know_now(text, locale, iso):
    assert parse_date(text, parse_locale(locale), now=NOW) == iso
    assert parse_date(text, parse_locale(locale)) is None
