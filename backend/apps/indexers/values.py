"""From a document's values to the fields of an index, and what could not be read on the way."""

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import lxml.html
from lxml.etree import ParserError

from backend.apps.indexers.column_plans import NUMERIC, ColumnKind, ColumnPlan
from crawler_node.extract.text import normalize_space, visible_text

MAX_FACET_CHARACTERS = 200
# What XML, and so the parser, does not take: control characters, halves of characters, two that are none.
_NO_MARKUP = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_PARSER = lxml.html.HTMLParser(remove_comments=True, remove_pis=True)

Unread = Mapping[str, list[str]]
Unreadable = dict[str, str]
"""By column the text that should be a number or a date and is none."""


def column_fields(
    plan: ColumnPlan, template: int, values: Mapping[str, Any], unreadable: Unreadable, unread: Unread | None = None
) -> dict[str, Any]:
    """The fields of one column of a document; {} where it has no value. What cannot be read comes into `unreadable`.

    `unread` are the texts of its page that the crawl could not read; one is used up for a document without a value.
    """
    value = _first_value(plan, template, values)
    if value is None:
        names = plan.sources.get(template, ()) if unread else ()
        if (text := next((unread[name].pop(0) for name in names if unread.get(name)), None)) is not None:
            unreadable[plan.name] = text
        return {}
    if plan.kind in NUMERIC:
        return _number_fields(plan, value, unreadable)
    return _text_fields(plan, value, unreadable)


def _first_value(plan: ColumnPlan, template: int, values: Mapping[str, Any]) -> Any:
    """Of the first inspector of the document's template that found something."""
    found = (values.get(name) for name in plan.sources.get(template, ()))
    return next((value for value in found if value not in (None, "", [], {})), None)


def _number_fields(plan: ColumnPlan, value: Any, unreadable: Unreadable) -> dict[str, Any]:
    first = value[0] if isinstance(value, list) else value
    number = read_date(first) if plan.kind is ColumnKind.DATE else read_number(first)
    if number is None:
        unreadable[plan.name] = _written(first)
        return {}
    fields: dict[str, Any] = {plan.name: number}
    if plan.variable_field:
        fields[plan.variable_field] = number
    if plan.currency_field and isinstance(first, dict) and first.get("currency"):
        fields[plan.currency_field] = first["currency"]
    return fields


def _text_fields(plan: ColumnPlan, value: Any, unreadable: Unreadable) -> dict[str, Any]:
    parts = value if isinstance(value, list) else [value]
    texts = [_written(part, has_markup=plan.has_markup) for part in parts]
    fields: dict[str, Any] = {plan.name: "\n".join(texts) if plan.is_searched else texts}
    if plan.facet_field:
        fields[plan.facet_field] = [text for text in texts if len(text) <= MAX_FACET_CHARACTERS]
    if plan.variable_field:
        number = read_number(parts[0])
        if number is None:
            unreadable[plan.name] = texts[0]
        else:
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


def read_date(value: Any) -> float | None:
    """The seconds since 1970 that a date is, in UTC where it names no zone; None where it is none."""
    try:
        moment = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _written(value: Any, *, has_markup: bool = False) -> str:
    """A value as text; of HTML what a reader sees."""
    if isinstance(value, dict):
        return " ".join(str(part) for part in (value.get("amount"), value.get("currency")) if part not in (None, ""))
    text = str(value)
    return plain_text(text) if has_markup and "<" in text else text


def plain_text(html: str) -> str:
    """What a reader sees of a piece of HTML, whatever is in it."""
    try:
        fragment = lxml.html.fragment_fromstring(_NO_MARKUP.sub(" ", html), create_parent="div", parser=_PARSER)
    except (ParserError, AssertionError):  # a document without a body: there is nothing to see
        return ""
    return normalize_space(visible_text(fragment))
