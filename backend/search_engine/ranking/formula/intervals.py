"""What a formula can give when `text` is only known to lie between two numbers: interval arithmetic over columns.

Where IEEE 754 rounds correctly, rounding keeps order, so the ends of an interval are the values at its ends; where it
does not (exp, log, ^), the ends are moved outwards by more than a library can be wrong. A part of the formula that does
not depend on `text` is a point and is computed once. (Moore, Kearfott & Cloud 2009, Introduction to interval analysis.)
"""

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.search_engine.ranking.formula.evaluation import CHUNK_ROWS, WHITELIST, is_missing, make_finite
from backend.search_engine.ranking.formula.functions import LARGEST, Column
from backend.search_engine.ranking.formula.names import TEXT_VARIABLE
from backend.search_engine.ranking.formula.nodes import Call, Node, Number, Variable

_LIBRARY_ERROR: Final = 1e-12
"""Many times what exp, log or power of any library is wrong by, as a share of the result."""
_LEAST_ERROR: Final = 1e-300
_LEAST_LOG: Final = -1e3
"""Less than the logarithm of any number that is more than 0."""


class Interval(NamedTuple):
    """Per row the least and the greatest possible value; a point when both are the same array."""

    low: Column
    high: Column

    @classmethod
    def point(cls, values: Column) -> "Interval":
        """Values that are known."""
        return cls(values, values)

    @property
    def is_point(self) -> bool:
        """Whether every value is known."""
        return self.low is self.high


Rule = Callable[..., Interval]


def bound_tree(
    tree: Node,
    columns: Mapping[str, NDArray[np.generic]],
    text: Interval,
    *,
    checkpoint: Callable[[], None] | None = None,
) -> Interval:
    """Between what `evaluate_tree` lies for every value of `text` in its interval."""
    low, high = np.empty(len(text.low)), np.empty(len(text.low))
    is_point = True
    with np.errstate(all="ignore"):
        for start in range(0, len(low), CHUNK_ROWS):
            rows = slice(start, start + CHUNK_ROWS)
            chunk = {name: column[rows] for name, column in columns.items()}
            part = Interval.point(text.low[rows]) if text.is_point else Interval(text.low[rows], text.high[rows])
            found = _Bounds(chunk, part, checkpoint).value(tree)
            low[rows], high[rows] = found
            is_point = is_point and found.is_point
    return Interval.point(low) if is_point else Interval(low, high)


class _Bounds:
    """One walk over the tree."""

    def __init__(
        self, columns: Mapping[str, NDArray[np.generic]], text: Interval, checkpoint: Callable[[], None] | None
    ) -> None:
        self._columns = columns
        self._text = _finite(text)
        self._checkpoint = checkpoint

    def value(self, node: Node) -> Interval:
        if isinstance(node, Number):
            return Interval.point(np.asarray(node.value, dtype=np.float64))
        if isinstance(node, Variable):
            if node.name == TEXT_VARIABLE:
                return self._text
            return Interval.point(make_finite(np.asarray(self._columns[node.name], dtype=np.float64)))
        return self._call(node)

    def _call(self, node: Call) -> Interval:
        if node.function == "missing":
            columns = {**self._columns, TEXT_VARIABLE: self._text.low}
            return Interval.point(is_missing(node, columns))
        arguments = [self.value(argument) for argument in node.arguments]
        if self._checkpoint is not None:
            self._checkpoint()
        if all(each.is_point for each in arguments):
            return Interval.point(make_finite(WHITELIST[node.function].apply(*(each.low for each in arguments))))
        return _finite(RULES[node.function](*arguments))


def _finite(interval: Interval) -> Interval:
    if interval.is_point:
        return Interval.point(make_finite(interval.low))
    return Interval(make_finite(interval.low), make_finite(interval.high))


def _widened(low: Column, high: Column) -> Interval:
    low, high = make_finite(low), make_finite(high)
    return Interval(
        low - (_LIBRARY_ERROR * np.abs(low) + _LEAST_ERROR), high + (_LIBRARY_ERROR * np.abs(high) + _LEAST_ERROR)
    )


def _rising(name: str) -> Rule:
    """Of a function that never shrinks when an argument grows."""
    apply = WHITELIST[name].apply
    return lambda *each: Interval(apply(*(one.low for one in each)), apply(*(one.high for one in each)))


def _corners(name: str, left: Interval, right: Interval) -> Interval:
    """Of a function that has its extremes where both arguments have theirs."""
    apply = WHITELIST[name].apply
    values = [apply(one, other) for one in _ends(left) for other in _ends(right)]
    return Interval(reduce(np.minimum, values), reduce(np.maximum, values))


def _ends(interval: Interval) -> tuple[Column, ...]:
    return (interval.low,) if interval.is_point else tuple(interval)


def _unless(
    condition: NDArray[np.bool_], usual: Interval, otherwise: tuple[Column | float, Column | float]
) -> Interval:
    return Interval(np.where(condition, otherwise[0], usual.low), np.where(condition, otherwise[1], usual.high))


_ANYTHING: Final = (-LARGEST, LARGEST)


def _subtract(left: Interval, right: Interval) -> Interval:
    return Interval(left.low - right.high, left.high - right.low)


def _negate(value: Interval) -> Interval:
    return Interval(-value.high, -value.low)


def _divide(left: Interval, right: Interval) -> Interval:
    may_be_zero = (right.low <= 0) & (right.high >= 0) & (right.low < right.high)
    return _unless(may_be_zero, _corners("/", left, right), _ANYTHING)


def _absolute(value: Interval) -> Interval:
    low = np.maximum(np.maximum(value.low, -value.high), 0.0)
    return Interval(low, np.maximum(-value.low, value.high))


def _power(base: Interval, exponent: Interval) -> Interval:
    apply = WHITELIST["^"].apply
    is_smooth = (base.low > 0) | ((base.low >= 0) & (exponent.low > 0))
    smooth = _corners("^", base, exponent)
    is_whole = exponent.is_point & (exponent.low >= 1) & (exponent.low == np.floor(exponent.low))
    is_even = np.mod(exponent.low, 2) == 0
    size = _absolute(base)
    even = Interval(apply(size.low, exponent.low), apply(size.high, exponent.low))
    odd = Interval(apply(base.low, exponent.low), apply(base.high, exponent.low))
    found = _unless(is_whole & is_even, _unless(is_whole, smooth, odd), even)
    return _widened(*_unless(~is_smooth & ~is_whole, found, _ANYTHING))


def _logarithm(name: str) -> Rule:
    apply = WHITELIST[name].apply

    def rule(value: Interval) -> Interval:
        low, high = _widened(apply(value.low), apply(value.high))
        is_unsure = (value.low <= 0) & (value.high > 0)
        return _unless(is_unsure, Interval(low, high), (np.full_like(high, _LEAST_LOG), np.maximum(high, 0.0)))

    return rule


def _exponential(value: Interval) -> Interval:
    return _widened(np.exp(value.low), np.exp(value.high))


def _choose(condition: Interval, then: Interval, otherwise: Interval) -> Interval:
    is_true = (condition.low > 0) | (condition.high < 0)
    is_false = (condition.low == 0) & (condition.high == 0)
    low = np.where(is_true, then.low, np.where(is_false, otherwise.low, np.minimum(then.low, otherwise.low)))
    high = np.where(is_true, then.high, np.where(is_false, otherwise.high, np.maximum(then.high, otherwise.high)))
    return Interval(low, high)


def _truth(is_sure: NDArray[np.bool_], is_possible: NDArray[np.bool_]) -> Interval:
    return Interval(np.asarray(is_sure, dtype=np.float64), np.asarray(is_possible, dtype=np.float64))


def _less(left: Interval, right: Interval) -> Interval:
    return _truth(left.high < right.low, left.low < right.high)


def _less_or_equal(left: Interval, right: Interval) -> Interval:
    return _truth(left.high <= right.low, left.low <= right.high)


def _equal(left: Interval, right: Interval) -> Interval:
    are_known = (left.low == left.high) & (right.low == right.high)
    return _truth(are_known & (left.low == right.low), (left.low <= right.high) & (right.low <= left.high))


def _different(left: Interval, right: Interval) -> Interval:
    equal = _equal(left, right)
    return Interval(1 - equal.high, 1 - equal.low)


RULES: Final[Mapping[str, Rule]] = {
    "min": _rising("min"),
    "max": _rising("max"),
    "log": _logarithm("log"),
    "log10": _logarithm("log10"),
    "sqrt": _rising("sqrt"),
    "abs": _absolute,
    "exp": _exponential,
    "if": _choose,
    "clamp": _rising("clamp"),
    "+": _rising("+"),
    "-": _subtract,
    "*": lambda left, right: _corners("*", left, right),
    "/": _divide,
    "^": _power,
    "-x": _negate,
    "<": _less,
    "<=": _less_or_equal,
    ">": lambda left, right: _less(right, left),
    ">=": lambda left, right: _less_or_equal(right, left),
    "=": _equal,
    "!=": _different,
}
"""How intervals go through each function and operator; `missing` does not look at values."""
