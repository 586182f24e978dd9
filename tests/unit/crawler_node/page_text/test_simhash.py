"""Near-duplicates share their fingerprint almost whole; other texts do not."""

import random
import re

from hypothesis import given
from hypothesis import strategies as st

from crawler_node.page_text.simhash import are_near, distance, simhash

MASK = 2**64 - 1


def plain_simhash(text: str) -> int:
    """The fingerprint as the definition says it, word by word."""
    words = re.findall(rb"[0-9a-z\x80-\xff]+", text.lower().encode())
    hashes = [_mix(sum(byte * pow(0x9E3779B97F4A7C15, 1 + place) for place, byte in enumerate(w[:64]))) for w in words]
    size = min(3, len(hashes))
    shingles = hashes[: len(hashes) - size + 1]
    for offset in range(1, size):
        shingles = [_mix(one + other) for one, other in zip(shingles, hashes[offset:], strict=False)]
    counted = set(shingles)
    return sum(1 << bit for bit in range(64) if 2 * sum(number >> bit & 1 for number in counted) > len(counted))


def _mix(number: int) -> int:
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        number = ((number & MASK) ^ (number & MASK) >> 33) * factor & MASK
    return number ^ number >> 33


@given(st.lists(st.text("abÄ9漢", max_size=5) | st.just("w" * 70), max_size=40), st.sampled_from([" ", ", ", "\n"]))
def test_the_fingerprint_is_what_its_definition_says(words: list[str], between: str) -> None:
    assert simhash(between.join(words)) == plain_simhash(between.join(words))


def words(seed, count=600):
    chooser = random.Random(seed)
    return [f"word{chooser.randrange(2_000)}" for _ in range(count)]


def test_equal_texts_have_equal_fingerprints_whatever_their_case_and_punctuation():
    assert simhash("One two, three: four!") == simhash("one TWO three four")


def test_fingerprints_have_64_bits_and_do_not_change_from_run_to_run():
    assert simhash("the same words on every machine and in every year") == 0x00044C51C7094481
    assert 0 < simhash("some words") < 2**64


def test_where_a_text_begins_and_ends_does_not_matter():
    assert simhash("  …, " + "- " * 100 + "one two three four.") == simhash("… one two three four" + " ?" * 100)
    assert simhash("w" * 100 + " two three") == simhash("w" * 64 + " two three")


def test_no_words_no_fingerprint():
    assert simhash(" !? ") == 0


def test_a_changed_word_changes_few_bits_and_another_text_many():
    original = words(1)
    changed = [*original[:300], "changed", *original[301:]]
    assert are_near(simhash(" ".join(original)), simhash(" ".join(changed)))
    others = [distance(simhash(" ".join(original)), simhash(" ".join(words(seed)))) for seed in range(2, 30)]
    assert min(others) > 10
    assert 24 < sum(others) / len(others) < 40
