"""Retry-After: how long a server asks us to stay away."""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

MAX_RETRY_AFTER_SECONDS = 24 * 3600.0


def parse_retry_after(value: str | None, *, now: datetime) -> float | None:
    """Seconds to wait, never negative and at most a day; None without the header or when it cannot be read."""
    if not value:
        return None
    value = value.strip()
    if value.isascii() and value.isdigit():
        return min(float(value[:9]), MAX_RETRY_AFTER_SECONDS)
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, TypeError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return min(max((moment - now).total_seconds(), 0.0), MAX_RETRY_AFTER_SECONDS)
