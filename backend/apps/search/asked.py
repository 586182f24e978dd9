"""A wish in the engine's words: conditions, facets and order checked against the index's fields."""

import math
from itertools import pairwise
from typing import Final

from backend.apps.errors import FieldErrors, Invalid
from backend.apps.indexers import standard_fields as standard
from backend.apps.search.served import Served
from backend.apps.search.wishes import Bound, Condition, FacetWish, SearchWish, ValueCondition
from backend.search_engine.index.schema import FieldKind, Schema
from backend.search_engine.query import parse_bound
from backend.search_engine.search import (
    KeywordFilter,
    RangeFilter,
    RangesFacet,
    RangesFilter,
    SearchRequest,
    Sort,
    TermsFacet,
)

DEADLINE_SECONDS: Final = 2.0
NUMERIC: Final = (FieldKind.NUMBER, FieldKind.DATE)
SORTED: Final = (*NUMERIC, FieldKind.KEYWORD)
WHAT: Final = {
    NUMERIC: "numbers or dates",
    (FieldKind.KEYWORD,): "values to choose from",
    SORTED: "numbers, dates or values to sort by",
}


class Asked:
    """Turns wishes on one index into requests; every refusal is collected before Invalid is raised."""

    def __init__(self, served: Served, schema: Schema) -> None:
        self._served = served
        self._schema = schema
        self._errors: FieldErrors = {}
        self._values_of = {each.name: each.facet_field for each in served.columns if each.facet_field}

    def request(self, wish: SearchWish, *, offset: int, limit: int) -> SearchRequest:
        filters = [found for place, each in enumerate(wish.filters) if (found := self._filter(each, place))]
        if self.is_safe(wish):
            filters.append(KeywordFilter(standard.UNSAFE, ("false",)))
        facets = {each.field: found for each in wish.facets if (found := self._facet(each))}
        sort = self._sort(wish.sort) if wish.sort else None
        if self._errors:
            raise Invalid(self._errors)
        return SearchRequest(
            limit=limit,
            offset=offset,
            count=True,
            filters=filters,
            facets=facets,
            sort=sort,
            deadline_seconds=DEADLINE_SECONDS,
        )

    def is_safe(self, wish: SearchWish) -> bool:
        """Whether unsafe documents are left out: as wished, else as the indexer says."""
        wanted = self._served.indexer.safe_search if wish.safe is None else wish.safe
        return wanted and standard.UNSAFE in self._schema

    def _filter(self, condition: Condition, place: int) -> KeywordFilter | RangeFilter | RangesFilter | None:
        path = f"filters.{place}"
        if isinstance(condition, ValueCondition):
            return self._value_filter(condition, path)
        if not self._is_of_kind(condition.field, NUMERIC, path):
            return None
        low, high = (self._bound(condition.field, each, path) for each in (condition.low, condition.high))
        if low is not None and not condition.with_low:
            low = math.nextafter(low, math.inf)
        if high is not None and condition.with_high:
            high = self._end(condition.field, condition.high, high)
        return RangeFilter(condition.field, low, high)

    def _value_filter(self, condition: ValueCondition, path: str) -> KeywordFilter | RangesFilter | None:
        name = self._values_of.get(condition.field, condition.field)
        if name in self._schema and self._schema[name].kind in NUMERIC:
            found = [(self._bound(name, each, path), each) for each in condition.values]
            ranges = tuple((low, self._end(name, each, low)) for low, each in found if low is not None)
            return RangesFilter(name, ranges)
        if not self._is_of_kind(name, (FieldKind.KEYWORD,), path):
            return None
        return KeywordFilter(name, condition.values)

    def _facet(self, wish: FacetWish) -> TermsFacet | RangesFacet | None:
        path = f"facets.{wish.field}"
        if not wish.edges:
            name = self._values_of.get(wish.field, wish.field)
            return TermsFacet(name, wish.size) if self._is_of_kind(name, (FieldKind.KEYWORD,), path) else None
        if not self._is_of_kind(wish.field, NUMERIC, path):
            return None
        found = [self._bound(wish.field, edge, path) for edge in wish.edges]
        edges = [edge for edge in found if edge is not None]
        if len(edges) < 2 or any(a >= b for a, b in pairwise(edges)):
            self._refuse(path, "A facet of ranges needs at least two edges, each greater than the one before.")
            return None
        return RangesFacet(wish.field, tuple(edges))

    def _sort(self, wanted: str) -> Sort | None:
        name = wanted.removeprefix("-")
        if name not in self._schema or self._schema[name].kind not in NUMERIC:
            name = self._values_of.get(name, name)
        if not self._is_of_kind(name, SORTED, "sort"):
            return None
        return Sort(name, descending=wanted.startswith("-"))

    def _is_of_kind(self, name: str, kinds: tuple[FieldKind, ...], path: str) -> bool:
        if name in self._schema and self._schema[name].kind in kinds:
            return True
        found = [each.name for each in self._schema.of_kind(*kinds) if each.name not in standard.FINGERPRINT]
        known = ", ".join(found) or "none"
        self._refuse(path, f"“{name}” has no {WHAT[kinds]}. Fields that have: {known}.")
        return False

    def _bound(self, name: str, given: Bound, path: str) -> float | None:
        """A number, or the beginning of a day, month or year."""
        if given is None or isinstance(given, int | float):
            return given
        bound = parse_bound(given)
        is_date = self._schema[name].kind is FieldKind.DATE
        value = None if bound is None else bound.first.timestamp() if is_date and bound.first else bound.number
        if value is None:
            what = "a date such as 2024-01-31" if is_date else "a number"
            self._refuse(path, f"“{given}” is not {what}.")
        return value

    def _end(self, name: str, given: Bound, value: float) -> float:
        """Just behind a number, or behind a day, month or year."""
        return math.nextafter(self._past(name, given, value), math.inf)

    def _past(self, name: str, given: Bound, value: float) -> float:
        """The last moment of a day, month or year that was given as an end to be included."""
        if self._schema[name].kind is not FieldKind.DATE or not isinstance(given, str):
            return value
        bound = parse_bound(given)
        return math.nextafter(bound.past.timestamp(), 0) if bound is not None and bound.past else value

    def _refuse(self, path: str, sentence: str) -> None:
        self._errors.setdefault(path, []).append(sentence)
