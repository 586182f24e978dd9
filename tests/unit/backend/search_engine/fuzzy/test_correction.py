"""What is called a typing error, and what is not."""

import pytest

from backend.search_engine.fuzzy import FuzzyIndex, correct_unknown, did_you_mean, find_changes
from backend.search_engine.fuzzy.tolerance import tolerance
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


@pytest.mark.parametrize("word", ["東京都", "北京市民", "한국어", "ภาษาไทย", "カメラ", "東京tower"])
def test_a_word_of_characters_that_are_words_is_not_changed_into_another(word: str) -> None:
    near = ("北" if word[0] != "北" else "南") + word[1:]
    words = FuzzyIndex.build([(near, 10_000)])
    assert did_you_mean(parse_query(word), words) is None
    assert tolerance(word) == 0


def test_a_long_korean_word_may_have_an_error() -> None:
    words = FuzzyIndex.build([("대한민국정부", 10)])
    assert did_you_mean(parse_query("대한민국정보"), words) == "대한민국정부"
