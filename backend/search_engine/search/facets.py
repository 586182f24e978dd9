"""Counts of values among the matches."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.search_engine.errors import SchemaError
from backend.search_engine.index.schema import FieldKind
from backend.search_engine.index.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class TermsFacet:
    """The most frequent keywords of a field and how many matches have each."""

    field: str
    size: int = 10


@dataclass(frozen=True, slots=True)
class RangesFacet:
    """How many matches lie in each range `[edges[i], edges[i + 1])` of a number or date field."""

    field: str
    edges: tuple[float, ...]


Facet = TermsFacet | RangesFacet


@dataclass(frozen=True, slots=True)
class FacetCount:
    """A value, or a range written as (low, high), and how many matches have it."""

    value: str | tuple[float, float]
    count: int


def count_facet(snapshot: Snapshot, facet: Facet, slots: NDArray[np.int64]) -> Sequence[FacetCount]:
    """The exact counts of one facet over the documents at these slots."""
    if isinstance(facet, TermsFacet):
        return _count_terms(snapshot, facet, slots)
    return _count_ranges(snapshot, facet, slots)


def _count_terms(snapshot: Snapshot, facet: TermsFacet, slots: NDArray[np.int64]) -> list[FacetCount]:
    if snapshot.schema[facet.field].kind is not FieldKind.KEYWORD:
        raise SchemaError(f"“{facet.field}” is no keyword field; only keywords can be counted one by one.")
    column = snapshot.keywords(facet.field)
    starts, sizes = column.offsets[slots], column.offsets[slots + 1] - column.offsets[slots]
    places = np.repeat(starts - np.concatenate(([0], np.cumsum(sizes)[:-1])), sizes) + np.arange(sizes.sum())
    counts = np.bincount(column.codes[places], minlength=len(column.values))
    best = np.lexsort((np.arange(len(counts)), -counts))[: facet.size]
    return [FacetCount(column.values[code], int(counts[code])) for code in best.tolist() if counts[code]]


def _count_ranges(snapshot: Snapshot, facet: RangesFacet, slots: NDArray[np.int64]) -> list[FacetCount]:
    if snapshot.schema[facet.field].kind not in (FieldKind.NUMBER, FieldKind.DATE):
        raise SchemaError(f"“{facet.field}” holds no numbers or dates; only those have ranges.")
    if len(facet.edges) < 2 or any(a >= b for a, b in zip(facet.edges, facet.edges[1:], strict=False)):
        raise SchemaError("A range facet needs at least two edges, each greater than the one before.")
    values = snapshot.numbers(facet.field)[slots]
    places = np.searchsorted(facet.edges, values[~np.isnan(values)], "right")
    counts = np.bincount(places, minlength=len(facet.edges) + 1)
    pairs = zip(facet.edges, facet.edges[1:], strict=False)
    return [FacetCount(pair, int(counts[i + 1])) for i, pair in enumerate(pairs)]
