"""The shape of an address: what stays when numbers, dates and long ids are taken out of it."""

import re

from crawler_node.urls.parse import parse_url

_DIGITS = re.compile(r"\d+")
_LONG_ID = re.compile(r"[0-9a-f]{12,}|[0-9a-f]{8}-[0-9a-f-]{27}", re.IGNORECASE)
_FOUR_DIGITS = re.compile(r"\d{4}")
_YEAR = re.compile(r"(?<!\d)(\d{4})(?!\d)")
_FULL_DATE = re.compile(r"(?<!\d)(\d{4})[-_./]?(0?[1-9]|1[0-2])(?:[-_./]?(0?[1-9]|[12]\d|3[01]))?(?!\d)")
_DATE_NAMES = frozenset(
    "year month day date week y m d yr mon cal calendar from to start end when startdate enddate".split()  # noqa: SIM905
)
_YEAR_NAMES = frozenset({"year", "y", "yr"})
_FIRST_YEAR, _LAST_YEAR = 1000, 9999


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


def year_in_calendar(path: str, query: str) -> int | None:
    """The year that an address of a calendar shows, None when it is no calendar's.

    A calendar's address ends in a date (`/calendar/2026/05`, `/2026-05-01`) or says it in parameters
    (`?year=2026&month=5`). `/2026/05/a-title` is an article: it ends in words.
    """
    if _FOUR_DIGITS.search(path) is None and _FOUR_DIGITS.search(query) is None:
        return None
    return _year_in_query(query) or _year_at_end(path)


def _year_in_query(query: str) -> int | None:
    if not query:
        return None
    values = dict(part.lower().partition("=")[::2] for part in query.split("&"))
    for name in _DATE_NAMES & values.keys():
        found = _FULL_DATE.fullmatch(values[name])
        if found:
            return int(found[1])
    years = [values[name] for name in _YEAR_NAMES & values.keys() if _YEAR.fullmatch(values[name])]
    return int(years[0]) if years and len(_DATE_NAMES & values.keys()) > 0 else None


def _year_at_end(path: str) -> int | None:
    segments = [segment for segment in path.split("/") if segment][-3:]
    while segments and not segments[0][:1].isdigit():
        segments.pop(0)
    found = _FULL_DATE.fullmatch("/".join(segments)) if segments else None
    if found is None or (len(segments) == 1 and len(segments[0]) < 7):
        return None
    return int(found[1]) if _FIRST_YEAR <= int(found[1]) <= _LAST_YEAR else None
