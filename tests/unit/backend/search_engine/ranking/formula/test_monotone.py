"""What is called monotone never falls, whatever the numbers; scaling and shifting the text score is seen as such."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from backend.search_engine.ranking.formula import parse_formula
from backend.search_engine.ranking.formula.evaluation import evaluate_tree
from backend.search_engine.ranking.formula.functions import FUNCTIONS, OPERATORS
from backend.search_engine.ranking.formula.monotone import is_monotone_in_text
from backend.search_engine.ranking.formula.nodes import Call, Node, Number, Variable

VALUES = st.one_of(st.sampled_from([0.0, 1.0, -1.0, 0.5, 1e308, -1e308, 5e-324]), st.floats(-100, 100))


def calls(arguments: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    known = [each for name, each in {**FUNCTIONS, **OPERATORS}.items() if name != "missing"]
    return st.sampled_from(known).flatmap(
        lambda each: st.lists(arguments, min_size=each.least, max_size=each.most or 3).map(
            lambda values: Call(each.name, tuple(values))
        )
    )


TREES: st.SearchStrategy[Node] = st.recursive(
    st.one_of(VALUES.map(Number), st.just(Variable("text")), st.just(Variable("text"))), calls, max_leaves=6
)


@given(TREES, st.lists(VALUES, min_size=2, max_size=20))
def test_what_is_monotone_never_falls(tree: Node, texts: list[float]) -> None:
    assume(is_monotone_in_text(tree))
    values = evaluate_tree(tree, {"text": np.sort(np.array(texts))})
    assert (values[1:] >= values[:-1]).all()


@pytest.mark.parametrize(
    "source",
    [
        "text",
        "2 * text + 1",
        "text / 4 - 3",
        "5 - (1 - text) * 2",
        "-text * -2",
        "min(text, 5) + max(text, 1, sqrt(text))",
        "clamp(text, 1, 9)",
        "text + (text > 3)",
        "text * (2 - 2)",
        "text * (0 * text)",
        "log(7) * text",
        "3",
    ],
)
def test_sums_and_products_with_numbers_are_monotone(source: str) -> None:
    assert parse_formula(source).is_monotone_in_text


@pytest.mark.parametrize(
    "source",
    [
        "-text",
        "1 - text",
        "text * text",
        "1 / text",
        "text * -1",
        "text - 2 * text",
        "abs(text)",
        "if(text > 3, 1, 2)",
        "text < 3",
        "log(text)",
        "text ^ 2",
        "text + price",
        "price",
        "text + missing(price)",
        "text = 3",
    ],
)
def test_anything_else_is_not_taken_for_monotone(source: str) -> None:
    assert not parse_formula(source).is_monotone_in_text
