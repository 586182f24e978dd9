"""Nearly equal texts have nearly equal fingerprints; others do not."""

import random

import pytest

from backend.search_engine.duplicates import NO_FINGERPRINT, fingerprint

VOCABULARY = [f"word{number}" for number in range(5_000)]


def text(seed: int, length: int = 600) -> list[str]:
    return random.Random(seed).choices(VOCABULARY, k=length)


def bits_between(left: list[str], right: list[str]) -> int:
    return (fingerprint(left) ^ fingerprint(right)).bit_count()


def test_the_same_text_has_the_same_fingerprint_everywhere():
    terms = ["the", "quick", "brown", "fox", "jumps", "over", "the", "lazy", "dog", "again"]
    assert fingerprint(terms) == fingerprint(list(terms)) == 0x89FC354AB917D9A2


def test_a_text_with_one_word_changed_is_near_and_another_text_is_far():
    for seed in range(20):
        original = text(seed)
        changed = [*original[:300], "changed", *original[301:]]
        assert bits_between(original, changed) <= 3
        assert bits_between(original, text(seed + 1_000)) >= 16


def test_the_bits_tell_what_two_texts_have_in_common():
    distances = [bits_between(text(seed), [*text(seed)[:480], *text(seed + 500)[480:]]) for seed in range(200)]
    common = 478 / (598 + 120)
    assert sum(distances) / 200 == pytest.approx(32 * (1 - common), abs=1)


def test_short_texts_are_told_apart_as_well():
    distances = [bits_between(text(seed, 12), text(seed + 500, 12)) for seed in range(200)]
    assert sum(distances) / 200 == pytest.approx(32, abs=2)


def test_the_order_of_words_matters():
    original = text(1)
    assert bits_between(original, sorted(original)) >= 16


def test_repeating_a_text_does_not_change_it_much():
    original = text(2)
    assert bits_between(original, original * 3) <= 2


def test_short_texts_have_no_fingerprint():
    assert fingerprint(["buy", "now"]) == NO_FINGERPRINT
    assert fingerprint([]) == NO_FINGERPRINT
    assert fingerprint(["same"] * 50) != NO_FINGERPRINT
