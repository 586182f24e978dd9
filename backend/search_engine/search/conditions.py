"""Conditions that no value of their column can meet, because of what the column holds: found nothing, and said so."""

import re
from collections.abc import Iterator
from typing import Final

from backend.search_engine.index.schema import FieldKind, Schema
from backend.search_engine.query import And, Fuzzy, Node, Not, Notice, Or, Phrase, Prefix, Range, Word, parse_bound

_DASHED: Final = re.compile(r"[^\d\s]?(?P<low>\d+(?:[.,]\d+)*)\s*[-–—]\s*(?P<high>\d+(?:[.,]\d+)*)[^\d\s]?")
_HOLDS: Final = {
    FieldKind.TEXT: "text",
    FieldKind.KEYWORD: "keywords",
    FieldKind.NUMBER: "numbers",
    FieldKind.DATE: "dates",
}
_VALUES: Final = {
    FieldKind.NUMBER: ("10", "10..20", ">10"),
    FieldKind.DATE: ("2024-01-31", "2024-01..2024-03", ">2024"),
}

Condition = Word | Phrase | Prefix | Fuzzy | Range


def condition_notices(root: Node, schema: Schema) -> Iterator[Notice]:
    """What to tell whoever asked a column for something that it cannot hold."""
    for each in _conditions(root):
        kind = schema[str(each.field)].kind
        if not _makes_sense(each, kind):
            yield Notice(_message(each, kind), each.start, _hint(each, kind, schema))


def _conditions(node: Node) -> Iterator[Condition]:
    if isinstance(node, And | Or):
        for part in node.parts:
            yield from _conditions(part)
    elif isinstance(node, Not):
        yield from _conditions(node.part)
    elif isinstance(node, Condition) and node.field is not None:
        yield node


def _makes_sense(condition: Condition, kind: FieldKind) -> bool:
    if isinstance(condition, Range):
        ends = {FieldKind.NUMBER: condition.number_ends, FieldKind.DATE: condition.date_ends}
        return kind in ends and ends[kind]() is not None
    if kind not in _VALUES:
        return True
    bound = parse_bound(condition.text) if isinstance(condition, Word | Phrase) else None
    return bound is not None and (bound.number if kind is FieldKind.NUMBER else bound.first) is not None


def _message(condition: Condition, kind: FieldKind) -> str:
    field, holds = condition.field, _HOLDS[kind]
    if isinstance(condition, Range):
        return f"{field} holds {holds}, so no document lies in this range of it."
    if isinstance(condition, Prefix | Fuzzy):
        sign = "*" if isinstance(condition, Prefix) else "~"
        return f"{field} holds {holds}, so {sign} finds nothing in it."
    return f"{field} holds {holds}, and {condition.text[:40]} is none."


def _hint(condition: Condition, kind: FieldKind, schema: Schema) -> str:
    field = condition.field
    if kind not in _VALUES:
        ranges = ", ".join(each.name for each in schema.of_kind(*_VALUES)[:20])
        told = f"Write {field}:word."
        return f"{told} Ranges are for {ranges}." if ranges else told
    dashed = None if isinstance(condition, Range) else _DASHED.fullmatch(condition.text)
    if dashed and kind is FieldKind.NUMBER:
        return f"Write {field}:{dashed['low']}..{dashed['high']}."
    first, second, third = (f"{field}:{value}" for value in _VALUES[kind])
    return f"Write for example {first}, {second} or {third}."
