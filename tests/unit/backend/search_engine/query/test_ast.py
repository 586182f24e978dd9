"""What the nodes of a query promise to whoever runs it."""

from datetime import UTC, datetime

from backend.search_engine.query.ast import (
    And,
    Bound,
    Fuzzy,
    MatchAll,
    Not,
    Or,
    Phrase,
    Prefix,
    Range,
    Word,
    text_leaves,
)

YEAR = Bound("2024", 2024.0, datetime(2024, 1, 1, tzinfo=UTC), datetime(2025, 1, 1, tzinfo=UTC))
TEN = Bound("10", 10.0)


def test_where_a_word_stands_does_not_change_what_it_means():
    assert Word("cat", start=3, end=6) == Word("cat")
    assert len({Word("cat", start=3, end=6), Word("cat")}) == 1


def test_text_leaves_come_in_order_and_without_what_is_excluded():
    node = And((Or((Word("a"), Phrase("b c"))), Not(Word("d")), Prefix("e"), Fuzzy("f"), MatchAll(), Word("a")))
    assert list(text_leaves(node)) == [Word("a"), Phrase("b c"), Prefix("e"), Fuzzy("f"), Word("a")]


def test_a_range_reads_as_numbers_or_dates_by_what_its_ends_can_mean():
    assert Range("price", TEN, None).number_ends() == (10.0, None)
    assert Range("price", TEN, None).date_ends() is None
    assert Range("year", None, YEAR).number_ends() == (None, 2024.0)


def test_a_span_of_time_is_inside_or_outside_as_a_whole():
    first, past = YEAR.first, YEAR.past
    assert Range("day", YEAR, YEAR).date_ends() == (first, past)
    assert Range("day", YEAR, None, includes_low=False).date_ends() == (past, None)
    assert Range("day", None, YEAR, includes_high=False).date_ends() == (None, first)
