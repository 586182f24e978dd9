"""The keywords of a column over all segments of an index, and how they are ordered."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.search_engine.index.columns import KeywordColumn
from backend.search_engine.text.folding import fold_accents, fold_case


class SlotKeywords(NamedTuple):
    """Keywords over all segments: those of a slot are `codes[offsets[slot]:offsets[slot + 1]]`."""

    values: list[str]
    offsets: NDArray[np.int64]
    codes: NDArray[np.int64]

    @classmethod
    def of(cls, columns: Sequence[KeywordColumn], bases: Sequence[int]) -> "SlotKeywords":
        """Segments' columns joined, under common codes."""
        values = sorted({value for column in columns for value in column.values})
        code_of = {value: code for code, value in enumerate(values)}
        counts = np.zeros(bases[-1], dtype=np.int64)
        codes = [np.empty(0, dtype=np.int64)]
        for base, column in zip(bases, columns, strict=False):
            counts[base : base + len(column.offsets) - 1] = np.diff(column.offsets)
            renamed = np.array([code_of[value] for value in column.values], dtype=np.int64)
            codes.append(renamed[column.codes] if len(column.codes) else column.codes)
        return cls(values, np.concatenate(([0], np.cumsum(counts))), np.concatenate(codes))

    def places(self) -> NDArray[np.float64]:
        """Where the first keyword of each slot stands in the alphabet, whatever its case and accents; NaN for none."""
        order = sorted(range(len(self.values)), key=lambda code: (_letters(self.values[code]), code))
        place_of = np.empty(len(order))
        place_of[order] = np.arange(len(order))
        found = np.full(len(self.offsets) - 1, np.nan)
        has_any = self.offsets[1:] > self.offsets[:-1]
        if has_any.any():
            found[has_any] = np.minimum.reduceat(place_of[self.codes], self.offsets[:-1][has_any])
        return found

    @property
    def nbytes(self) -> int:
        """How much memory the column takes."""
        return self.offsets.nbytes + self.codes.nbytes + 80 * len(self.values)


def _letters(keyword: str) -> str:
    return fold_accents(fold_case(keyword))
