"""The columns of an export: one for each inspector, and how flat formats spread their values over cells."""

import json
import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from crawler_node.extract.spec import FieldType, InspectorSpec

JOINER = " | "
UNENCODABLE = re.compile("[\ud800-\udfff]")
UNWRITABLE = re.compile("[\x00\ud800-\udfff]")

Scalar = str | int | float


@dataclass(frozen=True, slots=True)
class Column:
    """One inspector, or one of our own: the page's address, and what was asked for beside it."""

    name: str
    type: FieldType = FieldType.TEXT
    multiple: bool = False


@dataclass(frozen=True, slots=True)
class FlatColumn:
    """One cell of a flat format: a part of a column's value."""

    heading: str
    source: str
    is_number: bool
    multiple: bool
    pick: Callable[[Any], Scalar | None]

    def items(self, value: Any) -> list[Scalar]:
        """Every value there is, none when there is none. Currencies keep their places beside the amounts."""
        found = value if isinstance(value, list) else [value]
        picked = list(map(self.pick, found))
        if self.pick is currency_of and any(picked):
            return ["" if item is None else item for item in picked]
        return [item for item in picked if item is not None]

    def cell(self, value: Any) -> Scalar | None:
        """One value as it is, several as one text."""
        items = self.items(value)
        if len(items) > 1:
            return JOINER.join(map(str, items))
        return items[0] if items else None


def columns_of(inspectors: Iterable[InspectorSpec]) -> list[Column]:
    return [Column(inspector.name, inspector.type, inspector.multiple) for inspector in inspectors]


def merge_columns(lists: Iterable[Sequence[Column]]) -> list[Column]:
    """The columns of several templates, each name once; a name of several types is text, the type all can be."""
    merged: dict[str, Column] = {}
    for column in (column for columns in lists for column in columns):
        known = merged.setdefault(column.name, column)
        kind = known.type if known.type is column.type else FieldType.TEXT
        merged[column.name] = Column(column.name, kind, known.multiple or column.multiple)
    return list(merged.values())


def free_name(wanted: str, taken: Iterable[str]) -> str:
    """The name itself, or the first numbered one that nobody has."""
    names, number, name = set(taken), 2, wanted
    while name in names:
        name, number = f"{wanted}_{number}", number + 1
    return name


def flatten_columns(columns: Iterable[Column]) -> list[FlatColumn]:
    """A price becomes an amount and a currency; no two headings are the same."""
    flat: list[FlatColumn] = []
    for column in columns:
        for suffix, is_number, pick in _parts_of(column.type):
            heading = free_name(as_text(column.name) + suffix, (known.heading for known in flat))
            flat.append(FlatColumn(heading, column.name, is_number, column.multiple, pick))
    return flat


def _parts_of(kind: FieldType) -> list[tuple[str, bool, Callable[[Any], Scalar | None]]]:
    if kind is FieldType.PRICE:
        return [("_amount", True, amount_of), ("_currency", False, currency_of)]
    return [("", True, amount_of)] if kind is FieldType.NUMBER else [("", False, text_of)]


def amount_of(value: Any) -> Scalar | None:
    """The number; text where the document is older than the inspector's type."""
    if isinstance(value, dict) and "amount" in value:
        value = value["amount"]
    return value if _is_number(value) else text_of(value)


def currency_of(value: Any) -> str | None:
    return (as_text(str(value["currency"])) or None) if isinstance(value, dict) and value.get("currency") else None


def text_of(value: Any) -> str | None:
    if value is None:
        return None
    if isinstance(value, str):
        return as_text(value)
    if isinstance(value, dict) and "amount" in value:
        return as_text(f"{value['amount']} {value.get('currency') or ''}".strip())
    return as_text(json.dumps(value, ensure_ascii=False))


def as_text(text: str) -> str:
    """Text that every format can hold: no NUL, no half characters."""
    return UNWRITABLE.sub("", text)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
