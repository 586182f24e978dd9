"""Amounts that are not digits alone, written as digits: 99p, 50¢, 1.5 million, $20k, 1万2000."""

import re
from decimal import Decimal

from crawler_node.extract.values.locales import Locale
from crawler_node.extract.values.numbers import find_numbers

_ZEROS = {
    3: "thousand tsd tausend tys тыс mil",
    5: "lakh lakhs lac",
    6: "million millions millionen mio mln млн millón millones milhão milhões milione milioni miljoen miljoner",
    7: "crore crores",
    9: "milliard milliards milliarden mrd mld млрд billion",
}
_EXPONENTS = {word: zeros for zeros, words in _ZEROS.items() for word in words.split()}
# Elsewhere a billion has three zeros more, and `mil` is no number.
_ONLY_IN = {"billion": frozenset({"", "en"}), "mil": frozenset({"es", "pt"})}
_LETTERS = {"k": 3, "m": 6, "mn": 6, "b": 9, "bn": 9}
_NUMBER = r"(?<![\d.,])(\d(?:[\d.,]*\d)?)"
_MAY_BE_SPELLED = re.compile(r"\d\s?(?:[^\W\d_]|¢)")
_WORD = re.compile(
    rf"{_NUMBER}\s?({'|'.join(sorted(_EXPONENTS, key=len, reverse=True))})(?![^\W\d_])\.?", re.IGNORECASE
)
# A letter counts only beside a sign: 14k gold and a 1080p screen are no amounts.
_LETTER = re.compile(rf"(?<=[$€£¥₹]){_NUMBER}([kKmMB]|mn|bn)(?!\w)|{_NUMBER}\s?([kM])(?=\s?[€£$])")
_CENTS = re.compile(rf"{_NUMBER}\s?¢")
_PENCE = re.compile(r"(?<![\w.,])(?!(?:144|240|360|480|540|576|720)p)(\d{1,3})p(?!\w)")
_EASTERN = dict.fromkeys("千천", 10**3) | dict.fromkeys("万萬만", 10**4) | dict.fromkeys("億亿억", 10**8)
_SIGNS = "".join(_EASTERN)
_EASTERN_NUMBER = re.compile(
    rf"(?<![\d.,])\d[\d,]*(?:\.\d+)?\s?[{_SIGNS}](?:\s?(?:\d[\d,]*(?:\.\d+)?\s?)?[{_SIGNS}])*(?:\s?\d[\d,]*)?"
)
_EASTERN_PART = re.compile(rf"(\d[\d,]*(?:\.\d+)?)?\s?([{_SIGNS}]?)")


def in_digits(text: str, locale: Locale) -> str:
    """`text` with its amounts in digits; as it is where they are so already. Pence become £, cents become $."""
    if _MAY_BE_SPELLED.search(text) is None:
        return text
    text = _WORD.sub(lambda match: _by_word(match, locale), text)
    text = _LETTER.sub(lambda match: _by_letter(match, locale), text)
    if locale.language in {"", "en"}:
        text = _PENCE.sub(lambda match: f"£{_plain(Decimal(match[1]) / 100)}", text)
    if text.isascii():
        return text
    text = _CENTS.sub(lambda match: _cents(match, locale), text)
    return _EASTERN_NUMBER.sub(lambda match: _plain(_eastern(match.group())), text)


def _by_word(match: re.Match[str], locale: Locale) -> str:
    word = match[2].lower()
    if locale.language not in _ONLY_IN.get(word, {locale.language}):
        return match.group()
    return _times(match[1], Decimal(10 ** _EXPONENTS[word]), locale) or match.group()


def _by_letter(match: re.Match[str], locale: Locale) -> str:
    number, letter = match[1] or match[3], match[2] or match[4]
    return _times(number, Decimal(10 ** _LETTERS[letter.lower()]), locale) or match.group()


def _cents(match: re.Match[str], locale: Locale) -> str:
    amount = _times(match[1], Decimal("0.01"), locale)
    return f"${amount}" if amount else match.group()


def _times(number: str, factor: Decimal, locale: Locale) -> str:
    """The product in plain digits, '' for what is no number."""
    found = find_numbers(number, locale)
    return _plain(found[0].value * factor) if len(found) == 1 else ""


def _plain(value: Decimal) -> str:
    return str(int(value)) if value == value.to_integral_value() else f"{value.normalize():f}"


def _eastern(written: str) -> Decimal:
    """1万2000 is 12000 and 2千万 is 20000000: a thousand counts within the next greater sign."""
    total, below = Decimal(0), Decimal(0)
    for digits, sign in _EASTERN_PART.findall(written):
        number = Decimal(digits.replace(",", "")) if digits else Decimal(0)
        if sign in "千천" and sign:
            below += (number or 1) * _EASTERN[sign]
        elif sign:
            total += (below + number) * _EASTERN[sign]
            below = Decimal(0)
        else:
            below += number
    return total + below
