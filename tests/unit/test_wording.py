"""Counts in sentences."""

import ast
from pathlib import Path

import pytest

import wording
from wording import say_count


@pytest.mark.parametrize(
    ("count", "told"), [(0, "0 pages"), (1, "1 page"), (2, "2 pages"), (2300, "2,300 pages"), (1001, "1,001 pages")]
)
def test_one_is_no_plural(count: int, told: str) -> None:
    assert say_count(count, "page") == told


@pytest.mark.parametrize(("count", "told"), [(1, "1 judged query"), (4, "4 judged queries")])
def test_words_that_do_more_than_add_an_s_bring_their_plural(count: int, told: str) -> None:
    assert say_count(count, "judged query", "judged queries") == told


def test_every_package_may_use_it_because_it_uses_none() -> None:
    source = ast.parse(Path(wording.__file__).read_text(encoding="utf-8"))
    assert not [node for node in ast.walk(source) if isinstance(node, ast.Import | ast.ImportFrom)]
