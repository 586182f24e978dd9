"""The ends of ranges: what `10`, `€15.50`, `1,299.00`, `2024-01` or `31.01.2024` can mean."""

import re
from datetime import UTC, datetime, timedelta

from backend.search_engine.query.ast import Bound

_NUMBER = re.compile(r"[$€£¥]?(?P<number>[+-]?\d{1,30}(?:[.,]\d{1,30})?(?:[eE][+-]?\d{1,2})?)[$€£¥%]?")
_GROUPED = re.compile(
    r"[$€£¥]?(?P<number>[+-]?[1-9]\d{0,2}(?:(?:,\d{3}){1,9}(?:\.\d{1,30})?|(?:\.\d{3}){1,9},\d{1,30}|(?:\.\d{3}){2,9}))[$€£¥%]?"
)
"""Thousands apart: 1,299 or 1,299.00 or 1.299,00. A single point may as well be a decimal one, and is."""
_DAY = re.compile(r"(?P<year>\d{4})(?:-(?P<month>\d{1,2})(?:-(?P<day>\d{1,2}))?)?")
_GERMAN_DAY = re.compile(r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4})")
_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:\d{2})?")


def parse_bound(text: str) -> Bound | None:
    """What a typed value can mean for a column of numbers or dates; None when it is neither."""
    number, span = _number(text), _span(text)
    if number is None and span is None:
        return None
    return Bound(text, number, *(span or (None, None)))


def is_reversed(low: Bound, high: Bound) -> bool:
    """Whether the first end lies behind the second, however both are read."""
    if low.number is not None and high.number is not None:
        return low.number > high.number
    return low.first is not None and high.first is not None and low.first > high.first


def _number(text: str) -> float | None:
    grouped = _GROUPED.fullmatch(text)
    if grouped:
        return float(_ungrouped(grouped["number"]))
    found = _NUMBER.fullmatch(text)
    return float(found["number"].replace(",", ".")) if found else None


def _ungrouped(number: str) -> str:
    """A number with thousands apart: what parts them first is left out, the other sign is the decimal point."""
    thousands = next(sign for sign in number if sign in ".,")
    return number.replace(thousands, "").replace(",", ".")


def _span(text: str) -> tuple[datetime, datetime] | None:
    try:
        if _MOMENT.fullmatch(text):
            return _moment(text)
        found = _DAY.fullmatch(text) or _GERMAN_DAY.fullmatch(text)
        return _calendar_span(found["year"], found["month"], found["day"]) if found else None
    except (ValueError, OverflowError):
        return None  # a 13th month, a year 0000 or 9999 + 1: no date


def _moment(text: str) -> tuple[datetime, datetime]:
    moment = datetime.fromisoformat(text)
    first = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    return first, first + timedelta(seconds=1 if text.count(":") >= 2 and text[16:17] == ":" else 60)


def _calendar_span(year: str, month: str | None, day: str | None) -> tuple[datetime, datetime]:
    first = datetime(int(year), int(month or 1), int(day or 1), tzinfo=UTC)
    if day:
        return first, first + timedelta(days=1)
    if month:
        return first, (first + timedelta(days=31)).replace(day=1)
    return first, first.replace(year=first.year + 1)
