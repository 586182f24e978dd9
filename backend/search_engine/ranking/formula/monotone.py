"""Whether a greater text score can never make a formula's value smaller: then the best by text are the best."""

from collections.abc import Iterable
from typing import Final

import numpy as np

from backend.search_engine.ranking.formula.evaluation import evaluate_tree
from backend.search_engine.ranking.formula.names import TEXT_VARIABLE
from backend.search_engine.ranking.formula.nodes import Call, Node, Number, Variable

RISING: Final = 1
CONSTANT: Final = 0
FALLING: Final = -1

# Only what IEEE 754 rounds correctly, so that it is monotone in every last digit: no log, exp or ^.
_SIGNS: Final = {
    "+": (1, 1),
    "-": (1, -1),
    "-x": (-1,),
    "sqrt": (1,),
    "clamp": (1, 1, 1),
    "<": (-1, 1),
    "<=": (-1, 1),
    ">": (1, -1),
    ">=": (1, -1),
}
"""What the value does when an argument grows: 1 grows or stays, -1 shrinks or stays."""


def is_monotone_in_text(tree: Node) -> bool:
    """True only if the value depends on `text` alone and never shrinks when `text` grows; False when in doubt."""
    return _trend(tree) in (RISING, CONSTANT)


def _trend(node: Node) -> int | None:
    """What the value does when `text` grows; None when that is not known."""
    if isinstance(node, Number):
        return CONSTANT
    if isinstance(node, Variable):
        return RISING if node.name == TEXT_VARIABLE else None
    trends = [_trend(argument) for argument in node.arguments]
    if node.function != "missing" and all(trend == CONSTANT for trend in trends):
        return CONSTANT
    if node.function in ("min", "max"):
        return _together(trends)
    if node.function in ("*", "/"):
        return _scaled(node, trends)
    signs = _SIGNS.get(node.function)
    if signs is None:
        return None
    return _together(None if trend is None else sign * trend for sign, trend in zip(signs, trends, strict=True))


def _together(trends: Iterable[int | None]) -> int | None:
    """The trend of a value that follows each of these."""
    known = set(trends) - {CONSTANT}
    if len(known) > 1:
        return None
    return known.pop() if known else CONSTANT


def _scaled(node: Call, trends: list[int | None]) -> int | None:
    """The trend of a product with a constant, or of a quotient by one."""
    left, right = node.arguments
    if trends[1] == CONSTANT:
        return _times(trends[0], right)
    if trends[0] == CONSTANT and node.function == "*":
        return _times(trends[1], left)
    return None


def _times(trend: int | None, factor: Node) -> int | None:
    value = float(evaluate_tree(factor, {TEXT_VARIABLE: np.zeros(1)})[0])  # any text will do: 0 * text is constant
    if trend is None or value == 0:
        return trend if trend is None else CONSTANT
    return trend if value > 0 else -trend
