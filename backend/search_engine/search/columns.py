"""Conditions on columns as masks: ranges, values, presence."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from backend.search_engine.errors import SchemaError
from backend.search_engine.fuzzy.tolerance import tolerance
from backend.search_engine.index.schema import FieldKind
from backend.search_engine.index.snapshot import Snapshot
from backend.search_engine.query import Phrase, Prefix, Range, TextLeaf, Word, parse_bound
from backend.search_engine.search.lists import Mask


@dataclass(frozen=True, slots=True)
class KeywordFilter:
    """Documents with any of these keywords."""

    field: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RangeFilter:
    """Documents whose number lies in `[low, high)`; None is open. Dates are seconds since 1970 or datetimes."""

    field: str
    low: float | datetime | None = None
    high: float | datetime | None = None


@dataclass(frozen=True, slots=True)
class RangesFilter:
    """Documents whose number lies in any of these, each `[low, high)`."""

    field: str
    ranges: tuple[tuple[float, float], ...]


Filter = KeywordFilter | RangeFilter | RangesFilter


def filter_mask(snapshot: Snapshot, wanted: Filter) -> Mask:
    """The documents that pass a filter. Raises SchemaError when the field cannot be filtered so."""
    if isinstance(wanted, KeywordFilter):
        _need(snapshot, wanted.field, FieldKind.KEYWORD)
        key = snapshot.generation, wanted  # the same few are asked for again and again, safe search with every query
        return snapshot.cache.get(key, lambda: keyword_mask(snapshot, wanted.field, wanted.values))
    _need(snapshot, wanted.field, FieldKind.NUMBER, FieldKind.DATE)
    if isinstance(wanted, RangesFilter):
        masks = [_between(snapshot, wanted.field, *each) for each in wanted.ranges]
        return np.bitwise_or.reduce(masks) if masks else _nothing(snapshot)
    return _between(snapshot, wanted.field, _seconds(wanted.low), _seconds(wanted.high))


def range_mask(snapshot: Snapshot, wanted: Range) -> Mask:
    """The documents of a range as typed; none when its ends make no sense for the column."""
    kind = snapshot.schema[wanted.field].kind
    if kind is FieldKind.DATE:
        dates = wanted.date_ends()
        return _nothing(snapshot) if dates is None else _between(snapshot, wanted.field, *map(_seconds, dates))
    ends = wanted.number_ends()
    if kind is not FieldKind.NUMBER or ends is None:
        return _nothing(snapshot)
    values = snapshot.numbers(wanted.field)
    low = np.full(1, -np.inf if ends[0] is None else ends[0])
    high = np.full(1, np.inf if ends[1] is None else ends[1])
    above = values >= low if wanted.includes_low else values > low
    below = values <= high if wanted.includes_high else values < high
    return (above & below).astype(np.uint8) & snapshot.alive


def value_mask(snapshot: Snapshot, field: str, text: str) -> Mask:
    """The documents with exactly this keyword, number or day."""
    if snapshot.schema[field].kind is FieldKind.KEYWORD:
        return keyword_mask(snapshot, field, [text])
    bound = parse_bound(text)
    return _nothing(snapshot) if bound is None else range_mask(snapshot, Range(field, bound, bound))


def leaf_mask(snapshot: Snapshot, leaf: TextLeaf) -> Mask:
    """The documents whose column has what a text asks for: a value, or keywords that begin like it or are near it."""
    field, text = str(leaf.field), leaf.text.strip().casefold()
    if isinstance(leaf, Word | Phrase):
        return value_mask(snapshot, field, leaf.text)
    if snapshot.schema[field].kind is not FieldKind.KEYWORD:
        return _nothing(snapshot)
    values = snapshot.keywords(field).values
    if isinstance(leaf, Prefix):
        return keyword_mask(snapshot, field, [value for value in values if value.casefold().startswith(text)])
    return keyword_mask(
        snapshot, field, _near(text, values, tolerance(text) if leaf.distance is None else leaf.distance)
    )


def _near(text: str, values: Sequence[str], most: int) -> list[str]:
    """The keywords at most so many typing errors away, whatever their case."""
    from rapidfuzz.distance import OSA  # noqa: PLC0415  a start without such a query need not wait for it
    from rapidfuzz.process import cdist  # noqa: PLC0415

    folded = [value.casefold() for value in values]
    errors = cdist([text], folded, scorer=OSA.distance, score_cutoff=most)[0] if folded else ()
    return [value for value, distance in zip(values, errors, strict=True) if distance <= most]


def present_mask(snapshot: Snapshot, field: str) -> Mask:
    """The documents that have any value in a field."""
    each = snapshot.schema[field]
    if each.kind is FieldKind.KEYWORD:
        has_any = np.diff(snapshot.keywords(field).offsets) > 0
    elif each.kind is FieldKind.TEXT:
        has_any = _has_text(snapshot, field)
    else:
        has_any = ~np.isnan(snapshot.numbers(field))
    return has_any.astype(np.uint8) & snapshot.alive


def keyword_mask(snapshot: Snapshot, field: str, values: Collection[str]) -> Mask:
    """The documents with any of these keywords, whatever their case."""
    column = snapshot.keywords(field)
    wanted = {value.casefold() for value in values}
    codes = [code for code, value in enumerate(column.values) if value.casefold() in wanted]
    mask = np.zeros(snapshot.slots, dtype=np.uint8)
    found = np.flatnonzero(np.isin(column.codes, codes))
    mask[np.searchsorted(column.offsets, found, "right") - 1] = 1
    return mask & snapshot.alive


def _between(snapshot: Snapshot, field: str, low: float | None, high: float | None) -> Mask:
    values = snapshot.numbers(field)
    is_in = values >= (-np.inf if low is None else low)
    if high is not None:
        is_in &= values < high
    return is_in.astype(np.uint8) & snapshot.alive


def _has_text(snapshot: Snapshot, field: str) -> NDArray[np.bool_]:
    has_any = np.zeros(snapshot.slots, dtype=bool)
    group = next(each for each in snapshot.schema.groups if each.mask([field]))
    row = [each.name for each in group.fields].index(field)
    for base, each in zip(snapshot.bases, snapshot.segments, strict=False):
        lengths = each.segment.groups[group.number].lengths[row]
        has_any[base : base + len(lengths)] = lengths > 0
    return has_any


def _seconds(moment: float | datetime | None) -> float | None:
    return moment.timestamp() if isinstance(moment, datetime) else moment


def _nothing(snapshot: Snapshot) -> Mask:
    return np.zeros(snapshot.slots, dtype=np.uint8)


def _need(snapshot: Snapshot, field: str, *kinds: FieldKind) -> None:
    if snapshot.schema[field].kind not in kinds:
        raise SchemaError(f"“{field}” is a {snapshot.schema[field].kind} field and cannot be filtered like this.")
