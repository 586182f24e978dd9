"""The shape of an address: what stays when numbers, dates and long ids are taken out of it."""

import re
from typing import NamedTuple

from crawler_node.urls.parse import parse_url

_DIGITS = re.compile(r"\d+")
_LONG_ID = re.compile(r"[0-9a-f]{12,}|[0-9a-f]{8}-[0-9a-f-]{27}", re.IGNORECASE)
_FOUR_DIGITS = re.compile(r"\d{4}")
_YEAR = re.compile(r"\d{4}")
_DATE = re.compile(r"(\d{4})[-_./](0?[1-9]|1[0-2])(?:[-_./](0?[1-9]|[12]\d|3[01]))?")
_COMPACT_DATE = re.compile(r"(\d{4})(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])?")
_CALENDAR_WORD = re.compile(
    r"(?<![a-z])(?:cal|calendars?|calendario|calendrier|kalender|agenda|events?|termine|veranstaltungen)(?![a-z])",
    re.IGNORECASE,
)
_YEAR_NAMES, _MONTH_NAMES = frozenset({"year", "yr", "y"}), frozenset({"month", "mon", "m"})
_DAY_NAMES = frozenset({"week", "w", "day", "d"})
_DATE_NAMES = frozenset({"year", "yr", "month", "mon", "day", "date", "week", "cal", "calendar", "when"}) | frozenset(
    {"startdate", "enddate"}
)
# Names of many other things too: sizes, places in a list, versions.
_VAGUE_NAMES = frozenset({"y", "m", "d", "from", "to", "start", "end"})
_PAST_YEAR, _YEARS_AHEAD = 1900, 50


class CalendarDate(NamedTuple):
    """What a calendar's address shows; `is_vague` where it may be a number and a page as well (`/topic/2026/5`)."""

    year: int
    is_vague: bool = False


def pattern_of(authority: str, path: str, query: str) -> str:
    """Addresses of one kind share a pattern: `/shop/item-17?page=2` and `/shop/item-4?page=9` do."""
    names = sorted({part.partition("=")[0] for part in query.split("&")}) if query else []
    return f"{authority}{_DIGITS.sub('9', _LONG_ID.sub('9', path))}?{'&'.join(names)}"


def kind_of(url: str) -> str:
    """Addresses of pages that are probably made alike: host, the first parts of the path, depth, parameters' names.

    `/shop/p/blue-tent` and `/shop/p/red-tent` are of the kind `/shop/p/*`; ends of paths are names, not kinds.
    """
    parsed = parse_url(url)
    if parsed is None:
        return ""
    segments = [_DIGITS.sub("9", _LONG_ID.sub("9", part)) for part in parsed.path.split("/") if part]
    shown = [*segments[:-1][:2], *("*" for _ in segments[:-1][2:]), *("*" for _ in segments[-1:])]
    names = sorted({part.partition("=")[0] for part in parsed.query.split("&")}) if parsed.query else []
    return f"{parsed.authority}/{'/'.join(shown)}" + (f"?{'&'.join(names)}" if names else "")


def date_in_calendar(path: str, query: str, *, this_year: int) -> CalendarDate | None:
    """The date that an address of a calendar shows, None when it is no calendar's.

    A calendar's address ends in a date (`/calendar/2026/05`, `/2026-05-01`) or says it in parameters
    (`?year=2026&month=5`). `/2026/05/a-title` is an article: it ends in words. Years that people make no calendars of
    count only where the address names a calendar: `/p/1234-05` is a product.
    """
    if _FOUR_DIGITS.search(path) is None and _FOUR_DIGITS.search(query) is None:
        return None
    found = _date_in_query(query, this_year) if query else None
    return found or _date_at_end(path, this_year)


def _is_usual(year: int, this_year: int) -> bool:
    return _PAST_YEAR <= year <= this_year + _YEARS_AHEAD


def _date_in_query(query: str, this_year: int) -> CalendarDate | None:
    values = dict(part.lower().partition("=")[::2] for part in query.split("&"))
    for name, value in values.items():
        is_clear = name in _DATE_NAMES
        if not is_clear and name not in _VAGUE_NAMES:
            continue
        found = _DATE.fullmatch(value)
        if found and (is_clear or _is_usual(int(found[1]), this_year)):
            return CalendarDate(int(found[1]))
        found = _COMPACT_DATE.fullmatch(value) if is_clear else None
        if found and _is_usual(int(found[1]), this_year):
            return CalendarDate(int(found[1]))
    return _year_in_query(values, this_year)


def _year_in_query(values: dict[str, str], this_year: int) -> CalendarDate | None:
    """A year beside a month, or under its full name beside a day; by itself only one that things seldom have."""
    has_month = not values.keys().isdisjoint(_MONTH_NAMES)
    has_day = not values.keys().isdisjoint(_DAY_NAMES)
    for name, value in values.items():
        if name not in _YEAR_NAMES or not _YEAR.fullmatch(value) or (name == "y" and not has_month):
            continue
        year = int(value)
        if not has_month and not has_day:
            return _year_alone(year, this_year)
        if _is_usual(year, this_year) or (has_month and name != "y"):
            return CalendarDate(year)
    return None


def _year_alone(year: int, this_year: int) -> CalendarDate | None:
    """Cars, films and wines are listed by year (`?make=ford&year=1996&page=3`), calendars walk on from there."""
    if _PAST_YEAR <= year <= this_year + 1:
        return None
    return CalendarDate(year, is_vague=year < _PAST_YEAR)


def _date_at_end(path: str, this_year: int) -> CalendarDate | None:
    segments = [segment for segment in path.split("/") if segment][-3:]
    while segments and not segments[0][:1].isdigit():
        segments.pop(0)
    if not segments or (len(segments) == 1 and len(segments[0]) < len("2026-05")):
        return None
    found = _DATE.fullmatch("/".join(segments))
    if found is None:
        found = _COMPACT_DATE.fullmatch(segments[0]) if len(segments) == 1 else None
        return CalendarDate(int(found[1])) if found and _is_usual(int(found[1]), this_year) else None
    year, is_padded = int(found[1]), len(found[2]) == 2 and len(found[3] or "00") == 2
    names_calendar = _CALENDAR_WORD.search(path) is not None
    if not (_is_usual(year, this_year) or (is_padded and names_calendar)):
        return None
    return CalendarDate(year, is_vague=not is_padded and not names_calendar)
