"""Formulas mean what docs/formula.md says, and no text a person can paste is dangerous."""

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.search_engine.ranking.formula import Formula, FormulaError, is_variable_name, parse_formula
from backend.search_engine.ranking.formula.evaluation import CHUNK_ROWS
from backend.search_engine.ranking.formula.functions import FUNCTIONS, LARGEST, OPERATORS
from backend.search_engine.ranking.formula.reference import formula_page

ONE_ROW: dict[str, float] = {"text": 3.0, "price": 20.0, "votes": 50.0, "review": 100.0, "rating": 4.0, "free": 0.0}


def value_of(source: str, **row: float) -> float:
    columns = {name: np.array([value]) for name, value in {**ONE_ROW, **row}.items()}
    [value] = parse_formula(source).evaluate(columns)
    return float(value)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("10 - 2 - 3", 5),
        ("100 / 10 / 2", 5),
        ("2^3^2", 512),
        ("-2^2", -4),
        ("2^-1", 0.5),
        ("2**3", 8),
        ("--3", 3),
        ("+3", 3),
        ("1.5e1 + .5", 15.5),
        ("6 ÷ 2 × 3 − 1", 8),
        ("log(review)", math.log(100)),
        ("log10(review)", 2),
        ("votes/10", 5),
        ("1/price", 0.05),
        ("sqrt(rating)", 2),
        ("abs(-rating)", 4),
        ("exp(1)", math.e),
        ("min(price, votes, 7)", 7),
        ("max(price, votes, 7)", 50),
        ("clamp(votes, 0, 30)", 30),
        ("clamp(votes, 60, 70)", 60),
        ("if(price < 30, 1, 2)", 1),
        ("if(price ≥ 30, 1, 2)", 2),
        ("if(free, 1, 2)", 2),
        ("(rating = 4) + (rating == 4) + (rating != 4)", 2),
        ("missing(price)", 0),
    ],
)
def test_a_formula_has_the_value_of_school_mathematics(source, expected):
    assert value_of(source) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("1/free", 0),
        ("free^-1", 0),
        ("1/(price - 20)", 0),
        ("log(free)", 0),
        ("log(-1)", 0),
        ("log10(-1)", 0),
        ("sqrt(-4)", 0),
        ("(-8)^0.5", 0),
        ("exp(1000)", LARGEST),
        ("-exp(1000)", -LARGEST),
        ("9^9^9^9", LARGEST),
        ("1e300 * 1e300", LARGEST),
        ("-1e300 - 1e300 * 1e10", -LARGEST),
        ("exp(1000) - exp(1000)", 0),
        ("exp(1000) / exp(1000)", 1),
    ],
)
def test_where_mathematics_gives_nothing_a_formula_gives_its_default(source, expected):
    assert value_of(source) == expected


@pytest.mark.parametrize("source", ["votes/10", "1/votes", "log(votes)", "sqrt(votes)", "votes * text"])
def test_a_missing_value_counts_as_zero(source):
    assert value_of(source, votes=math.nan) == 0


def test_a_missing_value_can_be_given_another_meaning():
    assert value_of("if(missing(votes), 7, votes)", votes=math.nan) == 7
    assert value_of("if(missing(votes), 7, votes)") == 50


def test_infinite_columns_are_clamped():
    assert value_of("votes", votes=math.inf) == LARGEST


def test_columns_of_any_number_type_are_read_whole():
    columns = {"votes": np.array([10, 20, 30], dtype=np.int32), "price": np.array([1, 2, 0], dtype=np.float32)}
    assert parse_formula("votes / price").evaluate(columns).tolist() == [10.0, 10.0, 0.0]


def test_a_constant_is_as_long_as_the_columns():
    assert parse_formula("2 * 3").evaluate({"text": np.zeros(4)}).tolist() == [6.0] * 4


def test_long_columns_are_evaluated_row_by_row_alike():
    votes = np.arange(3 * CHUNK_ROWS + 5, dtype=np.float64)
    np.testing.assert_array_equal(parse_formula("votes * 2 + 1").evaluate({"votes": votes}), votes * 2 + 1)


def test_evaluating_leaves_the_columns_alone():
    votes = np.array([1.0, np.nan, np.inf])
    parse_formula("votes").evaluate({"votes": votes})[0] = 99
    np.testing.assert_array_equal(votes, [1.0, np.nan, np.inf])


def test_a_formula_without_text_is_added_to_the_text_score():
    text, votes = np.array([1.0, 2.0]), np.array([10.0, 20.0])
    assert parse_formula("votes/10").score(text, {"votes": votes}).tolist() == [2.0, 4.0]
    assert parse_formula("exp(votes * 100)").score(text, {"votes": votes}).tolist() == [LARGEST, LARGEST]
    assert parse_formula("text * votes").score(text, {"votes": votes}).tolist() == [10.0, 40.0]


def test_says_which_variables_it_reads():
    formula = parse_formula("text * log(review) + review / größe")
    assert formula.variables == {"text", "review", "größe"}
    assert formula.uses_text
    assert not parse_formula("log(review)").uses_text


def test_an_unknown_variable_is_named_with_the_nearest_and_all_known_ones():
    error = parse_formula("2 * reveiw").check_variables({"review", "price"})
    assert error is not None
    assert error.position == 4
    assert str(error) == "There is no variable reveiw. Did you mean review? Known variables: text, price, review."


def test_known_variables_are_no_fault():
    assert parse_formula("text + review").check_variables({"review"}) is None


def test_evaluating_without_a_needed_column_is_the_same_fault():
    with pytest.raises(FormulaError, match="There is no variable votes"):
        parse_formula("votes").evaluate({"price": np.zeros(1)})


def test_a_checkpoint_can_stop_an_evaluation():
    def stop() -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        parse_formula("votes + 1").evaluate({"votes": np.zeros(3)}, checkpoint=stop)


@pytest.mark.parametrize(
    ("source", "position", "part"),
    [
        ("", 0, "empty"),
        ("   ", 0, "empty"),
        ("votes +", 7, "stops too early"),
        ("(votes", 0, "not closed"),
        ("min(1, (2)", 3, "not closed"),
        ("votes)", 5, "never opened"),
        ("2 votes", 2, "operator is missing"),
        ("* 2", 0, "value is missing"),
        ("1,5", 1, "decimals with a point"),
        ("log", 0, "needs parentheses"),
        ("log()", 0, "takes 1 value, but here it has 0"),
        ("log(1, 2)", 0, "takes 1 value, but here it has 2"),
        ("min(1)", 0, "takes 2 or more values"),
        ("2 + lgo(review)", 4, "Did you mean log?"),
        ("missing(1 + votes)", 0, "one variable"),
        ("'votes'", 0, "without quotes"),
        ("votes; 1", 5, "means nothing"),
        ("1e999", 0, "too large"),
        ("1 < 2 < 3", 6, "value is missing"),
    ],
)
def test_a_fault_is_told_with_its_place_and_a_way_out(source, position, part):
    with pytest.raises(FormulaError) as caught:
        parse_formula(source)
    assert part in str(caught.value)
    assert caught.value.position == position
    assert caught.value.hint


HOSTILE = [
    "(" * 1_000_000,
    "(" * 1_999 + "1",
    "(" * 900 + "1" + ")" * 900,
    "-" * 1_990 + "votes",
    "1+" * 999 + "1",
    "abs(" * 400 + "votes" + ")" * 400,
    "9" * 1_999,
    "votes^" * 300 + "9",
    "min(" + ",".join(["votes"] * 400) + ")",
    "__import__('os').system('true')",
    "().__class__.__bases__",
    "votes.__class__",
    "lambda: 1",
    "votes[0]",
    "a" * 1_999,
    "\x00",
    "\ud800",
    "𝟏+𝟐",
    "﹘1",
]


def read(source: str) -> Formula | FormulaError:
    try:
        return parse_formula(source)
    except FormulaError as error:
        return error


@pytest.mark.parametrize("source", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_formula_is_refused_or_has_a_finite_value(source):
    formula = read(source)
    if isinstance(formula, FormulaError):
        assert 0 <= formula.position <= len(source)
        assert len(str(formula)) < 400
    else:
        columns = dict.fromkeys(formula.variables, np.array([2.0, np.nan]))
        assert np.isfinite(formula.evaluate(columns)).all()


@given(st.text(alphabet="0123456789.e+-*/^()<>=!,ab log min if text votes", max_size=60))
def test_any_text_is_a_formula_with_finite_values_or_a_refusal(source):
    formula = read(source)
    if isinstance(formula, FormulaError):
        assert 0 <= formula.position <= len(source)
    else:
        values = np.array([0.0, -1.5, 1e308, np.nan, np.inf])
        result = formula.evaluate(dict.fromkeys({*formula.variables, "text"}, values))
        assert result.shape == (5,)
        assert np.isfinite(result).all()


@pytest.mark.parametrize("name", ["price", "größe", "_x", "x2", "价格", "a" * 64])
def test_accepts_names_that_a_formula_can_read(name):
    assert is_variable_name(name)
    assert parse_formula(name).variables == {name}


@pytest.mark.parametrize("name", ["", "2x", "a b", "a-b", "text", "log", "if", "a" * 65, "é́́"])
def test_refuses_names_that_mean_something_else(name):
    assert not is_variable_name(name)


def test_every_example_of_the_reference_is_a_formula():
    for function in [*FUNCTIONS.values(), *OPERATORS.values()]:
        parse_formula(function.example)


def test_the_page_is_made_from_the_tables():
    page = Path(__file__).parents[6] / "docs" / "formula.md"
    assert page.read_text(encoding="utf-8") == formula_page()
