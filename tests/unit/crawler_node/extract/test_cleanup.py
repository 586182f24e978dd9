"""Clean-up expressions replace, refuse with a sentence, and cannot hang."""

import pickle

import pytest

from crawler_node.extract.cleanup import compile_cleanup
from crawler_node.extract.errors import BudgetError, CleanupError


@pytest.mark.parametrize(
    ("pattern", "replacement", "text", "cleaned", "engine"),
    [
        (r"\s+kg$", "", "12 kg", "12", "re2"),
        (r"(\d+)\.(\d+)", r"\2-\1", "a 1.2 b 3.4", "a 2-1 b 4-3", "re2"),
        (r"(?P<last>\w+), (?P<first>\w+)", r"\g<first> \g<last>", "Twain, Mark", "Mark Twain", "re2"),
        (r"^", "No. ", "7", "No. 7", "re2"),
        (r"$", " EUR", "12", "12 EUR", "re2"),
        (r"(?m)$", ";", "é\nb", "é;\nb;", "re2"),
        (r"\b", "|", "ab cd", "|ab| |cd|", "re2"),
        (r"x*", "-", "abc", "-a-b-c-", "re2"),
        (r"(?=$)|(?!.)", " EUR", "12", "12 EUR", "regex"),
        (r"x", r"\$1\\\n", "x", "$1\\\n", "re2"),
        (r"(a)|(b)", r"<\2>", "ab", "<><b>", "re2"),
        (r"ä+", "a", "bää", "ba", "re2"),
        (r"(?<=€ )\d+", "0", "€ 12", "€ 0", "regex"),
        (r"(\w)\1", r"\1", "aabbc", "abc", "regex"),
        (r"Price(?!s)", "", "Prices Price", "Prices ", "regex"),
        (r"a++b", "c", "aaab", "c", "regex"),
        (r"nothing", "x", "as it was", "as it was", "re2"),
    ],
)
def test_replaces_every_match(pattern, replacement, text, cleaned, engine):
    cleanup = compile_cleanup(pattern, replacement)
    assert (cleanup.apply(text), cleanup.engine) == (cleaned, engine)


@pytest.mark.parametrize(
    ("pattern", "position", "message"),
    [
        ("", 0, "empty"),
        ("a(b", 1, "( is never closed"),
        ("(a)(b", 3, "( is never closed"),
        (r"\(äa(", 4, "( is never closed"),
        ("a)", 1, ") has no ("),
        ("a[b", 1, "[ is never closed"),
        ("*a", 0, "nothing before"),
        ("a**", 2, "Two repetitions"),
        ("[z-a]", 4, "backwards"),
        ("a\\", 2, "single backslash"),
        (r"\d{2,1}", 2, "first number is the greater"),
        (r"\p{Foo}", 7, "does not exist"),
        ("(a{1000}){1000}", 2, "too many times"),
        ("(?=((a{100}){100}){100})", 6, "too many times"),
        ("(?=a{0,99999})", 4, "too many times"),
        ("(?(1)a|b)", 3, "group it does not have"),
    ],
)
def test_refuses_patterns_with_place_and_remedy(pattern, position, message):
    with pytest.raises(CleanupError) as caught:
        compile_cleanup(pattern, "")
    assert message in caught.value.message
    assert caught.value.position == position
    assert caught.value.hint


@pytest.mark.parametrize(
    ("replacement", "position", "message", "hint"),
    [
        (r"a\2", 1, "asks for group 2", "parentheses"),
        (r"\g<other>", 0, "asks for group other", "parentheses"),
        (r"\g<>", 0, "asks for group", "parentheses"),
        ("$1", 0, "not how groups are written", r"\1"),
        ("${name}", 0, "not how groups are written", r"\g<name>"),
        ("a\\", 1, "single backslash", "\\\\"),
        (r"\q", 0, "means nothing", "\\\\"),
    ],
)
def test_refuses_replacements_that_name_no_group(replacement, position, message, hint):
    with pytest.raises(CleanupError) as caught:
        compile_cleanup("(?P<name>b)", replacement)
    assert (caught.value.position, message in caught.value.message, hint in caught.value.hint) == (position, True, True)


def test_refuses_what_is_too_long():
    with pytest.raises(CleanupError, match="at most 1,000"):
        compile_cleanup("a" * 1_001, "")
    with pytest.raises(CleanupError, match="at most 1,000"):
        compile_cleanup("a", "b" * 1_001)


def test_a_lone_surrogate_is_refused():
    with pytest.raises(CleanupError, match="half a character"):
        compile_cleanup("\ud800", "")


def test_a_pattern_that_explodes_in_backtracking_is_linear_in_re2():
    assert compile_cleanup("(x+x+)+y", "").apply("x" * 5_000) == "x" * 5_000


def test_a_hostile_lookaround_is_stopped():
    cleanup = compile_cleanup(r"(?=(a|ab|b|ba)+c)\1\1\1\1", "")
    with pytest.raises(BudgetError, match="took more than"):
        cleanup.apply("ab" * 5_000)


@pytest.mark.parametrize("pattern", [".", "(?=.)."])
def test_what_would_fill_all_memory_is_stopped(pattern):
    cleanup = compile_cleanup(pattern, "x" * 1_000)
    longer = cleanup.apply("a" * 1_000)
    assert longer == "x" * 1_000_000
    with pytest.raises(BudgetError, match="longer than any may be"):
        cleanup.apply(longer)


def test_travels_between_processes():
    copy = pickle.loads(pickle.dumps(compile_cleanup("a(b)", r"\1")))
    assert copy.apply("ab") == "b"
