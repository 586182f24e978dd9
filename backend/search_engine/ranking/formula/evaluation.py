"""The value of a tree over whole columns, one NumPy pass per node."""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from backend.search_engine.ranking.formula.functions import FUNCTIONS, LARGEST, OPERATORS, Column
from backend.search_engine.ranking.formula.nodes import Call, Node, Number, Variable

CHUNK_ROWS = 16_384
"""Rows evaluated at once: every intermediate column stays in the processor's cache."""

WHITELIST = {**FUNCTIONS, **OPERATORS}


def evaluate_tree(
    tree: Node, columns: Mapping[str, NDArray[np.generic]], *, checkpoint: Callable[[], None] | None = None
) -> Column:
    """One finite value per row of the columns (one row when there are none)."""
    rows = len(next(iter(columns.values()))) if columns else 1
    result = np.empty(rows)
    with np.errstate(all="ignore"):
        for start in range(0, rows, CHUNK_ROWS):
            rows_of_chunk = slice(start, start + CHUNK_ROWS)
            chunk = {name: column[rows_of_chunk] for name, column in columns.items()}
            result[rows_of_chunk] = _Evaluation(chunk, checkpoint).value(tree)
    return result


class _Evaluation:
    """One walk over the tree; a variable that occurs twice is prepared once."""

    def __init__(self, columns: Mapping[str, NDArray[np.generic]], checkpoint: Callable[[], None] | None) -> None:
        self._columns = columns
        self._checkpoint = checkpoint
        self._prepared: dict[str, Column] = {}

    def value(self, node: Node) -> Column:
        if isinstance(node, Number):
            return np.asarray(node.value, dtype=np.float64)
        if isinstance(node, Variable):
            return self._variable(node.name)
        return self._call(node)

    def _variable(self, name: str) -> Column:
        if name not in self._prepared:
            self._prepared[name] = make_finite(np.asarray(self._columns[name], dtype=np.float64))
        return self._prepared[name]

    def _call(self, node: Call) -> Column:
        if node.function == "missing":
            return is_missing(node, self._columns)
        arguments = [self.value(argument) for argument in node.arguments]
        if self._checkpoint is not None:
            self._checkpoint()
        return make_finite(WHITELIST[node.function].apply(*arguments))


def is_missing(node: Call, columns: Mapping[str, NDArray[np.generic]]) -> Column:
    """What `missing(variable)` gives for each row."""
    [variable] = node.arguments
    assert isinstance(variable, Variable)  # noqa: S101  the parser allows nothing else
    column = np.asarray(columns[variable.name], dtype=np.float64)
    return np.isnan(column).astype(np.float64)


def make_finite(values: Column) -> Column:
    """NaN becomes 0, infinities the largest number; the column itself when it is finite already."""
    if np.isfinite(values).all():
        return np.asarray(values)
    return np.nan_to_num(values, nan=0.0, posinf=LARGEST, neginf=-LARGEST)
