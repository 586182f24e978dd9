"""The distance of the kernels is the distance of a reference library."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from backend.search_engine.fuzzy.distance import osa_distance, plain_distance
from backend.search_engine.fuzzy.letters import to_letters

WORDS = st.text(alphabet="abcdé日", max_size=70)


@pytest.mark.parametrize(
    ("left", "right", "distance"),
    [
        ("", "", 0),
        ("", "abc", 3),
        ("abc", "abc", 0),
        ("recieve", "receive", 1),
        ("teh", "the", 1),
        ("ca", "abc", 3),  # a swapped pair is not edited again: 3, where unrestricted Damerau says 2
        ("kitten", "sitting", 3),
        ("日本語", "日本后", 1),
        ("🦊a", "🦊b", 1),
    ],
)
def test_counts_typing_errors(left, right, distance):
    assert osa_distance(left, right) == distance


@given(WORDS, WORDS)
def test_agrees_with_a_reference_library(left, right):
    expected = OSA.distance(left, right)
    assert osa_distance(left, right) == expected
    assert plain_distance(to_letters(left), to_letters(right), 0, len(right)) == expected


def test_words_of_more_than_64_letters_are_measured_too():
    assert osa_distance("a" * 100, "a" * 50 + "b" + "a" * 48) == OSA.distance("a" * 100, "a" * 50 + "b" + "a" * 48)
    assert plain_distance(np.empty(0, dtype=np.uint16), to_letters("abc"), 0, 3) == 3
