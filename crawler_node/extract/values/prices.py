"""Prices: an amount and a currency, in any of the usual ways to write them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from crawler_node.extract.values.locales import Locale
from crawler_node.extract.values.numbers import Number, ThreeDigits, find_numbers, pick_number, western_digits
from crawler_node.extract.values.spelled_amounts import in_digits

_ISO_CODES = """
AED AFN ALL AMD ARS AUD AZN BAM BDT BGN BHD BOB BRL BYN CAD CHF CLP CNY COP CRC CZK DEM DKK DOP DZD EGP EUR GBP GEL GHS
GTQ HKD HNL HRK HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KHR KRW KWD KZT LAK LBP LKR MAD MDL MKD MMK MNT MXN MYR
NAD NGN NIO NOK NPR NZD OMR PEN PHP PKR PLN PYG QAR RMB RON RSD RUB SAR SEK SGD THB TND TRY TTD TWD TZS UAH UGX USD UYU
UZS VES VND XAF XCD XOF XPF ZAR ZMW
"""
_CODES = _ISO_CODES.split()
_SYMBOLS = {
    "US$": "USD", "U$S": "USD", "AU$": "AUD", "A$": "AUD", "CA$": "CAD", "C$": "CAD", "CDN$": "CAD", "NZ$": "NZD",
    "HK$": "HKD", "S$": "SGD", "SG$": "SGD", "NT$": "TWD", "MX$": "MXN", "R$": "BRL", "€": "EUR", "£": "GBP",
    "AR$": "ARS", "COL$": "COP", "EC$": "XCD", "J$": "JMD", "RD$": "DOP", "TT$": "TTD",
    "BZ$": "BZD", "FJ$": "FJD", "N$": "NAD", "E£": "EGP",
    "₹": "INR", "₽": "RUB", "₺": "TRY", "₩": "KRW", "₪": "ILS", "₫": "VND", "฿": "THB", "₴": "UAH", "₦": "NGN",
    "₱": "PHP", "₸": "KZT", "₡": "CRC", "₲": "PYG", "₵": "GHS", "৳": "BDT", "元": "CNY", "円": "JPY", "원": "KRW",
    "₾": "GEL", "₼": "AZN", "֏": "AMD", "₮": "MNT", "៛": "KHR", "₭": "LAK", "บาท": "THB",
    "$": "$", "¥": "¥", "￥": "¥", "＄": "$",
}  # fmt: skip
_WORDS = {
    "zł": "PLN", "zl": "PLN", "Kč": "CZK", "Kc": "CZK", "kr": "kr", "kr.": "kr", "Kr": "kr", "Kr.": "kr", "Ft": "HUF",
    "lei": "RON", "Lei": "RON", "лв": "BGN", "лв.": "BGN", "руб": "RUB", "руб.": "RUB", "р.": "RUB", "грн": "UAH",
    "грн.": "UAH", "Fr.": "CHF", "Fr": "CHF", "SFr.": "CHF", "SFr": "CHF", "sFr.": "CHF", "Rs": "INR", "Rs.": "INR",
    "Rp": "IDR", "RM": "MYR", "R": "ZAR", "TL": "TRY", "euro": "EUR", "euros": "EUR", "Euro": "EUR", "Euros": "EUR",
    "EURO": "EUR", "eur": "EUR", "Eur": "EUR", "usd": "USD", "gbp": "GBP", "dollars": "USD", "DM": "DEM",
    "DT": "TND", "KD": "KWD", "BD": "BHD", "JD": "JOD", "KSh": "KES", "Ksh": "KES", "тенге": "KZT",
    "S/": "PEN", "S/.": "PEN", 'ש"ח': "ILS", "ש״ח": "ILS",
}  # fmt: skip
_ARABIC_WORDS = {
    "د.إ": "AED", "ر.س": "SAR", "ج.م": "EGP", "ر.ق": "QAR", "د.م": "MAD", "د.ج": "DZD", "ل.ل": "LBP",
    "د.ك": "KWD", "د.ب": "BHD", "ر.ع": "OMR", "د.أ": "JOD", "د.ع": "IQD", "د.ت": "TND",
}  # fmt: skip
_WORDS |= _ARABIC_WORDS | {f"{word}.": currency for word, currency in _ARABIC_WORDS.items()}
# Beside another currency these are other things: a BD is a disc, or a bedroom.
_FAINT_WORDS = frozenset({"DT", "KD", "BD", "JD"})
# AU $5, AUD $5 and 5 $ AUD; of single letters only those that are no article and no size, with nothing before them.
_LETTERS = {
    "US": "USD", "AU": "AUD", "CA": "CAD", "CDN": "CAD", "NZ": "NZD", "HK": "HKD", "SG": "SGD", "NT": "TWD",
    "MX": "MXN", "C": "CAD", "R": "BRL",
} | {code: code for code in "USD AUD CAD NZD HKD SGD TWD MXN ARS CLP COP UYU".split()}  # fmt: skip # noqa: SIM905
_THREE_DECIMALS = frozenset({"KWD", "BHD", "OMR", "JOD", "IQD"})
_NO_DECIMALS = frozenset(
    "JPY ¥ KRW VND IDR CLP ISK PYG UGX HUF XAF XOF XPF KZT UZS COP KHR LAK MMK MNT LBP IRR".split()  # noqa: SIM905
)
# Written with a decimal point at home, whatever the language of the page around them.
_POINT_MONEY = frozenset({"$", "USD", "GBP", "AUD", "CAD", "NZD", "HKD", "SGD", "MXN", "CHF", "INR"})
_NOWHERE = Locale("", "")


def _alternatives(words: Sequence[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_LONG_LETTERS = _alternatives([word for word in _LETTERS if len(word) > 1])
# The last letter of PIZZA$12 belongs to no sign.
_LETTERED = [symbol for symbol in _SYMBOLS if re.fullmatch("[A-QS-Z][$£]", symbol)]
_FIRST = "".join(sorted({re.escape(word[0]) for word in (*_SYMBOLS, *_CODES, *_WORDS)}))
_CURRENCY = re.compile(
    rf"(?=[{_FIRST}])(?:[$] ?(?P<code>{_LONG_LETTERS})(?![^\W\d_]| ?\d)"
    rf"|(?P<symbol>(?<![A-Z])(?:{_alternatives(_LETTERED)})"
    rf"|{_alternatives([symbol for symbol in _SYMBOLS if symbol not in _LETTERED])})"
    rf"|(?<![^\W\d_])(?P<letters>{_LONG_LETTERS}) ?[$]"
    rf"|(?:\A|(?<=[-–—:(/] )|(?<=to ))(?P<letter>[CR]) [$]"
    rf"|(?<![^\W\d_])(?P<word>{_alternatives([*_CODES, *_WORDS])})(?![^\W\d_]))"
)
_NEAR = re.compile(r"[\s:=]{0,2}[-−]?")
_AFTER = re.compile(r"(?:[.,]\s?[-–—]{1,2})?\s{0,2}")
# 12€50, as the French write 12,50 €.
_CENTS_AFTER_SYMBOL = re.compile(r"(?<![\d.,])(\d{1,6})([€£])(\d{2})(?!\d)")
# 12 руб. 99 коп.
_NAMED_CENTS = re.compile(r"(?<=\d) ?(руб\.?|р\.?|грн\.?|лв\.?|zł) ?(\d{2}) ?(?:коп|к|ст|gr)(?!\w)")
# 12 ,99 €: the cents are an element of their own, with white space before it.
_PARTED_CENTS = re.compile(r"(?<=\d) (?=[.,]\d{2}(?!\d))")
# One clear amount beside one sign, as most prices are: 247,56 € or $ 1,299.00.
_AMOUNT = "((?:[0-9]{1,9}|[0-9]{1,3}(?:,[0-9]{3}){1,3}(?=[.])|[0-9]{1,3}(?:[.][0-9]{3}){1,3}(?=,))(?:[.,][0-9]{2})?)"
_PLAIN = re.compile(f"([$€£¥₹]) ?{_AMOUNT}|{_AMOUNT} ?([$€£¥₹])")
_RANGE = re.compile(r"\s*(?:-|–|—|−|~|to|bis|until|à|a|al|ao|do|tot|til|till)\s*")


@dataclass(frozen=True, slots=True)
class Price:
    """An amount and its ISO 4217 currency ('' when the text names none), with a notice where there were several."""

    amount: Decimal
    currency: str
    notice: str = ""


@dataclass(frozen=True, slots=True)
class _Mark:
    currency: str
    start: int
    end: int
    is_word: bool
    leads: bool = False
    """Whether it is the sign of the amount behind it, never of a number before it: iPhone 15 $799."""


def parse_price(source: str, locale: Locale) -> Price | None:
    """The price of a text; the first, with a notice, where it has several; None where it has none."""
    plain = _PLAIN.fullmatch(source)
    return search_price(source, locale) if plain is None else _plain_price(plain, locale)


def _plain_price(match: re.Match[str], locale: Locale) -> Price:
    """What `search_price` finds there, without searching."""
    sign, amount, other_amount, other_sign = match.groups()
    digits = (amount or other_amount).replace(",", "").replace(".", "")
    value = Decimal(digits) if len(digits) == len(amount or other_amount) else Decimal(f"{digits[:-2]}.{digits[-2:]}")
    return Price(value, _most_exact([_SYMBOLS[sign or other_sign]], locale))


def search_price(source: str, locale: Locale) -> Price | None:
    """As `parse_price`, of a text that may be anything."""
    text = _PARTED_CENTS.sub("", _CENTS_AFTER_SYMBOL.sub(r"\1.\3 \2", western_digits(source)))
    text = _NAMED_CENTS.sub(r".\2 \1", text)
    text = in_digits(text, locale)
    marks = _find_marks(text, locale)
    numbers = _find_amounts(text, marks, locale)
    if len(numbers) > 1:
        marks = _with_leading(text, marks, numbers)
    priced = [number for number in numbers if _currencies_at(text, number, marks)]
    if not numbers:
        return None
    chosen = _start_of_range(text, numbers, priced[0], marks) if priced else _first_free(numbers)
    currencies = _currencies_at(text, priced[0] if priced else chosen, marks)
    currencies = currencies or [mark.currency for mark in marks if not mark.is_word]
    amount = -chosen.value if _has_minus(text, chosen, marks) else chosen.value
    return Price(amount, _most_exact(currencies, locale), _notice(text, numbers, chosen, priced, marks))


def _find_marks(text: str, locale: Locale) -> list[_Mark]:
    matches = list(_CURRENCY.finditer(text))
    if len(matches) > 1:
        matches = [match for match in matches if match["word"] not in _FAINT_WORDS] or matches
    return [_mark(match, locale) for match in matches]


def _find_amounts(text: str, marks: Sequence[_Mark], locale: Locale) -> list[Number]:
    """1.739 and 1,739: by the locale where the currency is at home in it, else a thousand and more."""
    currencies = {mark.currency for mark in marks}
    if "TND" in currencies:
        return find_numbers(text, locale, three_digits=ThreeDigits.DECIMALS)
    if not currencies.isdisjoint(_THREE_DECIMALS):
        return find_numbers(text, locale)
    has_point = not currencies.isdisjoint(_POINT_MONEY)
    is_home = currencies.isdisjoint(_NO_DECIMALS) and has_point == (locale.decimal_separator == ".")
    return find_numbers(text, locale if is_home else _NOWHERE, three_digits=ThreeDigits.GROUP)


def _mark(match: re.Match[str], locale: Locale) -> _Mark:
    word, letters = match["word"] or "", match["code"] or match["letters"] or match["letter"]
    named = _LETTERS[letters] if letters else (_WORDS.get(word) or word)
    written = named or _SYMBOLS[match.group()]
    currency = {"kr": locale.krona, "RMB": "CNY"}.get(written, written)
    return _Mark(currency, match.start(), match.end(), is_word=bool(word))


def _with_leading(text: str, marks: Sequence[_Mark], numbers: Sequence[Number]) -> list[_Mark]:
    """Signs that touch the amount behind them and nothing before them lead it, unless it has a sign of its own."""
    amounts = {number.start: number for number in numbers}
    decimals = {number.end for number in numbers if "." in str(number.value)}
    found: list[_Mark] = []
    for mark in reversed(marks):
        amount = amounts.get(mark.end)
        is_apart = text[mark.start - 1 : mark.start].isspace() and mark.start - 1 not in decimals
        leads = is_apart and amount is not None and not _may_be_less(text, mark, amount)
        if amount is not None and found and not found[-1].is_word and _is_after(text, found[-1], amount):
            leads = False
        found.append(replace(mark, leads=leads))
    return found[::-1]


def _may_be_less(text: str, mark: _Mark, amount: Number) -> bool:
    """Whether it could be the cents of 12 €50, or the footnote of 12 €1."""
    return amount.end - amount.start <= (2 if text[mark.start : mark.end] in {"€", "£"} else 1)


def _currencies_at(text: str, number: Number, marks: Sequence[_Mark]) -> list[str]:
    """The currencies right before and right after a number."""
    return [mark.currency for mark in marks if _is_before(text, mark, number) or _is_after(text, mark, number)]


def _is_before(text: str, mark: _Mark, number: Number) -> bool:
    return mark.end <= number.start and _NEAR.fullmatch(text, mark.end, number.start) is not None


def _is_after(text: str, mark: _Mark, number: Number) -> bool:
    return not mark.leads and mark.start >= number.end and _AFTER.fullmatch(text, number.end, mark.start) is not None


def _has_minus(text: str, number: Number, marks: Sequence[_Mark]) -> bool:
    """Whether the sign stands before the currency: -$5, but not the dash of $4 -$5 or of a-$5."""
    start = next((mark.start for mark in marks if _is_before(text, mark, number)), 0)
    if not start or number.value < 0 or text[start - 1] not in "-−":
        return False
    before = text[: start - 1]
    return not before[-1:].isalnum() and not any(character.isdigit() for character in before)


def _most_exact(currencies: Sequence[str], locale: Locale) -> str:
    """An ISO code before a symbol that several countries share."""
    exact = [currency for currency in currencies if len(currency) == 3]
    if exact:
        return exact[0]
    return {"$": locale.dollar, "¥": locale.yen}.get(currencies[0], "") if currencies else ""


def _first_free(numbers: Sequence[Number]) -> Number:
    return pick_number(numbers) or numbers[0]


def _is_range(text: str, first: Number, second: Number, marks: Sequence[_Mark]) -> bool:
    between = "".join(
        character
        for position, character in enumerate(text[first.end : second.start], first.end)
        if not any(mark.start <= position < mark.end for mark in marks)
    )
    return _RANGE.fullmatch(between) is not None or (second.value < 0 and not between.strip())


def _start_of_range(text: str, numbers: Sequence[Number], priced: Number, marks: Sequence[_Mark]) -> Number:
    """In “10–20 €” the currency stands at the end only; in “iPhone 15 - $799” it says that the 15 is none."""
    index = numbers.index(priced)
    if not any(_is_after(text, mark, priced) for mark in marks):
        return priced
    if index and not numbers[index - 1].follows_letter and _is_range(text, numbers[index - 1], priced, marks):
        return numbers[index - 1]
    return priced


def _notice(
    text: str, numbers: Sequence[Number], chosen: Number, priced: Sequence[Number], marks: Sequence[_Mark]
) -> str:
    index = numbers.index(chosen)
    if index + 1 < len(numbers) and _is_range(text, chosen, numbers[index + 1], marks):
        return "The price is a range; its first amount was taken."
    if len({abs(number.value) for number in priced}) > 1:
        return "There are several prices; the first was taken."
    return ""
