"""Near-duplicates share their fingerprint almost whole; other texts do not."""

import random

from crawler_node.page_text.simhash import are_near, distance, simhash


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
