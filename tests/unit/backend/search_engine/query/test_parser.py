"""Anything a person types is a query, and means what docs/query-language.md says."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.search_engine.query import (
    And,
    Bound,
    Exists,
    Fuzzy,
    Joining,
    MatchAll,
    Node,
    Not,
    Or,
    Phrase,
    Prefix,
    Range,
    Word,
    parse_query,
    text_leaves,
)
from backend.search_engine.query.reference import query_language_page
from backend.search_engine.query.syntax import MAX_CLAUSES, MAX_DEPTH, ROWS

A, B, C, D = Word("a"), Word("b"), Word("c"), Word("d")
ALL = MatchAll()


@pytest.mark.parametrize(
    ("source", "meaning"),
    [
        ("", ALL),
        ("  ", ALL),
        ("*", ALL),
        ("a", A),
        ("a b", And((A, B))),
        ("a a", And((A, A))),
        ("a AND b", And((A, B))),
        ("a OR b", Or((A, B))),
        ("a b OR c d", Or((And((A, B)), And((C, D))))),
        ("a (b OR c) d", And((A, Or((B, C)), D))),
        ("a (b c)", And((A, B, C))),
        ("(a OR b) OR c", Or((A, B, C))),
        ("a -b", And((A, Not(B)))),
        ("a NOT b", And((A, Not(B)))),
        ("a OR b -c", And((Or((A, B)), Not(C)))),
        ("a OR b AND NOT c", Or((A, And((B, Not(C)))))),
        ("a OR NOT b", Or((A, And((ALL, Not(B)))))),
        ("-a", And((ALL, Not(A)))),
        ("-a -b", And((ALL, Not(A), Not(B)))),
        ("(-a) b", And((Not(A), B))),
        ("NOT NOT a", A),
        ("-(a b) c", And((C, Not(And((A, B)))))),
        ("a *", A),
        ("and or not", And((Word("and"), Word("or"), Word("not")))),
        ('"a b"', Phrase("a b")),
        ('"a b"~3', Phrase("a b", 3)),
        ('"a b"~9999', Phrase("a b", 100)),
        ("„a b“ «c d»", And((Phrase("a b"), Phrase("c d")))),
        ('-"a b" c', And((C, Not(Phrase("a b"))))),
        ("choco*", Prefix("choco")),
        ("tea~", Fuzzy("tea")),
        ("tea~1", Fuzzy("tea", 1)),
        ("tea~9", Fuzzy("tea", 2)),
        ("tea^3", Word("tea", boost=3)),
        ("tea~1^2.5", Fuzzy("tea", 1, boost=2.5)),
        ('"a b"^2', Phrase("a b", boost=2)),
        ("(a b^3)^2 c", And((Word("a", boost=2), Word("b", boost=6), C))),
        ("title:a b", And((Word("a", "title"), B))),
        ('title:"a b"', Phrase("a b", field="title")),
        ("title:(a OR -b)", Or((Word("a", "title"), And((ALL, Not(Word("b", "title"))))))),
        ("tea^.5", Word("tea", boost=0.5)),
        ("tea^2.", Word("tea", boost=2)),
        ('"a b"^.5', Phrase("a b", boost=0.5)),
        ("title:(a body:b)", And((Word("a", "title"), Word("b", "body")))),
        ("-title:a b", And((B, Not(Word("a", "title"))))),
        ("price:*", Exists("price")),
        ("price:..", Exists("price")),
        ("title:a:b", Word("a:b", "title")),
        ("temperature:-5", Word("-5", "temperature")),
        ("don't C++ e-mail 10..20", And((Word("don't"), Word("C++"), Word("e-mail"), Word("10..20")))),
        ("https://example.org/a?b=c", Word("https://example.org/a?b=c")),
        ("12:30", Word("12:30")),
        ("日本語 поиск", And((Word("日本語"), Word("поиск")))),
    ],
)
def test_a_query_means_what_the_page_says(source, meaning):
    query = parse_query(source)
    assert query.root == meaning
    assert query.notices == ()
    assert query.source == source


@pytest.mark.parametrize(
    ("source", "meaning"),
    [
        ("a b", Or((A, B))),
        ("a b AND c", Or((A, And((B, C))))),
        ("a b -c", And((Or((A, B)), Not(C)))),
        ("a b NOT c d", And((Or((A, B, D)), Not(C)))),
        ("a b price:*", And((Or((A, B)), Exists("price")))),
        ("a OR price:*", Or((A, Exists("price")))),
        ("price:* OR a", Or((Exists("price"), A))),
        ("price:* AND a b", Or((And((Exists("price"), A)), B))),
        ("a price:* b", And((Or((A, B)), Exists("price")))),
        ("a title:b", Or((A, Word("b", "title")), narrows=True)),
        ("a OR title:b", Or((A, Word("b", "title")))),
    ],
)
def test_bare_words_can_be_alternatives(source, meaning):
    assert parse_query(source, joining=Joining.OR).root == meaning


def number(text: str) -> Bound:
    return Bound(text, float(text))


def day(text: str, *, past: str) -> Bound:
    ends = (datetime.strptime(moment, "%Y-%m-%d").replace(tzinfo=UTC) for moment in (text, past))
    return Bound(text, None, *ends)


@pytest.mark.parametrize(
    ("source", "meaning"),
    [
        ("price:10..20", Range("price", number("10"), number("20"))),
        ("price:1.5..2.5", Range("price", number("1.5"), number("2.5"))),
        ("price:-5..-1", Range("price", number("-5"), number("-1"))),
        ("price:10..", Range("price", number("10"), None)),
        ("price:..20", Range("price", None, number("20"))),
        ("price:>10", Range("price", number("10"), None, includes_low=False)),
        ("price:>=10", Range("price", number("10"), None)),
        ("price:<10", Range("price", None, number("10"), includes_high=False)),
        ("price:≤10", Range("price", None, number("10"))),
        ("price:=10", Range("price", number("10"), number("10"))),
        ("price:>1,299", Range("price", Bound("1,299", 1299.0), None, includes_low=False)),
        (
            "price:(10..20 OR 30..40)",
            Or((Range("price", number("10"), number("20")), Range("price", number("30"), number("40")))),
        ),
        (
            "price:(>10 AND <20)",
            And(
                (
                    Range("price", number("10"), None, includes_low=False),
                    Range("price", None, number("20"), includes_high=False),
                )
            ),
        ),
        ("price:((10..20)) 10..20", And((Range("price", number("10"), number("20")), Word("10..20")))),
        ("date:>2024-02-29", Range("date", day("2024-02-29", past="2024-03-01"), None, includes_low=False)),
        (
            "date:2024-01-31..2024-12-31",
            Range("date", day("2024-01-31", past="2024-02-01"), day("2024-12-31", past="2025-01-01")),
        ),
    ],
)
def test_ranges_have_numbers_or_dates_as_ends(source, meaning):
    assert parse_query(source).root == meaning


@pytest.mark.parametrize(
    ("source", "meaning", "position", "part"),
    [
        ('a "b c', And((A, B, C)), 2, "no partner"),
        ('"', ALL, 0, "no partner"),
        ("a AND", A, 2, "AND stands alone"),
        ("OR a", A, 0, "OR stands alone"),
        ("a AND OR b", And((A, B)), 6, "OR stands alone"),
        ("a NOT", A, 2, "NOT stands alone"),
        ("(a b", And((A, B)), 4, "not closed"),
        ("a) b", And((A, B)), 1, "never opened"),
        ("a ()", A, 2, "nothing between the parentheses"),
        ('a ""', A, 2, "nothing between the quotation marks"),
        ("cho*co", Word("cho*co"), 0, "end of a word only"),
        ("a^0", Word("a", boost=0.01), 0, "became 0.01"),
        ("tea^10000", Word("tea", boost=100), 0, "became 100"),
        ("tea^1,5", Word("tea"), 0, "cannot be read"),
        ("tea^-1", Word("tea"), 0, "cannot be read"),
        ("(a)^999", Word("a", boost=100), 2, "became 100"),
        ("price:>cheap", Word(">cheap", "price"), 6, "neither a number nor a date"),
        ("date:2024-13-01..", Word("2024-13-01..", "date"), 5, "neither a number nor a date"),
        ("price:20..10", Range("price", number("10"), number("20")), 6, "swapped"),
    ],
)
def test_what_makes_no_sense_is_read_as_words_with_a_notice(source, meaning, position, part):
    query = parse_query(source)
    assert query.root == meaning
    [notice] = query.notices
    assert part in notice.message
    assert notice.position == position
    assert notice.hint


@pytest.mark.parametrize("source", ["AND", "OR", "NOT", "OR NOT"])
def test_operators_alone_are_words(source):
    query = parse_query(source)
    assert [leaf.text for leaf in text_leaves(query.root)] == source.split()
    assert query.notices == ()


def test_known_fields_are_found_in_any_case():
    assert parse_query("TITLE:a", fields=["Title"]).root == Word("a", "Title")


@pytest.mark.parametrize("name", ["votes", "Votes"])
def test_of_fields_that_differ_in_case_only_the_one_as_typed_is_meant(name):
    assert parse_query(f"{name}:a", fields={"Votes", "votes"}).root == Word("a", name)


def test_an_unknown_field_is_a_word_and_its_neighbour_is_suggested():
    query = parse_query("titel:a", fields=["title", "price"])
    assert query.root == Word("titel:a")
    assert [str(notice) for notice in query.notices] == [
        "There is no field titel; it was read as a word. Did you mean title? Fields: price, title."
    ]


@pytest.mark.parametrize(
    ("source", "meaning"),
    [
        ("title: a", Word("a", "title")),
        ("b TITLE:  a", And((B, Word("a", "title")))),
        ('title: "a b"', Phrase("a b", field="title")),
        ("price: 10..20", Range("price", number("10"), number("20"))),
        ("price: (10..20 OR 30)", Or((Range("price", number("10"), number("20")), Word("30", "price")))),
    ],
)
def test_a_space_behind_a_known_field_is_no_harm_and_is_told(source, meaning):
    query = parse_query(source, fields=["title", "price"])
    assert query.root == meaning
    assert [notice.message.split(": before a space")[1] for notice in query.notices] == [
        f" was read as the field {'price' if 'price' in source else 'title'}."
    ]


@pytest.mark.parametrize("source", ["note: a", "title:", "a title:", "(a title: )"])
def test_a_colon_behind_another_word_or_before_nothing_is_none_of_a_field(source):
    words = [Word(word) for word in source.strip("() ").split()]
    root = parse_query(source, fields=["title"]).root
    assert root == (And(tuple(words)) if len(words) > 1 else words[0])


def test_every_text_knows_where_it_stands():
    source = 'aa (title:bb* OR "cc dd"~2^3) ee~1^2'
    texts = {source[leaf.start : leaf.end] for leaf in text_leaves(parse_query(source).root)}
    assert texts == {"aa", "bb", "cc dd", "ee"}


HOSTILE = [
    "(" * 1_000_000,
    "a " * 100_000,
    "((((" * 400 + "a" + ")" * 3_000,
    '"' * 1_999,
    '"a' * 999,
    "-" * 2_000,
    "NOT " * 500 + "a",
    "a OR " * 400,
    "a:" * 999,
    "~" * 2_000,
    "a~" + "1" * 1_990,
    "^9" * 999,
    "a:" + "1." * 900,
    "a:" + "." * 1_900,
    "x:>" * 600,
    "*" * 2_000,
    "\x00\ud800\udfff\u202e",
    "🦊 " * 900,
    "a:(" * 500,
    "a:9999..10000 b:0000 c:>9999-12-31",
]


def depth(node: Node) -> int:
    parts = node.parts if isinstance(node, And | Or) else (node.part,) if isinstance(node, Not) else ()
    return 1 + max((depth(part) for part in parts), default=0)


def size(node: Node) -> int:
    parts = node.parts if isinstance(node, And | Or) else (node.part,) if isinstance(node, Not) else ()
    return sum(size(part) for part in parts) if parts else 1


def assert_well_formed(node: Node, *, inside_and: bool = False) -> None:
    if isinstance(node, Not):
        assert inside_and
        assert not isinstance(node.part, Not)
        assert_well_formed(node.part)
    elif isinstance(node, And | Or):
        assert len(node.parts) >= 2
        assert not all(isinstance(part, Not) for part in node.parts)
        for part in node.parts:
            assert not isinstance(part, type(node))
            assert_well_formed(part, inside_and=isinstance(node, And))


@pytest.mark.parametrize("joining", Joining)
@pytest.mark.parametrize("source", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_query_has_a_bounded_meaning(source, joining):
    root = parse_query(source, joining=joining).root
    assert_well_formed(root)
    assert depth(root) <= 3 * MAX_DEPTH + 3
    assert size(root) <= 2 * MAX_CLAUSES + MAX_DEPTH


PIECES = [
    "a",
    "b ",
    "AND ",
    "OR ",
    "NOT ",
    "-",
    "(",
    ")",
    '"',
    "“",
    "„",
    "*",
    "~",
    "~2",
    "^3",
    "t:",
    ">",
    "..",
    "1",
    " ",
    "2024-02",
]


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join), st.sampled_from(list(Joining)))
def test_any_mixture_of_signs_is_well_formed(source, joining):
    query = parse_query(source, joining=joining)
    assert_well_formed(query.root)
    assert all(0 <= notice.position <= len(source) for notice in query.notices)
    assert query == parse_query(source, joining=joining)


@given(st.text(max_size=80))
def test_any_text_is_well_formed(source):
    assert_well_formed(parse_query(source).root)


@given(
    st.lists(st.sampled_from(["tea", "OR", "ORe", "NOT", "grün", "日本", "a_1", "AND"]), max_size=6),
    st.sampled_from(list(Joining)),
)
def test_plain_words_mean_the_same_with_and_without_the_short_way(words, joining):
    source = " ".join(words)
    beside_a_sign = parse_query(source + " ()", joining=joining)
    assert parse_query(source, joining=joining).root == beside_a_sign.root or set(words) <= {"AND", "OR", "NOT"}


@given(st.lists(st.sampled_from(["tea", "OR", "grün", "日本", "a_1", "AND", "\u0660"]), min_size=1, max_size=6))
def test_a_plain_phrase_means_the_same_with_and_without_the_short_way(words):
    source = f'"{" ".join(words)}"'
    assert parse_query(source).root == parse_query(source + " ()").root


def test_more_plain_words_than_are_read_give_a_notice():
    query = parse_query("tea " * (MAX_CLAUSES + 1))
    assert len(query.root.parts) == MAX_CLAUSES
    assert len(query.notices) == 1


@pytest.mark.parametrize("example", [example for row in ROWS if row.name != "quote" for example in row.examples])
def test_every_example_of_the_page_is_understood(example):
    assert parse_query(example).notices == ()


def test_the_page_is_made_from_the_table():
    page = Path(__file__).parents[5] / "docs" / "query-language.md"
    assert page.read_text(encoding="utf-8") == query_language_page()
