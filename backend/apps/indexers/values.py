"""From a document's values to the fields of an index, and what could not be read on the way."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import lxml.html

from backend.apps.indexers.column_plans import NUMERIC, ColumnKind, ColumnPlan
from crawler_node.extract.text import normalize_space, visible_text
from wording import say_count

MAX_EXAMPLES = 3
MAX_EXAMPLE_CHARACTERS = 100
MAX_FACET_CHARACTERS = 200


Unread = Mapping[str, list[str]]


@dataclass
class Problems:
    """Of each column that should hold numbers or dates: how many values there were, how many could not be read."""

    by_column: dict[str, dict[str, Any]] = field(default_factory=dict)

    def count(self, column: str, *, unreadable: str | None = None) -> None:
        told = self.by_column.setdefault(column, {"values": 0, "unreadable": 0, "examples": []})
        told["values"] += 1
        if unreadable is not None:
            told["unreadable"] += 1
            example = unreadable[:MAX_EXAMPLE_CHARACTERS]
            if example not in told["examples"] and len(told["examples"]) < MAX_EXAMPLES:
                told["examples"].append(example)


def column_fields(
    plan: ColumnPlan, template: int, values: Mapping[str, Any], problems: Problems, unread: Unread | None = None
) -> dict[str, Any]:
    """The fields of one column of a document; {} where it has no value.

    `unread` are the texts of its page that the crawl could not read; one is used up for a document without a value.
    """
    value = _first_value(plan, template, values)
    if value is None:
        names = plan.sources.get(template, ()) if unread else ()
        if (text := next((unread[name].pop(0) for name in names if unread.get(name)), None)) is not None:
            problems.count(plan.name, unreadable=text)
        return {}
    if plan.kind in NUMERIC:
        return _number_fields(plan, value, problems)
    return _text_fields(plan, value, problems)


def _first_value(plan: ColumnPlan, template: int, values: Mapping[str, Any]) -> Any:
    """Of the first inspector of the document's template that found something."""
    found = (values.get(name) for name in plan.sources.get(template, ()))
    return next((value for value in found if value not in (None, "", [], {})), None)


def _number_fields(plan: ColumnPlan, value: Any, problems: Problems) -> dict[str, Any]:
    first = value[0] if isinstance(value, list) else value
    number = read_date(first) if plan.kind is ColumnKind.DATE else read_number(first)
    problems.count(plan.name, unreadable=_written(first) if number is None else None)
    if number is None:
        return {}
    fields: dict[str, Any] = {plan.name: number}
    if plan.variable_field:
        fields[plan.variable_field] = number
    if plan.currency_field and isinstance(first, dict) and first.get("currency"):
        fields[plan.currency_field] = first["currency"]
    return fields


def _text_fields(plan: ColumnPlan, value: Any, problems: Problems) -> dict[str, Any]:
    parts = value if isinstance(value, list) else [value]
    texts = [_written(part, has_markup=plan.has_markup) for part in parts]
    fields: dict[str, Any] = {plan.name: "\n".join(texts) if plan.is_searched else texts}
    if plan.facet_field:
        fields[plan.facet_field] = [text for text in texts if len(text) <= MAX_FACET_CHARACTERS]
    if plan.variable_field:
        number = read_number(parts[0])
        problems.count(plan.name, unreadable=texts[0] if number is None else None)
        if number is not None:
            fields[plan.variable_field] = number
    return fields


def read_number(value: Any) -> float | None:
    """The number that a value is, or a price's amount; None where it is none."""
    if isinstance(value, dict):
        value = value.get("amount")
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def read_date(value: Any) -> str | None:
    """The date as the engine takes it; None where it is none."""
    try:
        datetime.fromisoformat(value)
    except (TypeError, ValueError):
        return None
    return str(value)


def _written(value: Any, *, has_markup: bool = False) -> str:
    """A value as text; of HTML what a reader sees."""
    if isinstance(value, dict):
        return " ".join(str(part) for part in (value.get("amount"), value.get("currency")) if part not in (None, ""))
    text = str(value)
    return plain_text(text) if has_markup and "<" in text else text


def plain_text(html: str) -> str:
    """What a reader sees of a piece of HTML."""
    return normalize_space(visible_text(lxml.html.fragment_fromstring(html, create_parent="div")))


def problem_sentences(problems: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """What to tell a person about values that could not be read."""
    sentences = []
    for column, told in problems.items():
        if told["unreadable"]:
            share = 100 * told["unreadable"] / told["values"]
            examples = ", ".join(f"“{example}”" for example in told["examples"])
            sentences.append(
                f"{told['unreadable']:,} of {say_count(told['values'], 'value')} ({share:.3g} %) of the column "
                f"“{column}” cannot be read as numbers or dates, for example {examples}. "
                "Give the inspector the right type or a clean-up."
            )
    return sentences
