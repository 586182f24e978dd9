"""The compiled table of written forms against the analyzer itself."""

import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.search_engine.index import surfaces
from backend.search_engine.index.surfaces import Sorting, SurfaceTable, Vocabulary, cut_term, sorted_order
from backend.search_engine.text import Analysis, Analyzer, Reduction
from backend.search_engine.text.scan import COMPOUND

WORDS = st.sampled_from(
    [
        "Wi-Fi",
        "don't",
        "naïve",
        "Ünïcödé",
        "1,299.00",
        "東京都",
        "c++",
        "x" * 17,
        "x" * 16,
        "X" * 15,
        "state-of-the-art",
    ]
)
TEXT = st.lists(WORDS | st.text(max_size=30), max_size=12).map(" ".join)


def check_against(analyzer: Analyzer, table: SurfaceTable, texts: list[str]) -> None:
    tokens, terms, _, vocabulary = table.scan([text.encode() for text in texts])
    at = 0
    for text, end in zip(texts, tokens.text_ends.tolist(), strict=True):
        found = []
        for form, position in zip(tokens.forms[at:end].tolist(), tokens.positions[at:end].tolist(), strict=True):
            number = int(terms[form])
            if number >= 0:
                found.append(
                    (vocabulary.term_bytes[number], position if position >= 0 else -1 - position, position < 0)
                )
        at = end
        wanted = [(cut_term(each.term), each.position, each.kind == COMPOUND) for each in analyzer.tokens(text)]
        assert found == wanted


@settings(max_examples=150, deadline=None)
@given(st.lists(st.lists(TEXT, max_size=5), max_size=3))
def test_terms_and_positions_are_the_analyzers(batches: list[list[str]]) -> None:
    analyzer = Analyzer(Analysis(stop_words=True))
    table = SurfaceTable(Analyzer(Analysis(stop_words=True)))
    for texts in batches:
        check_against(analyzer, table, texts)


def test_many_forms_make_the_table_grow() -> None:
    analyzer = Analyzer(Analysis(reduction=Reduction.NONE))
    table = SurfaceTable(analyzer)
    texts = [
        " ".join(f"word{n * 40 + i} prefix-of-a-very-long-form{n * 40 + i}" for i in range(40)) for n in range(2000)
    ]
    check_against(analyzer, table, texts)
    check_against(analyzer, table, texts[::-1])


def test_threads_share_a_table() -> None:
    analyzer = Analyzer(Analysis(reduction=Reduction.NONE))
    table = SurfaceTable(analyzer)
    rng = random.Random(5)
    batches = [
        [" ".join(f"w{rng.randrange(30_000)} long-and-shared-form{rng.randrange(9_000)}" for _ in range(30))] * 2
        + [f"own{batch}x{number} w{number}" for number in range(3_000)]
        for batch in range(24)
    ]
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda texts: check_against(analyzer, table, texts), batches))
    check_against(analyzer, table, [text for texts in batches for text in texts])


def test_long_terms_that_are_equal_once_cut_are_one_term() -> None:
    vocabulary = Vocabulary()
    assert vocabulary.number("é" * 200 + "x") == vocabulary.number("é" * 200 + "y") == vocabulary.number("é" * 125)
    assert vocabulary.term_bytes == ["é".encode() * 125]


def test_terms_are_ordered_as_they_were_when_they_were_scanned() -> None:
    vocabulary = Vocabulary()
    numbers = [vocabulary.number(term) for term in ("pear", "apple", "fig")]
    vocabulary.number("banana")  # another thread's
    assert vocabulary.ordered(np.array([True, True, True])).tolist() == [numbers[1], numbers[2], numbers[0]]
    vocabulary.ordered(np.ones(4, dtype=bool))
    assert vocabulary.ordered(np.array([True, False, True])).tolist() == [numbers[2], numbers[0]]


def test_a_scan_stays_right_when_the_table_has_forgotten_its_forms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(surfaces, "_MAX_SURFACES", 2)
    table = SurfaceTable(Analyzer(Analysis(reduction=Reduction.NONE)))
    first = table.scan([b"one two three"])
    second = table.scan([b"four"])
    assert [first.vocabulary.term_bytes[i] for i in first.terms[first.tokens.forms]] == [b"one", b"two", b"three"]
    assert second.vocabulary.term_bytes == [b"four"]


@settings(max_examples=200, deadline=None)
@given(st.sets(st.text("ab", max_size=40).map(str.encode) | st.text(min_size=1, max_size=30).map(str.encode)))
def test_terms_are_sorted_by_their_bytes(terms: set[bytes]) -> None:
    given_order = [term for term in terms if b"\0" not in term]
    assert [given_order[i] for i in sorted_order(given_order).tolist()] == sorted(given_order)
    half = Sorting.none().with_more(given_order[: len(given_order) // 2])
    assert [given_order[i] for i in half.with_more(given_order).order.tolist()] == sorted(given_order)
