"""Whatever `text` is within its interval, a formula's value is within the interval that is computed for it."""

import random

import numpy as np
import pytest

from backend.search_engine.ranking.formula import Interval, parse_formula
from backend.search_engine.ranking.formula.evaluation import WHITELIST
from backend.search_engine.ranking.formula.functions import LARGEST
from backend.search_engine.ranking.formula.intervals import RULES

NUMBERS = ("0", "1", "2", "3", "0.5", "1e-9", "1e300", "7.25")
ROWS = 40


def make_formula(rng: random.Random, depth: int) -> str:
    if depth == 0 or rng.random() < 0.1:
        return rng.choice(["text", "text", "votes", "price", rng.choice(NUMBERS)])
    name = rng.choice(sorted(WHITELIST))
    if name == "missing":
        return f"missing({rng.choice(['text', 'votes'])})"
    function = WHITELIST[name]
    parts = [make_formula(rng, depth - 1) for _ in range(function.least)]
    if name == "-x":
        return f"(-{parts[0]})"
    return f"{name}({', '.join(parts)})" if name.isalnum() else f"({parts[0]} {name} {parts[1]})"


def make_interval(rng: np.random.Generator) -> Interval:
    """Around 0, around 1, wide, narrow, and of no width."""
    middle = rng.choice([0.0, 1.0, 2.0, 3.0, 1e-8, 50.0], ROWS) + rng.choice([0.0, 1e-7, -1e-7, 0.3], ROWS)
    width = rng.choice([0.0, 1e-12, 1e-6, 0.1, 5.0], ROWS)
    return Interval(middle - width, middle + width)


@pytest.mark.parametrize("seed", range(40))
def test_no_value_is_outside_its_bounds(seed: int) -> None:
    rng, numbers = random.Random(seed), np.random.default_rng(seed)
    for _ in range(25):
        formula = parse_formula(make_formula(rng, rng.randint(1, 4)))
        text = make_interval(numbers)
        columns = {
            "votes": numbers.choice([np.nan, 0.0, -2.0, 0.5, 3.0, 1e9], ROWS),
            "price": numbers.normal(size=ROWS),
        }
        low, high = formula.bounds(text, columns)
        for share in (0.0, 1.0, *numbers.random(6)):
            inside = np.clip(text.low + share * (text.high - text.low), text.low, text.high)
            score = formula.score(inside, columns)
            assert ((low <= score) & (score <= high)).all(), formula.source


def test_every_function_has_a_rule() -> None:
    assert set(RULES) == set(WHITELIST) - {"missing"}


@pytest.mark.parametrize(
    ("source", "low", "high"),
    [
        ("text + 1", 3.0, 4.0),
        ("votes - text", 7.0, 8.0),
        ("text * (text - 4)", -6.0, -2.0),
        ("votes / text", 10 / 3, 5.0),
        ("1 / (text - 2.5)", -LARGEST, LARGEST),
        ("(text - 2.5)^2", 0.0, 0.25),
        ("(text - 2.5)^3", -0.125, 0.125),
        ("abs(text - 2.25)", 0.0, 0.75),
        ("log(text - 2.5)", -1000.0, 0.0),
        ("if(text > 2.5, 1, 0)", 0.0, 1.0),
        ("if(text > 1, text, 0)", 2.0, 3.0),
        ("text = 2.5", 0.0, 1.0),
        ("text != 9", 1.0, 1.0),
        ("min(text, 2.5)", 2.0, 2.5),
        ("clamp(text, 2.25, 2.5)", 2.25, 2.5),
        ("sqrt(text - 2.5)", 0.0, 0.5**0.5),
        ("missing(votes) + 0 * text", 0.0, 0.0),
    ],
)
def test_bounds_of_a_text_score_between_two_and_three(source: str, low: float, high: float) -> None:
    found = parse_formula(source).bounds(Interval(np.array([2.0]), np.array([3.0])), {"votes": np.array([10.0])})
    assert found.low[0] == pytest.approx(low, rel=1e-9, abs=1e-9)
    assert found.high[0] == pytest.approx(high, rel=1e-9, abs=1e-9)


def test_what_does_not_depend_on_the_text_score_is_a_point() -> None:
    votes = {"votes": np.array([1.0, np.nan])}
    text = Interval(np.array([1.0, 2.0]), np.array([1.5, 2.5]))
    assert parse_formula("if(0, text, 2 * votes)").bounds(text, votes).high.tolist() == [2.0, 0.0]
    assert parse_formula("missing(text) + votes").bounds(text, votes).is_point
    assert not parse_formula("votes").bounds(text, votes).is_point  # it is added to the text score
