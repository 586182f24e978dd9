"""Numbers as people write them: 1,299.00 and 1.299,00 and 1'299.– and 1 299,00 and −5 and ٣٫٥."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum

from crawler_node.extract.values.locales import Locale

MAX_NUMBER_CHARS = 40
# Spaces part groups of exactly three digits; the other separators are understood by `_interpret`.
_TOKEN = re.compile(r"(?<!\d)\d{1,3}(?: \d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,'’٬٫_]\d+)*|(?<![\w.,/])[.,]\d+")
_DASH_DECIMALS = re.compile(r"[.,]\s?[-–—]{1,2}(?!\d)")
# As programs write what is large or small: 1.25E7, 5e-05. Without point and sign it is rather a name, such as 2E10.
_SCIENTIFIC = re.compile(r"-?\d(?:\.\d+[eE][+\-]?|[eE][+\-])\d{1,2}")
_NOWHERE = Locale("", "")


class ThreeDigits(Enum):
    """What three digits after the only separator are where the locale does not say: 1.299 and 1,299 may be either."""

    AS_IN_ENGLISH = "a group after a comma, decimals after a point"
    GROUP = "a group"
    DECIMALS = "decimals, whatever the locale says"


@dataclass(frozen=True, slots=True)
class Number:
    """A number, where it stands in its text, and whether letters stand right before it (as in A4)."""

    value: Decimal
    start: int
    end: int
    follows_letter: bool = False


def western_digits(text: str) -> str:
    """`text` with the digits of every script written as 0 to 9."""
    if text.isascii():
        return text
    return "".join(
        str(unicodedata.decimal(character)) if character.isdecimal() and not character.isascii() else character
        for character in text
    )


def find_numbers(text: str, locale: Locale, *, three_digits: ThreeDigits = ThreeDigits.AS_IN_ENGLISH) -> list[Number]:
    """Every number of `text` in order."""
    if _SCIENTIFIC.fullmatch(text):
        return [Number(Decimal(text), 0, len(text))]
    numbers = []
    for match in _TOKEN.finditer(text):
        if match.end() - match.start() > MAX_NUMBER_CHARS:
            continue
        if _DASH_DECIMALS.match(text, match.end()):
            value = _interpret(match.group(), _NOWHERE, ThreeDigits.GROUP)
        else:
            value = _interpret(match.group(), locale, three_digits)
        if value is not None:
            numbers.append(_place(text, value, match))
    return numbers


def _place(text: str, value: Decimal, match: re.Match[str]) -> Number:
    start = match.start()
    before = text[start - 1] if start else ""
    if before and before in "-−" and (start == 1 or not text[start - 2].isalnum()):
        return Number(-value, start - 1, match.end())
    return Number(value, start, match.end(), follows_letter=before.isalpha())


def _interpret(token: str, locale: Locale, three_digits: ThreeDigits) -> Decimal | None:
    plain = token.replace(" ", "").replace("'", "").replace("’", "").replace("_", "").replace("٬", "").replace("٫", ".")
    is_grouped = len(plain) < len(token)
    points, commas = plain.count("."), plain.count(",")
    if points and commas:
        return _mixed(plain)
    if points + commas > 1:
        return _repeated(plain, "." if points else ",")
    if not points and not commas:
        return Decimal(plain)
    separator = "." if points else ","
    whole, _, rest = plain.partition(separator)
    could_group = len(rest) == 3 and 1 <= len(whole) <= 3 and whole != "0" and not is_grouped
    if could_group and _separates_groups(separator, locale, three_digits):
        return Decimal(whole + rest)
    return Decimal(f"{whole or '0'}.{rest}")


def _separates_groups(separator: str, locale: Locale, three_digits: ThreeDigits) -> bool:
    if three_digits is ThreeDigits.DECIMALS:
        return False
    if locale.decimal_separator:
        return separator != locale.decimal_separator
    return three_digits is ThreeDigits.GROUP or separator != "."


def _mixed(plain: str) -> Decimal | None:
    decimal = "." if plain.rindex(".") > plain.rindex(",") else ","
    group = "," if decimal == "." else "."
    if plain.count(decimal) > 1:
        return None
    whole, _, rest = plain.partition(decimal)
    grouped = _repeated(whole, group)
    return None if grouped is None else Decimal(f"{grouped}.{rest}")


def _repeated(plain: str, separator: str) -> Decimal | None:
    """1.234.567 and the Indian 12,34,567; None for what only looks like it, such as 1.2.3 or 24.12.2011."""
    first, *groups = plain.split(separator)
    if not 1 <= len(first) <= 3 or len(groups[-1]) != 3 or any(len(group) not in {2, 3} for group in groups):
        return None
    return Decimal(first + "".join(groups))


def pick_number(numbers: Sequence[Number]) -> Number | None:
    """The first number that is not part of a word such as A4; failing that, the first."""
    return next((number for number in numbers if not number.follows_letter), numbers[0] if numbers else None)


def to_plain(value: Decimal) -> int | float:
    """The number as JSON knows it: whole numbers stay whole."""
    return int(value) if value == value.to_integral_value() and abs(value) < 10**15 else float(value)
