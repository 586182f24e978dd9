"""What is called a typing error, and what is not."""

import pytest

from backend.search_engine.fuzzy import FuzzyIndex, correct_unknown, did_you_mean, find_changes
from backend.search_engine.query import parse_query

WORDS = FuzzyIndex.build(
    [
        ("espresso", 900),
        ("machine", 700),
        ("the", 90_000),
        ("then", 800),
        ("teh", 3),
        ("coffee", 500),
        ("toffee", 40),
        ("müller", 9),
    ]
)


@pytest.mark.parametrize(
    ("source", "offered"),
    [
        ("expresso machine", "espresso machine"),
        ("Expresso MASHINE", "Espresso MACHINE"),
        ('"expresso mashine" coffee', '"espresso machine" coffee'),
        ("(cofee OR expresso) -mashine", "(coffee OR espresso) -mashine"),
        ("teh machine", "the machine"),
        ("espressomachine", "espresso machine"),
        ("muller", "müller"),
        ("expresso-mashine", "espresso-machine"),
    ],
)
def test_offers_what_was_probably_meant(source, offered):
    assert did_you_mean(parse_query(source), WORDS) == offered


@pytest.mark.parametrize(
    "source",
    [
        "",
        "espresso",
        "toffee",
        "then",
        "xq",
        "zzzzzz",
        "cofee*",
        "cofee~",
        "title:cofee",
        "-cofee",
        "c0fee",
        "12345",
        "!!!",
    ],
)
def test_leaves_alone_what_may_be_right(source):
    assert did_you_mean(parse_query(source), WORDS) is None


def test_only_unknown_words_are_corrected_without_asking():
    query = parse_query("teh expresso")
    assert correct_unknown(query, WORDS) == "teh espresso"
    assert [(change.written, change.is_unknown) for change in find_changes(query, WORDS)] == [
        ("teh", False),
        ("expresso", True),
    ]
    assert correct_unknown(parse_query("teh"), WORDS) is None


def test_a_pasted_text_is_looked_up_in_part_only():
    assert len(find_changes(parse_query("expresso " * 90), WORDS)) == 12
