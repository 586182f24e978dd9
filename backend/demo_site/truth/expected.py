"""What a perfect crawl of the site extracts: the words of the truth."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum

from backend.demo_site.money import Money

Value = str | int | Decimal | Money | date | tuple[str, ...]

Action = Mapping[str, str | int | float]


class FieldType(StrEnum):
    """The kinds of fields a page can hold."""

    TEXT = "text"
    NUMBER = "number"
    PRICE = "price"
    DATE = "date"
    LINK = "link"
    IMAGE = "image"


@dataclass(frozen=True, slots=True)
class FieldRule:
    """Where a field stands: an XPath 1.0 relative to the item scope, and the attribute where it is not the text."""

    selector: str
    type: FieldType = FieldType.TEXT
    attribute: str = ""
    required: bool = True
    multiple: bool = False


@dataclass(frozen=True, slots=True)
class ExpectedField:
    """One value: `shown` as a reader sees it, and what it means. Several values are shown joined by ` | `.

    Links and images mean the path they lead to, on the site's own address.
    """

    shown: str
    value: Value


@dataclass(frozen=True, slots=True)
class ExpectedDocument:
    """One document of one page. A field that the page does not show is not in `fields`."""

    path: str
    fields: Mapping[str, ExpectedField]

    @property
    def shown(self) -> dict[str, str]:
        return {name: found.shown for name, found in self.fields.items()}

    @property
    def values(self) -> dict[str, Value]:
        return {name: found.value for name, found in self.fields.items()}


@dataclass(frozen=True, slots=True)
class DocumentKind:
    """One kind of document: how to find it on a page, and all of them. `item_scope` is empty for one per page.

    `actions` are what a person does in a browser before everything is there, as the action chain of a template says it.
    `needs_browser` is true where the server's HTML does not hold the values.
    """

    name: str
    item_scope: str
    rules: Mapping[str, FieldRule]
    documents: Callable[[], Sequence[ExpectedDocument]]
    actions: tuple[Action, ...] = ()
    needs_browser: bool = False


def text(shown: str) -> ExpectedField:
    """A text, whose meaning is itself; no-break spaces look like spaces."""
    plain = normalize_space(shown)
    return ExpectedField(plain, plain)


def number(shown: object, value: int | Decimal) -> ExpectedField:
    return ExpectedField(normalize_space(str(shown)), value)


def price(shown: str, value: Money) -> ExpectedField:
    return ExpectedField(normalize_space(shown), value)


def day(shown: str, value: date) -> ExpectedField:
    return ExpectedField(normalize_space(shown), value)


def link(path: str) -> ExpectedField:
    return ExpectedField(path, path)


def texts(values: Sequence[str]) -> ExpectedField:
    """Several texts under one name."""
    plain = tuple(normalize_space(value) for value in values)
    return ExpectedField(" | ".join(plain), plain)


def present(fields: Mapping[str, ExpectedField | None]) -> dict[str, ExpectedField]:
    """The fields without those the page does not show."""
    return {name: field for name, field in fields.items() if field is not None}


def normalize_space(shown: str) -> str:
    """White space as a reader sees it; Python counts the no-break kinds as white space, too."""
    return " ".join(shown.split())
