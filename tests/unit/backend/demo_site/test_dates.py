from datetime import date

import pytest

from backend.demo_site.dates import DateStyle, format_date, http_date


@pytest.mark.parametrize("style", DateStyle)
def test_each_style_writes_its_own_example(style: DateStyle):
    assert format_date(date(2024, 3, 9), style) == style.value


def test_writes_http_dates():
    assert http_date(date(2025, 10, 31)) == "Fri, 31 Oct 2025 00:00:00 GMT"
