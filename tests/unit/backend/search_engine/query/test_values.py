"""What a typed value can mean as the end of a range."""

from datetime import UTC, datetime, timedelta

import pytest

from backend.search_engine.query import parse_bound


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("10", 10),
        ("-1.5", -1.5),
        ("1,5", 1.5),
        ("€15.50", 15.5),
        ("20%", 20),
        ("1e3", 1000),
        ("1,299", 1299),
        ("€1,299.50", 1299.5),
        ("1.299,00", 1299),
        ("12,345,678", 12345678),
        ("1.234.567", 1234567),
        ("1.299", 1.299),
        ("0,125", 0.125),
        ("12,34", 12.34),
        ("-1,000", -1000),
        ("1234,567", 1234.567),
    ],
)
def test_numbers(text, value):
    bound = parse_bound(text)
    assert bound is not None
    assert bound.number == value
    assert bound.first is None


@pytest.mark.parametrize(
    ("text", "first", "past"),
    [
        ("2024", datetime(2024, 1, 1, tzinfo=UTC), datetime(2025, 1, 1, tzinfo=UTC)),
        ("2024-12", datetime(2024, 12, 1, tzinfo=UTC), datetime(2025, 1, 1, tzinfo=UTC)),
        ("2024-2-28", datetime(2024, 2, 28, tzinfo=UTC), datetime(2024, 2, 29, tzinfo=UTC)),
        ("31.01.2024", datetime(2024, 1, 31, tzinfo=UTC), datetime(2024, 2, 1, tzinfo=UTC)),
    ],
)
def test_a_date_is_the_whole_year_month_or_day(text, first, past):
    bound = parse_bound(text)
    assert bound is not None
    assert (bound.first, bound.past) == (first, past)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("2024-01-31T11:30+01:00", 60), ("2024-01-31T10:30", 60), ("2024-01-31T10:30:00Z", 1)],
)
def test_a_moment_is_read_in_its_zone_or_in_utc(text, seconds):
    bound = parse_bound(text)
    assert bound is not None
    assert bound.first == datetime(2024, 1, 31, 10, 30, tzinfo=UTC)
    assert bound.past == bound.first + timedelta(seconds=seconds)


@pytest.mark.parametrize(
    "text", ["", "cheap", "2024-13", "2023-02-29", "0000-01-01", "1.2.3", "1,2,3", "1,29,000", "--5", "9" * 400]
)
def test_the_rest_means_nothing(text):
    assert parse_bound(text) is None
