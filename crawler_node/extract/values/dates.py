"""Dates in ISO 8601, as exact as the text: 2011-03-05, 2011-03-05T14:30, or 2011-03 where no day is named.

The usual ways to write a date are read here in microseconds; `dateparser`, a thousand times slower, gets the rest.
"""

import re
from datetime import date, datetime
from functools import lru_cache

from crawler_node.extract.values.locales import Locale
from crawler_node.extract.values.months import MONTHS
from crawler_node.extract.values.numbers import western_digits

MAX_DATE_CHARS = 500

_MONTH_NAME = "|".join(sorted(map(re.escape, MONTHS), key=len, reverse=True))
_ISO = re.compile(r"(?<!\d)(\d{4})-(\d{2})(?:-(\d{2}))?(?![\d\-])")
_COMPACT = re.compile(r"(?<!\d)((?:19|20)\d{2})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})?)?(?!\d)")
_YEAR_FIRST = re.compile(r"(?<!\d)(\d{4})\s?[/.\-年]\s?(\d{1,2})\s?[/.\-月]\s?(\d{1,2})日?(?!\d)")
_NUMERIC = re.compile(r"(?<![\d.])(\d{1,2})\s?([/.\-])\s?(\d{1,2})\s?\2\s?(\d{4}|\d{2})(?!\d)")
_DAY_MONTH = re.compile(
    rf"(?<!\d)(\d{{1,2}})(?:st|nd|rd|th|er|º|ª)?\.?[\s\-]*(?:of |de )?({_MONTH_NAME})\.?,?[\s\-]*(?:of |de )?"
    r"[’']?(\d{4}|\d{2})(?![\d:])",
    re.IGNORECASE,
)
_MONTH_DAY = re.compile(
    rf"(?<![^\W\d_])({_MONTH_NAME})\.?[\s\-]*(\d{{1,2}})(?:st|nd|rd|th)?,?[\s\-]+(\d{{4}})(?!\d)", re.IGNORECASE
)
_YEAR_MONTH_DAY = re.compile(rf"(?<!\d)(\d{{4}})[\s\-.,]+({_MONTH_NAME})\.?[\s\-.]+(\d{{1,2}})(?!\d)", re.IGNORECASE)
_MONTH_YEAR = re.compile(rf"(?<![^\W\d_])({_MONTH_NAME})\.?,?[\s\-/]*(?:of |de )?[’']?(\d{{4}})(?!\d)", re.IGNORECASE)
_NUMERIC_MONTH_YEAR = re.compile(r"(?<![\d/.\-])(0?[1-9]|1[0-2])\s?[/.]\s?((?:19|20)\d{2})(?![\d/.\-])")
_YEAR = re.compile(r"(?:19|20)\d{2}")
_TIME = re.compile(
    r"[\s,T]{0,3}(?:at |um |à |-\s?|–\s?)?(?<!\d)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?"
    r"\s?(?P<half>[ap]\.?m\.?)?\s?(?P<zone>Z\b|UTC\b|GMT\b|[+\-−]\d{2}:?\d{2})?",
    re.IGNORECASE,
)
_MAX_UNUSUAL_CHARS = 60
_MAY_BE_DATE = re.compile(r"(?<!\d)\d{4}(?!\d)|(?<!\d)\d{1,2}\D+\d{1,2}(?!\d)")
# Trying all two hundred takes seconds; a page in another language says so, or the inspector's locale does.
_LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "sv", "da", "nb", "cs", "tr", "ja", "zh"]


def parse_date(source: str, locale: Locale, *, now: datetime | None = None) -> str | None:
    """The first date of a text in ISO 8601, None when it has none. “Yesterday” and its kin need `now`."""
    text = western_digits(source[:MAX_DATE_CHARS]).strip()
    if not text:
        return None
    found = _parse_cached(text, locale.language, locale.region)
    if found or now is None:
        return found
    hour = now.replace(minute=0, second=0, microsecond=0, tzinfo=None)
    return _parse_relative(text, locale.language, hour)


@lru_cache(maxsize=20_000)
def _parse_cached(text: str, language: str, region: str) -> str | None:
    return _parse_usual(text, Locale(language, region)) or _parse_unusual(text, language, region)


def _parse_usual(text: str, locale: Locale) -> str | None:
    for pattern, order in ((_ISO, "ymd"), (_YEAR_FIRST, "ymd"), (_YEAR_MONTH_DAY, "ymd"), (_DAY_MONTH, "dmy")):
        match = pattern.search(text)
        if match:
            return _from_parts(text, match.end(), *_ordered(match.groups(), order))
    if match := _MONTH_DAY.search(text):
        return _from_parts(text, match.end(), match[3], match[1], match[2])
    if match := _NUMERIC.search(text):
        return _from_numeric(text, match, locale)
    if match := _COMPACT.search(text):
        return _from_parts(text, match.end(), match[1], match[2], match[3])
    if match := _MONTH_YEAR.search(text):
        return _from_parts(text, match.end(), match[2], match[1], None)
    if match := _NUMERIC_MONTH_YEAR.search(text):
        return _from_parts(text, match.end(), match[2], match[1], None)
    return text if _YEAR.fullmatch(text) else None


def _ordered(groups: tuple[str | None, ...], order: str) -> tuple[str | None, str | None, str | None]:
    return groups[order.index("y")], groups[order.index("m")], groups[order.index("d")]


def _from_numeric(text: str, match: re.Match[str], locale: Locale) -> str | None:
    first, separator, second, year = match.groups()
    month_first = locale.is_month_first and separator != "."
    if int(first) > 12:
        month_first = False
    elif int(second) > 12:
        month_first = True
    month, day = (first, second) if month_first else (second, first)
    return _from_parts(text, match.end(), year, month, day)


def _from_parts(text: str, end: int, year: str | None, month: str | None, day: str | None) -> str | None:
    if year is None or month is None:
        return None
    number = MONTHS.get(month.lower()) or int(month)
    try:
        whole = date(_full_year(year), number, int(day or 1))
    except ValueError:
        return None
    if day is None:
        return f"{whole.year:04}-{whole.month:02}"
    return whole.isoformat() + _time_after(text, end)


def _full_year(year: str) -> int:
    number = int(year)
    if len(year) == 4:
        return number
    return number + (2000 if number < 70 else 1900)


def _time_after(text: str, end: int) -> str:
    match = _TIME.match(text, end)
    if match is None:
        return ""
    hour, minute, second = int(match[1]), int(match[2]), int(match[3] or 0)
    half = (match["half"] or "").lower()
    if half:
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    if hour > 23 or minute > 59 or second > 59:
        return ""
    return f"T{hour:02}:{minute:02}" + (f":{second:02}" if match[3] else "") + _zone(match["zone"])


def _zone(zone: str | None) -> str:
    if not zone:
        return ""
    if zone.upper() in {"Z", "UTC", "GMT"}:
        return "Z"
    digits = zone.replace("−", "-").replace(":", "")
    return f"{digits[:3]}:{digits[3:]}"


def _parse_unusual(text: str, language: str, region: str) -> str | None:
    """What no pattern here knows: other languages, odd orders. Both month and year must be in the text."""
    if len(text) > _MAX_UNUSUAL_CHARS or not _MAY_BE_DATE.search(text):
        return None
    settings: dict[str, object] = {
        "PARSERS": ["absolute-time"],
        "REQUIRE_PARTS": ["month", "year"],
        "DATE_ORDER": "MDY" if Locale(language, region).is_month_first else "DMY",
        "PREFER_DAY_OF_MONTH": "first",
    }
    found = _ask_dateparser(text, language, settings)
    return _format(found) if found else None


@lru_cache(maxsize=2_000)
def _parse_relative(text: str, language: str, hour: datetime) -> str | None:
    if len(text) > _MAX_UNUSUAL_CHARS:
        return None
    found = _ask_dateparser(text, language, {"PARSERS": ["relative-time"], "RELATIVE_BASE": hour})
    return found.date().isoformat() if found else None


def _ask_dateparser(text: str, language: str, settings: dict[str, object]) -> datetime | None:
    # It takes a quarter of a second to import and most crawls never need it.
    import dateparser  # noqa: PLC0415
    from dateparser.data.languages_info import language_order  # noqa: PLC0415

    languages = [language] if language in language_order else _LANGUAGES
    found: datetime | None = dateparser.parse(text, languages=languages, settings=settings)
    return found


def _format(found: datetime) -> str:
    if (found.hour, found.minute, found.second) == (0, 0, 0) and found.tzinfo is None:
        return found.date().isoformat()
    return found.replace(microsecond=0).isoformat()
