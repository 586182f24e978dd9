"""The user's formula: `log(review) + 1/price`, read once, checked, and evaluated over whole columns. Never `eval`."""

from backend.search_engine.ranking.formula.errors import FormulaError
from backend.search_engine.ranking.formula.formula import Formula, parse_formula
from backend.search_engine.ranking.formula.intervals import Interval
from backend.search_engine.ranking.formula.names import TEXT_VARIABLE, is_variable_name

__all__ = ["TEXT_VARIABLE", "Formula", "FormulaError", "Interval", "is_variable_name", "parse_formula"]
