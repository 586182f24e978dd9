"""The q-gram index finds exactly what comparing with every word would find."""

import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from backend.search_engine.errors import IndexCorruptError, IndexMissingError, IndexVersionError
from backend.search_engine.fuzzy import FuzzyIndex, Match, tolerance
from backend.search_engine.fuzzy.kernels import DOUBLING, EXACT, FIRST_LETTER, PER_ERROR
from backend.search_engine.fuzzy.storage import write_arrays


def brute_force(words: dict[str, int], asked: str, distance: int, limit: int) -> list[Match]:
    """Compare with every word; rank as `find` promises, by another implementation of the distance."""
    near = []
    for word, frequency in words.items():
        errors = OSA.distance(asked, word)
        if errors <= distance and asked:
            weight = round(DOUBLING * float(np.log2(1.0 + frequency)))
            lost = errors * PER_ERROR + FIRST_LETTER * (asked[:1] != word[:1]) if errors else -EXACT
            near.append((lost - weight, len(word), -frequency, word, errors))
    return [Match(word, errors, -rarity) for _, _, rarity, word, errors in sorted(near)[:limit]]


def random_words(seed: int, count: int, alphabet: str) -> dict[str, int]:
    source = random.Random(seed)
    words = {"".join(source.choices(alphabet, k=source.randint(1, 12))) for _ in range(count)}
    return {word: source.choice([1, 1, 2, 7, 1000]) for word in sorted(words)}


def misspell(source: random.Random, word: str, alphabet: str) -> str:
    for _ in range(source.randint(0, 3)):
        at = source.randrange(len(word) + 1)
        kind = source.randrange(4)
        inserted = source.choice(alphabet) if kind < 2 else ""
        rest = word[at + 1 :] if kind else word[at:]
        word = (
            word[:at] + word[at + 1 : at + 2] + word[at : at + 1] + word[at + 2 :]
            if kind == 3
            else word[:at] + inserted + rest
        )
    return word


@pytest.mark.parametrize("q", [2, 3, 4])
@pytest.mark.parametrize("alphabet", ["abc", "abcdefghijklmnopqrstuvwxyz", "абвгдежз", "日本語中文字典検索"])
def test_agrees_with_brute_force(q, alphabet):
    words = random_words(q, 1_500, alphabet)
    index = FuzzyIndex.build(words.items(), q=q)
    source = random.Random(7)
    for word in source.sample(list(words), 60):
        asked = misspell(source, word, alphabet)
        for distance in (0, 1, 2):
            limit = source.choice([1, 5, 50])
            assert index.find(asked, distance=distance, limit=limit) == brute_force(words, asked, distance, limit)


@given(
    st.dictionaries(st.text(alphabet="abé日🦊", min_size=1, max_size=7), st.integers(0, 2**33), max_size=30),
    st.text(alphabet="abé日🦊", max_size=8),
    st.integers(0, 2),
)
@settings(max_examples=200)
def test_agrees_with_brute_force_on_any_script(words, asked, distance):
    words = {word: min(frequency, 2**32 - 1) for word, frequency in words.items()}
    found = FuzzyIndex.build(words.items()).find(asked, distance=distance, limit=40)
    assert found == brute_force(words, asked, distance, 40)


def test_a_query_longer_than_every_word_agrees_with_brute_force():
    words = {"a": 0, "b": 3}
    index = FuzzyIndex.build(words.items())
    for asked in ["aa", "ab", "ba", "aab", "aaa"]:
        for distance in (1, 2):
            assert index.find(asked, distance=distance) == brute_force(words, asked, distance, 5)


def test_long_words_agree_with_brute_force_too():
    words = {"ab" * 32: 1, "ab" * 32 + "c": 2, "ab" * 40: 3, "x" * 200: 4, "y" * 201: 5}
    index = FuzzyIndex.build(words.items())
    assert len(index) == 4
    for asked in ["ab" * 32 + "cd", "ba" + "ab" * 31, "ab" * 39 + "ba", "x" * 199, "x" * 200]:
        assert index.find(asked, distance=2) == brute_force(words, asked, 2, 5)
    assert index.find("y" * 201, distance=2) == []


def test_the_nearest_and_most_frequent_come_first():
    index = FuzzyIndex.build([("courage", 300), ("curage", 1), ("carriage", 80), ("currage", 0), ("forage", 20)])
    assert [match.word for match in index.find("currage", distance=2)] == ["currage", "courage", "carriage", "curage"]


def test_a_word_given_twice_has_the_sum():
    index = FuzzyIndex.build([("tea", 2), ("tea", 3)])
    assert (len(index), index.frequency("tea"), index.frequency("coffee")) == (1, 5, 0)


@pytest.mark.parametrize(
    ("word", "errors"),
    [("te", 0), ("tea", 1), ("coffees", 1), ("espresso", 2), ("a1b2c3d4", 0), ("2024", 0), ("日本語", 0)],
)
def test_the_tolerance_grows_with_the_word_and_is_off_for_numbers(word, errors):
    assert tolerance(word) == errors


def test_an_empty_index_finds_nothing():
    index = FuzzyIndex.build([])
    assert index.find("tea", distance=2) == []
    assert index.frequency("tea") == 0


@pytest.mark.parametrize("q", [0, 1, 7])
def test_refuses_a_q_that_makes_no_sense(q):
    with pytest.raises(ValueError, match="q must be from 2 to 6"):
        FuzzyIndex.build([], q=q)


def test_a_saved_index_answers_alike(tmp_path):
    words = random_words(1, 500, "abcdé日🦊")
    built = FuzzyIndex.build(words.items(), q=2)
    built.save(tmp_path / "words")
    opened = FuzzyIndex.open(tmp_path / "words")
    for word in list(words)[:50]:
        assert opened.find(word + "a", distance=2) == built.find(word + "a", distance=2)
        assert opened.frequency(word) == words[word]


def test_many_threads_get_the_answers_of_one():
    words = random_words(3, 3_000, "abcdef")
    index = FuzzyIndex.build(words.items())
    asked = list(words)[:400]
    expected = [index.find(word, distance=2) for word in asked]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda word: index.find(word, distance=2), asked)) == expected


def test_every_flipped_bit_and_every_cut_is_detected(tmp_path):
    path = tmp_path / "words"
    FuzzyIndex.build(random_words(2, 50, "abc").items()).save(path)
    whole, source = path.read_bytes(), random.Random(5)
    for _ in range(150):
        damaged = bytearray(whole)
        at = source.randrange(len(damaged))
        damaged[at] ^= 1 << source.randrange(8)
        path.write_bytes(damaged if source.random() < 0.8 else whole[:at])
        with pytest.raises((IndexCorruptError, IndexVersionError)):
            FuzzyIndex.open(path)


def test_a_missing_or_foreign_file_is_told_apart(tmp_path):
    with pytest.raises(IndexMissingError):
        FuzzyIndex.open(tmp_path / "nothing")
    write_arrays(tmp_path / "other", kind="something else", arrays={}, facts={})
    with pytest.raises(IndexVersionError):
        FuzzyIndex.open(tmp_path / "other")
