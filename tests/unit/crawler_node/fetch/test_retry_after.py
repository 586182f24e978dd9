"""Retry-After in both its forms."""

from datetime import UTC, datetime

import pytest

from crawler_node.fetch.retry_after import parse_retry_after

NOW = datetime(2026, 5, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("30", 30.0),
        (" 0 ", 0.0),
        ("Fri, 01 May 2026 12:00:45 GMT", 45.0),
        ("Fri, 01 May 2026 11:00:00 GMT", 0.0),
        ("99999999999999", 86400.0),
        ("Sat, 01 May 2027 12:00:00 GMT", 86400.0),
        ("soon", None),
        ("Mon, 99999999999999999999 Jan 2026 00:00:00 GMT", None),
        ("Fri, 01 May 2026 12:00:45 +99999999999999", None),
        ("-5", None),
        ("", None),
        (None, None),
    ],
)
def test_parse_retry_after(value: str | None, seconds: float | None) -> None:
    assert parse_retry_after(value, now=NOW) == seconds
