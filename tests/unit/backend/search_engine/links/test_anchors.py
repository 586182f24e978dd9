"""Anchor texts are counted by the page they lead to."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from backend.search_engine.links import Anchor, AnchorBook

LINKS = st.lists(st.tuples(st.integers(-1, 5), st.sampled_from(["", "Home", "home", "SSD 1 TB", "mehr"])), max_size=60)


def numbers(values: list[int]) -> np.ndarray:
    return np.array(values, dtype=np.int32)


def test_the_commonest_come_first() -> None:
    book = AnchorBook()
    book.add(numbers([1, 1, 0]), ["SSD", "details", "Home"])
    book.add(numbers([1, -1, 0]), ["details", "SSD", ""])
    texts = book.by_page(3)
    assert texts.of(0) == (Anchor("Home", 1),)
    assert texts.of(1) == (Anchor("details", 2), Anchor("SSD", 1))
    assert texts.of(1, limit=1) == (Anchor("details", 2),)
    assert texts.of(2) == ()


@given(LINKS, LINKS)
def test_counted_as_a_counter_would(first: list[tuple[int, str]], second: list[tuple[int, str]]) -> None:
    book = AnchorBook()
    for part in (first, second):
        book.add(numbers([target for target, _ in part]), [text for _, text in part])
    texts = book.by_page(6)
    known = Counter((target, text) for target, text in first + second if target >= 0 and text)
    found = {(page, anchor.text): anchor.links for page in range(6) for anchor in texts.of(page)}
    assert found == dict(known)
    for page in range(6):
        counts = [anchor.links for anchor in texts.of(page)]
        assert counts == sorted(counts, reverse=True)


def test_when_there_are_too_many_texts_the_rest_is_left_out_and_counted() -> None:
    book = AnchorBook(max_texts=2)
    book.add(numbers([0, 0, 0, 0]), ["a", "b", "c", "a"])
    assert book.by_page(1).of(0) == (Anchor("a", 2), Anchor("b", 1))
    assert book.left_out == 1


def test_long_texts_are_cut() -> None:
    book = AnchorBook()
    book.add(numbers([0]), ["x" * 1000])
    assert book.by_page(1).of(0) == (Anchor("x" * 200, 1),)
