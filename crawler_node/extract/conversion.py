"""From what a selector found to a value of the inspector's type."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from lxml import etree

from crawler_node.extract.extraction import NoticeBook
from crawler_node.extract.selectors import Match
from crawler_node.extract.spec import FieldType
from crawler_node.extract.text import normalize_space, visible_text
from crawler_node.extract.values.addresses import absolute_link, image_named, image_of, link_of
from crawler_node.extract.values.dates import parse_date
from crawler_node.extract.values.html import escape_text, inner_html, sanitize
from crawler_node.extract.values.locales import parse_locale
from crawler_node.extract.values.numbers import find_numbers, pick_number, to_plain, western_digits
from crawler_node.extract.values.prices import parse_price
from crawler_node.extract.values.raised import price_text
from crawler_node.urls.queries import in_charset

MAX_VALUE_CHARS = 1_000_000
# Numbers and prices are looked for at the beginning of a text only.
MAX_SEARCHED_CHARS = 1_000
MAX_UNREAD_CHARS = 100

# What elements without content have to say.
_SPOKEN_ATTRIBUTE = {"meta": "content", "input": "value", "img": "alt", "area": "alt"}


@dataclass(slots=True)
class Surroundings:
    """What a value may depend on beside its own text. `absolute` holds what absolute selectors found on this page."""

    base_url: str
    locale: str
    now: datetime | None
    field: str
    notices: NoticeBook
    absolute: dict[str, Sequence[Match]]
    unread: list[str]
    """Texts of the item at hand that held no value of the field's type."""
    charset: str = ""
    """In which the page means the queries of its links, '' for UTF-8."""

    def note_unread(self, text: str, what: str) -> None:
        """There is a text, but nothing of the kind that is wanted."""
        self.notices.add(self.field, f"There is text, but no {what} in it.")
        self.unread.append(normalize_space(text[: 4 * MAX_UNREAD_CHARS])[:MAX_UNREAD_CHARS])


Convert = Callable[[str, Surroundings], object | None]


def raw_text(match: Match, kind: FieldType, attribute: str) -> str:
    """The characters a match stands for, for a field of this type; '' when there are none."""
    if isinstance(match, str):
        return match
    if attribute:
        return match.get(attribute) or ""
    if kind is FieldType.LINK:
        return link_of(match)
    if kind is FieldType.IMAGE:
        return image_of(match)
    if kind is FieldType.HTML:
        return inner_html(match)
    if kind is FieldType.DATE and match.get("datetime"):
        return match.get("datetime") or ""
    if kind is FieldType.PRICE and len(match):
        return price_text(match)
    return _own_text(match)


def _own_text(node: etree._Element) -> str:
    attribute = _SPOKEN_ATTRIBUTE.get(node.tag) if isinstance(node.tag, str) else None
    if attribute:
        return node.get(attribute) or ""
    return visible_text(node)


def to_text(text: str, around: Surroundings) -> str | None:
    """White space as a reader sees it; None when nothing is left."""
    value = normalize_space(text)
    if len(value) > MAX_VALUE_CHARS:
        around.notices.add(around.field, f"The text was cut after {MAX_VALUE_CHARS:,} characters.")
        value = value[:MAX_VALUE_CHARS]
    return value or None


def _beginning(text: str) -> str:
    return normalize_space(text[: 4 * MAX_SEARCHED_CHARS])[:MAX_SEARCHED_CHARS]


def to_number(text: str, around: Surroundings) -> int | float | None:
    """The first number of the text; a notice where there are several or none."""
    numbers = find_numbers(western_digits(_beginning(text)), parse_locale(around.locale))
    chosen = pick_number(numbers)
    if chosen is None:
        around.note_unread(text, "number")
        return None
    if len({number.value for number in numbers if number.follows_letter == chosen.follows_letter}) > 1:
        around.notices.add(around.field, "There are several numbers; the first was taken.")
    return to_plain(chosen.value)


def to_price(text: str, around: Surroundings) -> dict[str, object] | None:
    """`{"amount": …, "currency": "EUR"}`; a notice where there are several prices or none."""
    price = parse_price(_beginning(text), parse_locale(around.locale))
    if price is None:
        around.note_unread(text, "price")
        return None
    around.notices.add(around.field, price.notice)
    return {"amount": to_plain(price.amount), "currency": price.currency}


def to_date(text: str, around: Surroundings) -> str | None:
    """The date in ISO 8601; a notice where there is none."""
    value = parse_date(normalize_space(text), parse_locale(around.locale), now=around.now)
    if value is None:
        around.note_unread(text, "date")
    return value


def to_link(text: str, around: Surroundings) -> str | None:
    """The absolute address; a notice where it leads nowhere."""
    href = in_charset(text, around.charset) if around.charset and not text.isascii() else text
    value = absolute_link(href, around.base_url)
    if value is None:
        around.notices.add(around.field, "There is a link, but it leads to no address.")
    return value


def to_image(text: str, around: Surroundings) -> str | None:
    """The absolute address; of a srcset, as an attribute has it, that of the largest image."""
    return to_link(image_named(text), around)


def to_html(text: str, around: Surroundings) -> str | None:
    """Safe HTML with absolute links; a notice where it is cut."""
    if len(text) > MAX_VALUE_CHARS:
        around.notices.add(around.field, f"The HTML was cut after {MAX_VALUE_CHARS:,} characters.")
        text = text[:MAX_VALUE_CHARS]
    return sanitize(text, around.base_url) or None


def text_as_html(text: str) -> str:
    """A text node as HTML."""
    return escape_text(normalize_space(text))


CONVERT: dict[FieldType, Convert] = {
    FieldType.TEXT: to_text,
    FieldType.NUMBER: to_number,
    FieldType.PRICE: to_price,
    FieldType.DATE: to_date,
    FieldType.LINK: to_link,
    FieldType.IMAGE: to_image,
    FieldType.HTML: to_html,
}
