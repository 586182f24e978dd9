"""Days of other calendars than the Gregorian: the Persian year 1402 and the Thai year 2566 are 2023."""

import re
from datetime import date

_THAI_YEAR = re.compile(r"(?:พ\.ศ\.\s?)?(?<!\d)(2[4-6]\d{2})(?!\d)")
_THAI_LEAD = 543
_FIRST_PERSIAN_YEAR, _LAST_PERSIAN_YEAR = 1200, 1500


def is_persian_year(year: int) -> bool:
    """Whether a year of a Persian text counts from the Hijra."""
    return _FIRST_PERSIAN_YEAR <= year <= _LAST_PERSIAN_YEAR


def persian_date(year: int, month: int, day: int) -> date:
    """The day of the solar Hijri calendar (leap years by cycles of 33); ValueError when it has no such day."""
    if not 1 <= month <= 12 or not 1 <= day <= (31 if month <= 6 else 30):
        raise ValueError(f"{year}/{month}/{day}")
    ordinal = _new_year(year) + 30 * (month - 1) + min(month - 1, 6) + day - 1
    if ordinal >= _new_year(year + 1):
        raise ValueError(f"{year}/{month}/{day}")
    return date.fromordinal(ordinal)


def _new_year(year: int) -> int:
    """The ordinal of the first day of a year."""
    cycles, rest = divmod(year + 1595, 33)
    return 365 * (year + 1595) + 8 * cycles + (rest + 3) // 4 - 356_032


def in_common_era(text: str) -> str:
    """A Thai text with its Buddhist years, from 2400 on, in the common era."""
    return _THAI_YEAR.sub(lambda match: str(int(match[1]) - _THAI_LEAD), text)
