"""The whitelist: every function and operator of a formula, and what it gives where mathematics gives nothing.

The page docs/formula.md is made from this table, so what people read is what runs.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Column = NDArray[np.float64]

LARGEST = float(np.finfo(np.float64).max)
"""What an infinite or overflowing result becomes (with its sign)."""


@dataclass(frozen=True, slots=True)
class Function:
    """One entry of the whitelist. `apply` gets as many columns as arguments; `most` None means any number."""

    name: str
    least: int
    most: int | None
    apply: Callable[..., Column]
    meaning: str
    example: str

    @property
    def arity(self) -> str:
        """How many values it takes, in words."""
        if self.most is None:
            return f"{self.least} or more values"
        return "1 value" if self.least == 1 else f"{self.least} values"


def _divide(left: Column, right: Column) -> Column:
    return np.where(right == 0, 0.0, left / np.where(right == 0, 1.0, right))


def _power(base: Column, exponent: Column) -> Column:
    by_zero = (base == 0) & (exponent < 0)
    return np.where(by_zero, 0.0, np.power(np.where(by_zero, 1.0, base), exponent))


def _log(value: Column) -> Column:
    return np.where(value > 0, np.log(np.where(value > 0, value, 1.0)), 0.0)


def _log10(value: Column) -> Column:
    return np.where(value > 0, np.log10(np.where(value > 0, value, 1.0)), 0.0)


def _sqrt(value: Column) -> Column:
    return np.sqrt(np.maximum(value, 0.0))


def _least(*values: Column) -> Column:
    result = values[0]
    for value in values[1:]:
        result = np.minimum(result, value)
    return result


def _greatest(*values: Column) -> Column:
    result = values[0]
    for value in values[1:]:
        result = np.maximum(result, value)
    return result


def _choose(condition: Column, then: Column, otherwise: Column) -> Column:
    return np.where(condition != 0, then, otherwise)


def _clamp(value: Column, low: Column, high: Column) -> Column:
    return np.minimum(np.maximum(value, low), high)


def _truth(compare: Callable[[Column, Column], NDArray[np.bool_]]) -> Callable[[Column, Column], Column]:
    return lambda left, right: np.asarray(compare(left, right), dtype=np.float64)


def _unreachable(_: Column) -> Column:
    raise AssertionError("missing() is answered by the evaluator, which alone sees which values are absent")


FUNCTIONS = {
    function.name: function
    for function in (
        Function("min", 2, None, _least, "the smallest of the values", "min(votes, 100)"),
        Function("max", 2, None, _greatest, "the largest of the values", "max(price, 1)"),
        Function("log", 1, 1, _log, "natural logarithm", "log(review)"),
        Function("log10", 1, 1, _log10, "logarithm to base 10", "log10(votes)"),
        Function("sqrt", 1, 1, _sqrt, "square root", "sqrt(votes)"),
        Function("abs", 1, 1, np.abs, "the value without its sign", "abs(price - 100)"),
        Function("exp", 1, 1, np.exp, "e to the power of the value", "exp(-age / 30)"),
        Function(
            "if", 3, 3, _choose, "the second value where the first is not 0, else the third", "if(stock > 0, 5, 0)"
        ),
        Function(
            "clamp", 3, 3, _clamp, "the first value, kept between the second and the third", "clamp(votes, 0, 50)"
        ),
        Function(
            "missing", 1, 1, _unreachable, "1 where a document has no value for the variable, else 0", "missing(price)"
        ),
    )
}

OPERATORS = {
    function.name: function
    for function in (
        Function("+", 2, 2, np.add, "sum", "text + votes"),
        Function("-", 2, 2, np.subtract, "difference", "text - price"),
        Function("*", 2, 2, np.multiply, "product", "text * 2"),
        Function("/", 2, 2, _divide, "quotient", "votes / 10"),
        Function("^", 2, 2, _power, "power, from right to left; -2^2 is -4", "rating^2"),
        Function("-x", 1, 1, np.negative, "minus sign", "-price"),
        Function("<", 2, 2, _truth(np.less), "1 when less, else 0", "if(price < 10, 1, 0)"),
        Function("<=", 2, 2, _truth(np.less_equal), "1 when less or equal, else 0", "if(price <= 10, 1, 0)"),
        Function(">", 2, 2, _truth(np.greater), "1 when greater, else 0", "if(price > 10, 1, 0)"),
        Function(">=", 2, 2, _truth(np.greater_equal), "1 when greater or equal, else 0", "if(price >= 10, 1, 0)"),
        Function("=", 2, 2, _truth(np.equal), "1 when equal, else 0", "if(stars = 5, 1, 0)"),
        Function("!=", 2, 2, _truth(np.not_equal), "1 when different, else 0", "if(stars != 5, 1, 0)"),
    )
}

DEFAULTS = (
    ("a document has no value for a variable", "0", "votes/10 of a document without votes"),
    ("division by zero, or zero to a negative power", "0", "1/price of something free"),
    ("logarithm of zero or of a negative number", "0", "log(review) without reviews"),
    ("square root of a negative number", "0", "sqrt(-4)"),
    ("negative number to a fractional power", "0", "(-8)^0.5"),
    ("result too large to hold", "the largest number, about 1.8e308, with its sign", "exp(1000)"),
)
"""(where mathematics gives nothing, what the formula gives, example): shown to people beside the formula."""
