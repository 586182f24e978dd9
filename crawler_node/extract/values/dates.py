"""Dates in ISO 8601, as exact as the text: 2011-03-05, 2011-03-05T14:30, or 2011-03 where no day is named.

The usual ways to write a date are read here in microseconds; `dateparser`, a thousand times slower, gets the rest.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import NamedTuple

from crawler_node.extract.values.calendars import in_common_era, is_persian_year, persian_date
from crawler_node.extract.values.locales import Locale
from crawler_node.extract.values.months import MONTHS, PERSIAN_MONTHS, THAI_MONTHS, month_number
from crawler_node.extract.values.numbers import western_digits

MAX_DATE_CHARS = 500

# Where no letter stands no name need be tried.
_MONTH_NAME = rf"(?=[^\W\d_])(?:{'|'.join(sorted(map(re.escape, MONTHS), key=len, reverse=True))})"
_ISO = re.compile(r"(?<!\d)(\d{4})-(\d{2})-(\d{2})(?![\d\-])")
# Within a text 4711-12 is rather some number.
_ISO_MONTH = re.compile(r"(?<!\d)(\A\d{4}(?=-\d\d\Z)|(?:19|20)\d{2}|2100)-(\d{2})(?![\d\-])")
_COMPACT = re.compile(r"(?<!\d)((?:19|20)\d{2})(\d{2})(\d{2})(?!\d)")
_COMPACT_TIME = re.compile(
    r"(?<!\d)((?:19|20)\d{2})(\d{2})(\d{2})T(\d{2})(\d{2})(?:(\d{2})(?:[.,]\d+)?)?(Z|[+\-−]\d{2}:?\d{2})?(?!\d)"
)
_YEAR_FIRST = re.compile(r"(?<!\d)(\d{4})\s?[/.\-年]\s?(\d{1,2})\s?[/.\-月]\s?(\d{1,2})日?(?!\d)")
_NUMERIC = re.compile(r"(?<![\d.])(\d{1,2})\s?([/.\-])\s?(\d{1,2})\s?\2\s?(\d{4}|(?<=/)\d{2}|(?<=/\s)\d{2})(?!\d)")
_SHORT_NUMERIC = re.compile(r"(?<![\d.])(\d{1,2})\s?([.\-])\s?(\d{1,2})\s?\2\s?(\d{2})(?!\d)")
_DAY_MONTH = re.compile(
    rf"(?<!\d)(\d{{1,2}})(?:st|nd|rd|th|er|º|ª)?\.?[\s\-]*(?:of |de )?({_MONTH_NAME})\.?,?[\s\-]*(?:of |de )?"
    r"[’']?(\d{4}|\d{2})(?![\d:])",
    re.IGNORECASE,
)
# Of 5-7 March 2011 the first day is taken; with spaces around the dash the 5 may be the number of something.
_DAYS_MONTH = re.compile(
    rf"(?<![\d.:/\-])(\d{{1,2}})\.?[\-–—](\d{{1,2}})\.?\s(?:of |de )?({_MONTH_NAME})\.?,?\s(?:of |de )?(\d{{4}})(?!\d)",
    re.IGNORECASE,
)
_MONTH_DAY = re.compile(
    rf"(?<![^\W\d_])({_MONTH_NAME})\.?[\s\-]*(\d{{1,2}})(?:st|nd|rd|th)?(?:\s?[\-–—]\s?\d{{1,2}}(?:st|nd|rd|th)?(?=[\s,]))?"
    r",?[\s\-]+(\d{4})(?!\d)",
    re.IGNORECASE,
)
_YEAR_MONTH_DAY = re.compile(rf"(?<!\d)(\d{{4}})[\s\-.,]+({_MONTH_NAME})\.?[\s\-.]+(\d{{1,2}})(?!\d)", re.IGNORECASE)
_MONTH_YEAR = re.compile(rf"(?<![^\W\d_])({_MONTH_NAME})\.?,?[\s\-/]*(?:of |de )?[’']?(\d{{4}})(?!\d)", re.IGNORECASE)
_NUMERIC_MONTH_YEAR = re.compile(r"(?<![\d/.\-])(0?[1-9]|1[0-2])\s?[/.]\s?((?:19|20)\d{2})(?![\d/.\-])")
_YEAR = re.compile(r"(?:19|20)\d{2}")
_BEFORE_TIME = r"at|um|om|à|às|a las|alle|alle ore|ore|o|o godz\.|kl\.?|klo|в|v"
_TIME = re.compile(
    rf"(?P<joint>[\s,T]{{0,3}})(?:г\.?,?\s)?(?:(?:{_BEFORE_TIME}) |-\s?|–\s?)?(?<!\d)(?P<hours>\d{{1,2}})"
    r"(?::|\s?h\s?|時|\.(?=\d\d\s?(?:Uhr|[ap]\.?m\b)))(?P<minutes>\d{2})"
    r"(?::(?P<seconds>\d{2})(?:[.,]\d+)?)?\s?(?P<half>[ap]\.?m\.?)?\s?"
    r"(?P<zone>Z\b|(?:UTC|GMT)\s?[+\-−]\d{1,2}(?::?\d{2})?(?!\d)|UTC\b|GMT\b"
    r"|[+\-−]\d{2}:?\d{2}|(?<=\d)[+]\d{2}(?!\d))?",
    re.IGNORECASE,
)
_OFFSET = re.compile(r"(?P<name>[A-Z]*)\s?(?P<sign>[+\-−])(?P<hours>\d{1,2}?):?(?P<minutes>\d{2})?", re.IGNORECASE)
# From here on two digits are a year of the Buddhist era: 54 is 2554, which is 2011.
_FIRST_THAI_YEAR = 40
_LAST_ZONE = 14
_MAX_UNUSUAL_CHARS = 60
_MAY_BE_DATE = re.compile(r"(?<!\d)\d{4}(?!\d)|(?<!\d)\d{1,2}\D+\d{1,2}(?!\d)")
# Without a month's name there are three numbers and nothing else: Q1 2011, 2011-W10-6 and v2.1 2011 are no dates.
_MAY_NAME_MONTH = re.compile(r"[^\W\d_]{3}|[^\W\d_a-z]|\A\W*\d+\W+\d+\W+\d+\W*\Z", re.IGNORECASE)
_DAY = re.compile(r"(?<!\d)\d{1,2}(?!\d)")
# Trying all two hundred takes seconds; a page in another language says so, or the inspector's locale does.
_LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "sv", "da", "nb", "cs", "tr", "ja", "zh"]


def parse_date(source: str, locale: Locale, *, now: datetime | None = None) -> str | None:
    """The first date of a text in ISO 8601, None when it has none. “Yesterday” and its kin need `now`."""
    text = western_digits(source[:MAX_DATE_CHARS]).strip()
    if not text:
        return None
    if locale.language == "th":
        text = in_common_era(text)
    found = _parse_cached(text, locale.language, locale.region)
    if found or now is None:
        return found
    hour = now.replace(minute=0, second=0, microsecond=0, tzinfo=None)
    return _parse_relative(text, locale.language, hour)


@lru_cache(maxsize=20_000)
def _parse_cached(text: str, language: str, region: str) -> str | None:
    return _parse_usual(text, Locale(language, region)) or _parse_unusual(text, language, region)


class _Candidate(NamedTuple):
    """A place of the text that looks like a date; without a value it is none, such as the 31st of February."""

    start: int
    has_no_value: bool
    rank: int
    end: int
    value: str | None


def _parse_usual(text: str, locale: Locale) -> str | None:
    """The first date; what may be a version or a number of something else only where there is no other."""
    never: list[_Candidate] = []
    for readers in (_CLEAR, _UNCLEAR):
        found = _first_date(text, readers, locale, never)
        if found is not None:
            return found
    return text if _YEAR.fullmatch(text) else None


def _first_date(text: str, readers: "Sequence[_Reader]", locale: Locale, never: list[_Candidate]) -> str | None:
    """The value that stands first. A part of what is no date is none either: such places are added to `never`."""
    candidates = []
    for candidate in _candidates(text, readers, locale):
        if candidate.start == 0 and candidate.value is not None and not never:
            return candidate.value
        candidates.append(candidate)
    for candidate in sorted(candidates, key=lambda each: each[:3]):
        if any(candidate.start < other.end and other.start < candidate.end for other in never):
            continue
        if candidate.value is not None:
            return candidate.value
        never.append(candidate)
    return None


def _candidates(text: str, readers: "Sequence[_Reader]", locale: Locale) -> Iterator[_Candidate]:
    for rank, (pattern, read) in enumerate(readers):
        for match in pattern.finditer(text):
            value = read(match, locale)
            yield _Candidate(match.start(), value is None, rank, match.end(), value)


def _in_order(*, year: int, month: int, day: int | None = None) -> "_Read":
    """Reads matches whose groups are these."""

    def read(match: re.Match[str], locale: Locale) -> str | None:
        return _from_parts(match, locale, year=match[year], month=match[month], day=match[day] if day else None)

    return read


def _from_numeric(match: re.Match[str], locale: Locale) -> str | None:
    first, separator, second, year = match.groups()
    month_first = locale.is_month_first and separator != "."
    if int(first) > 12:
        month_first = False
    elif int(second) > 12:
        month_first = True
    month, day = (first, second) if month_first else (second, first)
    return _from_parts(match, locale, year=year, month=month, day=day)


def _from_days(match: re.Match[str], locale: Locale) -> str | None:
    """The first of several days; what does not count upwards, such as Room 12-5 March 2011, is one day."""
    first, last, month, year = match.groups()
    return _from_parts(match, locale, year=year, month=month, day=first if int(first) < int(last) else last)


def _from_compact_time(match: re.Match[str], locale: Locale) -> str | None:
    day = _from_parts(match, locale, year=match[1], month=match[2], day=match[3])
    return day and day[:10] + _clock(match[4], match[5], match[6], zone=match[7])


def _from_parts(match: re.Match[str], locale: Locale, *, year: str, month: str, day: str | None) -> str | None:
    try:
        whole = _day(_full_year(year, month), month, day, locale)
    except ValueError:
        return None
    if day is None:
        return f"{whole.year:04}-{whole.month:02}"
    return whole.isoformat() + _time_after(match.string, match.end())


def _day(year: int, month: str, day: str | None, locale: Locale) -> date:
    number = month_number(month, locale.language)
    if not is_persian_year(year) or (locale.language != "fa" and month not in PERSIAN_MONTHS):
        return date(year, number, int(day or 1))
    if day is None:
        raise ValueError("a Persian month is part of two others")
    return persian_date(year, number, int(day))


def _full_year(year: str, month: str) -> int:
    number = int(year)
    if len(year) == 4:
        return number
    if number >= _FIRST_THAI_YEAR and month in THAI_MONTHS:
        return int(in_common_era(f"25{year}"))
    return number + (2000 if number < 70 else 1900)


def _time_after(text: str, end: int) -> str:
    match = _TIME.match(text, end)
    if match is None:
        return ""
    zone = None if _is_end_of_time(match) else match["zone"]
    return _clock(match["hours"], match["minutes"], match["seconds"], half=match["half"], zone=zone)


def _is_end_of_time(match: re.Match[str]) -> bool:
    """Whether 19:00-21:00 is a time and its end, not a time and its zone: as people write it, and not backwards."""
    zone = match["zone"] or ""
    if not zone.startswith(("-", "−")) or ":" not in zone or match["seconds"] or "t" in match["joint"].lower():
        return False
    return zone[1:] > f"{match['hours']:0>2}:{match['minutes']}"


def _clock(hours: str, minutes: str, seconds: str | None, *, half: str | None = None, zone: str | None = None) -> str:
    """The time as ISO 8601 has it after a date, '' where it is none."""
    hour, minute, second = int(hours), int(minutes), int(seconds or 0)
    if half:
        hour = hour % 12 + (12 if half.lower().startswith("p") else 0)
    if hour > 23 or minute > 59 or second > 59:
        return ""
    return f"T{hour:02}:{minute:02}" + (f":{second:02}" if seconds else "") + _zone(zone)


def _zone(zone: str | None) -> str:
    offset = _OFFSET.fullmatch(zone) if zone else None
    if offset is None:
        return "Z" if zone else ""
    if int(offset["hours"]) > _LAST_ZONE:
        return "Z" if offset["name"] else ""
    return f"{offset['sign'].replace('−', '-')}{offset['hours']:0>2}:{offset['minutes'] or '00'}"


_Read = Callable[[re.Match[str], Locale], str | None]
_Reader = tuple[re.Pattern[str], _Read]
# Of two that begin at the same place the earlier one counts.
_CLEAR: Sequence[_Reader] = (
    (_ISO, _in_order(year=1, month=2, day=3)),
    (_YEAR_FIRST, _in_order(year=1, month=2, day=3)),
    (_YEAR_MONTH_DAY, _in_order(year=1, month=2, day=3)),
    (_DAYS_MONTH, _from_days),
    (_DAY_MONTH, _in_order(year=3, month=2, day=1)),
    (_MONTH_DAY, _in_order(year=3, month=1, day=2)),
    (_NUMERIC, _from_numeric),
    (_COMPACT_TIME, _from_compact_time),
    (_ISO_MONTH, _in_order(year=1, month=2)),
    (_MONTH_YEAR, _in_order(year=2, month=1)),
    (_NUMERIC_MONTH_YEAR, _in_order(year=2, month=1)),
)
_UNCLEAR: Sequence[_Reader] = (
    (_SHORT_NUMERIC, _from_numeric),
    (_COMPACT, _in_order(year=1, month=2, day=3)),
)


def _parse_unusual(text: str, language: str, region: str) -> str | None:
    """What no pattern here knows: other languages, odd orders. Both month and year must be in the text."""
    if len(text) > _MAX_UNUSUAL_CHARS or not _MAY_BE_DATE.search(text) or not _MAY_NAME_MONTH.search(text):
        return None
    settings: dict[str, object] = {
        "PARSERS": ["absolute-time"],
        "REQUIRE_PARTS": ["month", "year"],
        "DATE_ORDER": "MDY" if Locale(language, region).is_month_first else "DMY",
        "PREFER_DAY_OF_MONTH": "first",
    }
    found = _ask_dateparser(text, language, settings)
    if found is None or (language == "fa" and is_persian_year(found.year)):  # it knows one calendar only
        return None
    names_day = any(int(number) == found.day for number in _DAY.findall(text))
    return _format(found) if names_day else f"{found.year:04}-{found.month:02}"


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
