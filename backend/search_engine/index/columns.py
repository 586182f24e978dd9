"""Columns of a segment: numbers, dates and keywords, each in the smallest type that loses nothing."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.search_engine.errors import IndexCorruptError

_NUMBER_TYPES: Final = ("u1", "<i2", "<i4", "<f4")

Sections = dict[str, NDArray[Any]]


def pack_numbers(values: NDArray[np.float64]) -> NDArray[Any]:
    """The same numbers in the smallest type that holds them all exactly; NaN means no value."""
    for dtype in _NUMBER_TYPES:
        with np.errstate(invalid="ignore", over="ignore"):
            packed = values.astype(dtype)
        if np.array_equal(packed.astype(np.float64), values, equal_nan=dtype == "<f4"):
            return packed
    return values


def pack_unsigned(values: NDArray[Any]) -> NDArray[Any]:
    """The same non-negative integers in the smallest unsigned type."""
    largest = int(values.max(initial=0))
    return values.astype("u1" if largest < 1 << 8 else "<u2" if largest < 1 << 16 else "<u4")


class KeywordColumn(NamedTuple):
    """Keywords of a segment's documents: the codes of document i are `codes[offsets[i]:offsets[i + 1]]`."""

    values: list[str]
    """Sorted; a code is an index into it."""
    offsets: NDArray[np.int64]
    codes: NDArray[np.int64]

    @classmethod
    def of(cls, documents: Sequence[Sequence[str]]) -> "KeywordColumn":
        """The column of these documents' keywords."""
        values = sorted({word for words in documents for word in words})
        code_of = {value: code for code, value in enumerate(values)}
        sizes = np.fromiter(map(len, documents), dtype=np.int64, count=len(documents))
        codes = np.fromiter((code_of[w] for words in documents for w in words), dtype=np.int64, count=sizes.sum())
        return cls(values, np.concatenate(([0], np.cumsum(sizes))), codes)

    def documents(self) -> Iterator[list[str]]:
        """The keywords of each document, in order."""
        ends = self.offsets.tolist()
        codes = self.codes.tolist()
        for start, end in pairwise(ends):
            yield [self.values[code] for code in codes[start:end]]

    def pack(self, name: str) -> Sections:
        """The sections to write, under names that start with `name`."""
        encoded = [value.encode("utf-8", "surrogatepass") for value in self.values]
        sections = {
            f"{name}.values": np.frombuffer(b"".join(encoded), dtype="u1"),
            f"{name}.ends": pack_unsigned(np.cumsum([0, *map(len, encoded)])),
            f"{name}.codes": pack_unsigned(self.codes),
        }
        counts = np.diff(self.offsets)
        if not (counts == 1).all():
            sections[f"{name}.counts"] = pack_unsigned(counts)
        return sections

    @classmethod
    def unpack(cls, sections: Mapping[str, NDArray[Any]], name: str, documents: int) -> "KeywordColumn":
        """The column that `pack` wrote."""
        blob = sections[f"{name}.values"].tobytes()
        ends = sections[f"{name}.ends"].astype(np.int64).tolist()
        values = [blob[a:b].decode("utf-8", "surrogatepass") for a, b in pairwise(ends)]
        codes = sections[f"{name}.codes"].astype(np.int64)
        counts = sections.get(f"{name}.counts")
        sizes = np.ones(documents, dtype=np.int64) if counts is None else counts.astype(np.int64)
        offsets = np.concatenate(([0], np.cumsum(sizes)))
        if len(offsets) != documents + 1 or offsets[-1] != len(codes):
            raise IndexCorruptError(f"The column {name} does not fit its documents. Rebuild the index.")
        return cls(values, offsets, codes)
