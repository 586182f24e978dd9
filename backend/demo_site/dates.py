"""Days, and the ways in which websites write them."""

from datetime import UTC, date, datetime, time
from email.utils import format_datetime
from enum import StrEnum

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
GERMAN_MONTHS = (
    "Januar", "Februar", "März", "April", "Mai", "Juni",
    "Juli", "August", "September", "Oktober", "November", "Dezember",
)  # fmt: skip

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class DateStyle(StrEnum):
    """How a website writes a day. The value shows 9 March 2024 in that style. None of them is ambiguous."""

    ISO = "2024-03-09"
    BRITISH = "9 March 2024"
    AMERICAN = "March 9, 2024"
    LONG = "Saturday, 9 March 2024"
    SHORT = "Mar 9, 2024"
    GERMAN = "9. März 2024"
    GERMAN_DIGITS = "09.03.2024"


def format_date(day: date, style: DateStyle) -> str:
    """The day as a website of this style prints it."""
    month = MONTHS[day.month - 1]
    match style:
        case DateStyle.ISO:
            return day.isoformat()
        case DateStyle.BRITISH:
            return f"{day.day} {month} {day.year}"
        case DateStyle.AMERICAN:
            return f"{month} {day.day}, {day.year}"
        case DateStyle.LONG:
            return f"{WEEKDAYS[day.weekday()]}, {day.day} {month} {day.year}"
        case DateStyle.SHORT:
            return f"{month[:3]} {day.day}, {day.year}"
        case DateStyle.GERMAN:
            return f"{day.day}. {GERMAN_MONTHS[day.month - 1]} {day.year}"
        case DateStyle.GERMAN_DIGITS:
            return f"{day.day:02d}.{day.month:02d}.{day.year}"


def http_date(day: date) -> str:
    """Midnight of the day as HTTP headers write it."""
    return format_datetime(datetime.combine(day, time(), UTC), usegmt=True)
