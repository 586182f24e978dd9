"""The page docs/formula.md, made from the tables that run.

`python -m backend.search_engine.ranking.formula.reference > docs/formula.md`
"""

import sys
from collections.abc import Iterable

from backend.search_engine.ranking.formula.formula import MAX_CHARACTERS, MAX_DEPTH, MAX_NODES
from backend.search_engine.ranking.formula.functions import DEFAULTS, FUNCTIONS, OPERATORS, Function

_INTRODUCTION = """\
# The ranking formula

A formula changes the order of the results by what is known about each document: `log(review)`, `votes/10`, `1/price`.

- A **variable** is the variable name of a column: letters (of any script), digits and `_`, no digit first.
  Upper and lower case differ.
- **`text`** is the text score (BM25 with its bonuses). A formula that does not use `text` is added to it:
  `log(review)` means `text + log(review)`. A formula that uses it is the whole score: `text * log(review)`.
- Numbers have a decimal point: `1.5`, `2e3`. `×`, `÷`, `−`, `≤`, `≥`, `≠` and `**` are understood as well.
"""

_LIMITS = f"""\
## Limits

At most {MAX_CHARACTERS:,} characters, {MAX_NODES} numbers, variables and operations, nested at most {MAX_DEPTH} deep.
A formula that is wrong is refused with the place of the fault and what to write instead; it never runs as a program.
"""


def formula_page() -> str:
    """The whole page."""
    parts = [
        _INTRODUCTION,
        "## Functions\n\n" + _table(FUNCTIONS.values()),
        "## Operators\n\nFrom weakest to strongest: comparisons, `+ -`, `* /`, minus sign, `^`.\n\n"
        + _table(OPERATORS.values()),
        "## What happens where mathematics gives nothing\n\n" + _defaults(),
        _LIMITS,
    ]
    return "\n".join(parts)


def _table(functions: Iterable[Function]) -> str:
    rows = "".join(
        f"| `{function.name}` | {function.arity} | {function.meaning} | `{function.example}` |\n"
        for function in functions
    )
    return "| name | takes | gives | example |\n|---|---|---|---|\n" + rows


def _defaults() -> str:
    rows = "".join(f"| {case} | {value} | {example} |\n" for case, value, example in DEFAULTS)
    return "| when | the value is | example |\n|---|---|---|\n" + rows


if __name__ == "__main__":
    sys.stdout.write(formula_page())
