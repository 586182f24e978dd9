"""From the text of a formula to its tree: a LALR grammar, and a transformer that can build whitelisted nodes only."""

import math
from functools import cache
from typing import Any

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken, VisitError

from backend.search_engine.nearest import nearest_name
from backend.search_engine.ranking.formula.errors import FormulaError
from backend.search_engine.ranking.formula.functions import FUNCTIONS, LARGEST
from backend.search_engine.ranking.formula.nodes import Call, Node, Number, Variable

GRAMMAR = r"""
?start: comparison
?comparison: sum | sum COMPARE sum -> operation
?sum: product | sum (PLUS | MINUS) product -> operation
?product: signed | product (TIMES | DIVIDE) signed -> operation
?signed: power | MINUS signed -> negation | PLUS signed -> plus
?power: atom | atom POWER signed -> operation
?atom: NUMBER -> number
     | NAME -> variable
     | NAME "(" [comparison ("," comparison)*] ")" -> call
     | "(" comparison ")"

COMPARE: "<=" | ">=" | "!=" | "==" | "<" | ">" | "=" | "≤" | "≥" | "≠"
PLUS: "+"
MINUS: "-" | "−" | "–"
TIMES: "*" | "×" | "·"
DIVIDE: "/" | "÷"
POWER: "**" | "^"
NUMBER: /(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?/
NAME: /[^\W\d]\w*/
%ignore /\s+/
"""

_SIGNS = {"−": "-", "–": "-", "×": "*", "·": "*", "÷": "/", "**": "^", "==": "=", "≤": "<=", "≥": ">=", "≠": "!="}


@v_args(inline=True)
class _TreeBuilder(Transformer[Token, Node]):
    """Called bottom-up while the parser reads, so depth of nesting never becomes depth of recursion."""

    def number(self, token: Token) -> Node:
        value = float(token)
        if not math.isfinite(value):
            raise FormulaError(
                f"The number {_shorten(token)} is too large.", _position(token), f"The largest is about {LARGEST:.2g}."
            )
        return Number(value)

    def variable(self, token: Token) -> Node:
        if token in FUNCTIONS:
            example = FUNCTIONS[token].example
            raise FormulaError(f"{token} is a function and needs parentheses.", _position(token), f"Example: {example}")
        return Variable(str(token), _position(token))

    def operation(self, left: Node, sign: Token, right: Node) -> Node:
        return Call(_SIGNS.get(sign, str(sign)), (left, right), _position(sign))

    def negation(self, sign: Token, operand: Node) -> Node:
        if isinstance(operand, Number):
            return Number(-operand.value)
        return Call("-x", (operand,), _position(sign))

    def plus(self, _: Token, operand: Node) -> Node:
        return operand

    def call(self, token: Token, *arguments: Node | None) -> Node:
        values = tuple(argument for argument in arguments if argument is not None)
        function = FUNCTIONS.get(token)
        if function is None:
            raise _unknown_function(token)
        if len(values) < function.least or (function.most is not None and len(values) > function.most):
            message = f"{token} takes {function.arity}, but here it has {len(values)}."
            raise FormulaError(message, _position(token), f"Example: {function.example}")
        if function is FUNCTIONS["missing"] and not isinstance(values[0], Variable):
            message = "missing asks about one variable, not about a calculation."
            raise FormulaError(message, _position(token), f"Example: {function.example}")
        return Call(str(token), values, _position(token))


def parse_tree(text: str) -> Node:
    """The tree of a formula; FormulaError with the place of the first fault."""
    try:
        return _parser().parse(text)  # type: ignore[return-value]  # the transformer makes nodes of lark's trees
    except VisitError as error:
        if isinstance(error.orig_exc, FormulaError):
            raise error.orig_exc from None
        raise
    except UnexpectedInput as error:
        raise _explain(text, error) from None


@cache
def _parser() -> Lark:
    return Lark(GRAMMAR, parser="lalr", transformer=_TreeBuilder(), maybe_placeholders=True)


def _position(token: Token) -> int:
    return token.start_pos or 0


def _shorten(text: str) -> str:
    return text if len(text) <= 20 else text[:20] + "…"


def _unknown_function(token: Token) -> FormulaError:
    near = nearest_name(str(token), FUNCTIONS)
    known = "Known functions: " + ", ".join(FUNCTIONS) + "."
    hint = f"Did you mean {near}? {known}" if near else known
    return FormulaError(f"There is no function {_shorten(token)}.", _position(token), hint)


def _explain(text: str, error: UnexpectedInput) -> FormulaError:
    if isinstance(error, UnexpectedCharacters):
        return _explain_character(text, error.pos_in_stream or 0)
    if isinstance(error, UnexpectedToken) and error.token.type != "$END":
        return _explain_token(text, error.token)
    if text.count("(") > text.count(")"):
        return FormulaError("A parenthesis is opened but not closed.", _last_open(text), "Add ) where it should end.")
    return FormulaError("The formula stops too early.", len(text), "A value is missing at its end, as in votes/10.")


def _explain_character(text: str, position: int) -> FormulaError:
    sign = text[position]
    hint = "A formula has numbers, variables, functions, + - * / ^ and parentheses."
    if sign in "\"'":
        hint = "Names are written without quotes, as in log(review)."
    return FormulaError(f"The character {sign} means nothing here.", position, hint)


def _explain_token(text: str, token: Any) -> FormulaError:
    position = _position(token)
    if token.type == "RPAR" and text[:position].count("(") <= text[:position].count(")"):
        return FormulaError("A parenthesis is closed that was never opened.", position, "Remove ) or add ( before it.")
    if token.type in ("NUMBER", "NAME", "LPAR"):
        message = f"An operator is missing before {_shorten(token)}."
        return FormulaError(message, position, "Write * to multiply, as in 2 * votes.")
    if token.type == "COMMA":
        hint = "Write decimals with a point, as in 1.5; commas separate the values of a function, as in min(a, b)."
        return FormulaError("A comma means nothing here.", position, hint)
    return FormulaError(
        f"A value is missing before {_shorten(token)}.", position, "An operator needs a value on both sides."
    )


def _last_open(text: str) -> int:
    """Where the innermost parenthesis without a partner stands."""
    opened: list[int] = []
    for position, sign in enumerate(text):
        if sign == "(":
            opened.append(position)
        elif sign == ")" and opened:
            opened.pop()
    return opened[-1]
