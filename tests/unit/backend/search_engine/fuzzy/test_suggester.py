"""Suggestions are what comparing with the beginning of every key would give."""

import math
import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from rapidfuzz.distance import OSA

from backend.search_engine.errors import IndexCorruptError
from backend.search_engine.fuzzy import Entry, Suggester
from backend.search_engine.fuzzy.completion import FEW
from backend.search_engine.fuzzy.kernels import DOUBLING, EXACT, FIRST_LETTER, PER_ERROR
from backend.search_engine.fuzzy.suggester import ENOUGH, SYNONYM_COST, WORD_COST, fold_name


def suggest(entries: list[Entry], text: str, limit: int = 10) -> list[str]:
    return [suggestion.name for suggestion in Suggester.build(entries).suggest(text, limit=limit)]


def beginning_distance(typed: str, key: str) -> int:
    return min(OSA.distance(typed, key[:end]) for end in range(min(len(key), len(typed) + 2) + 1))


def brute_force(entries: list[Entry], typed: str, most: int) -> dict[int, int]:
    """The best score of every entry that has a key with a beginning at most `most` errors away."""
    best: dict[int, int] = {}
    for number, entry in enumerate(entries):
        weight = round(DOUBLING * float(np.log2(1.0 + entry.score)))
        words = fold_name(entry.name).split(" ")
        keys = [(" ".join(words[at:]), WORD_COST if at else 0) for at in range(len(words))]
        keys += [(fold_name(synonym), SYNONYM_COST) for synonym in entry.synonyms]
        for key, cost in keys:
            errors = beginning_distance(typed, key)
            lost = -EXACT if key == typed else errors * PER_ERROR + FIRST_LETTER * (errors > 0 and key[:1] != typed[0])
            if errors <= most and key:
                best[number] = max(best.get(number, -(10**9)), weight - cost - lost)
    return best


def random_entries(seed: int, count: int, alphabet: str) -> list[Entry]:
    source = random.Random(seed)

    def word() -> str:
        return "".join(source.choices(alphabet, k=source.randint(1, 7)))

    def name() -> str:
        return " ".join(word() for _ in range(source.choice([1, 1, 2, 3])))

    return [
        Entry(name(), source.choice([2, 5, 90, 4000]), tuple(name() for _ in range(source.choice([0, 0, 1, 2]))))
        for _ in range(count)
    ]


@pytest.mark.parametrize(("alphabet", "count"), [("ab", 200), ("abcde", 500), ("дежз", 150), ("日本語文", 150)])
def test_agrees_with_brute_force(alphabet, count):
    entries = random_entries(len(alphabet), count, alphabet)
    suggester = Suggester.build(entries)
    source = random.Random(1)
    for _ in range(60):
        typed = "".join(source.choices(alphabet + " ", weights=[5] * len(alphabet) + [1], k=source.randint(1, 11)))
        typed = fold_name(typed, keep_end=True)
        if not typed.strip():
            continue
        exact = brute_force(entries, typed, 0)
        expected = exact
        letters = len(typed.strip())
        if len(exact) < ENOUGH and letters >= 3:
            expected = brute_force(entries, typed, 1)
            if not expected and letters >= 8:
                expected = brute_force(entries, typed, 2)
        found = suggester.suggest(typed, limit=10)
        scores = sorted(expected.values(), reverse=True)[:10]
        names = {entries[number].name for number, score in expected.items() if score >= scores[-1]} if scores else set()
        assert len(found) == min(10, len(expected))
        assert {suggestion.name for suggestion in found} <= names


@pytest.mark.parametrize(("alphabet", "share"), [("ab", 0.1), ("ab", 0.9), ("abcde", 0.5), ("abcde", 1.0)])
def test_safe_search_answers_as_if_hidden_names_were_not_there(alphabet, share):
    source = random.Random(7)
    entries = [
        replace(entry, score=1.05**number, is_hidden=source.random() < share)  # no two are equally good
        for number, entry in enumerate(random_entries(3, 400, alphabet))
    ]
    suggester = Suggester.build(entries)
    without = Suggester.build(entry for entry in entries if not entry.is_hidden)
    for _ in range(150):
        typed = "".join(source.choices(alphabet + " ", k=source.randint(1, 9)))
        for limit in (1, 3, 10):
            found = suggester.suggest(typed, limit=limit, is_safe=True)
            expected = without.suggest(typed, limit=limit)
            assert [(each.name, each.score) for each in found] == [(each.name, each.score) for each in expected]


def test_hidden_names_are_offered_where_safe_search_is_off():
    suggester = Suggester.build([Entry("teapot", 9, is_hidden=True), Entry("tea", 2)])
    assert [each.name for each in suggester.suggest("te")] == ["teapot", "tea"]
    assert [each.name for each in suggester.suggest("te", is_safe=True)] == ["tea"]
    assert suggester.suggest("teapot", is_safe=True) == []
    assert (suggester.hides("teapot"), suggester.hides("tea"), suggester.hides("teap")) == (True, False, False)


def test_what_is_hidden_stays_hidden_after_saving(tmp_path):
    Suggester.build([Entry("teapot", 9, is_hidden=True), Entry("tea", 2)]).save(tmp_path / "names")
    assert [each.name for each in Suggester.open(tmp_path / "names").suggest("te", is_safe=True)] == ["tea"]


def test_branches_with_many_keys_are_walked():
    entries = [Entry(f"espresso {number:03}", 1 + number) for number in range(5 * FEW)]
    assert suggest(entries, "esperss", limit=2) == ["espresso 119", "espresso 118"]
    assert suggest(entries, "esxpersso", limit=1) == ["espresso 119"]


def test_popular_names_come_first_and_an_equal_name_before_all():
    entries = [Entry("teapot", 1000), Entry("tea", 2), Entry("teacup", 50), Entry("coffee", 9999)]
    assert suggest(entries, "te") == ["teapot", "teacup", "tea"]
    assert suggest(entries, "tea") == ["tea", "teapot", "teacup"]


def test_case_and_accents_do_not_count_but_names_come_back_as_written():
    entries = [Entry("Café Müller", 3), Entry("CAFETERIA", 1)]
    assert suggest(entries, "CAFÉ m") == ["Café Müller"]
    assert suggest(entries, "cafe") == ["Café Müller", "CAFETERIA"]


def test_a_name_is_found_by_a_later_word_and_by_a_synonym():
    entries = [Entry("Christian Dior", 100, ("house of dior", "CD")), Entry("diorite", 10), Entry("Diori Hamani", 5)]
    assert suggest(entries, "dior") == ["Christian Dior", "diorite", "Diori Hamani"]
    assert suggest(entries, "house") == ["Christian Dior"]
    assert suggest(entries, "cd") == ["Christian Dior"]


def test_what_matched_is_told():
    [suggestion] = Suggester.build([Entry("Christian Dior", 7, ("House of Dior",))]).suggest("house")
    assert suggestion == ("Christian Dior", "house of dior", 7.0)


def test_a_name_is_suggested_once():
    assert suggest([Entry("tea tea tea", 1, ("tea", "teas"))], "tea") == ["tea tea tea"]


def test_typing_errors_are_forgiven_when_little_fits_without():
    entries = [Entry("espresso machine", 10), Entry("express", 5), Entry("espadrilles", 1)]
    assert suggest(entries, "espreso") == ["espresso machine"]
    assert suggest(entries, "expreso m") == ["espresso machine"]
    assert suggest(entries, "xyz") == []


def test_small_scores_still_decide():
    assert suggest([Entry("tea b", 0.0002), Entry("tea a", 0.0001), Entry("tea c", 0.9)], "te") == [
        "tea c",
        "tea b",
        "tea a",
    ]


@pytest.mark.parametrize(
    ("text", "names"),
    [("", []), ("   ", []), ("\x00", []), ("🦊", ["🦊 fox"]), ("a" * 10_000, []), ("\ud800", [])],
)
def test_any_text_has_an_answer(text, names):
    assert suggest([Entry("tea", 1), Entry("🦊 fox", 2)], text) == names


def test_an_empty_suggester_suggests_nothing():
    assert suggest([], "tea") == []
    assert suggest([Entry("", 1), Entry("  ", math.inf)], "tea") == []


def test_a_saved_suggester_answers_alike_and_damage_is_detected(tmp_path):
    path = tmp_path / "names"
    built = Suggester.build(random_entries(5, 300, "abcé日"))
    built.save(path)
    opened = Suggester.open(path)
    for text in ["a", "ab", "cab", "bac c", "日a"]:
        assert opened.suggest(text) == built.suggest(text)
    damaged = bytearray(path.read_bytes())
    damaged[len(damaged) // 2] ^= 4
    path.write_bytes(damaged)
    with pytest.raises(IndexCorruptError):
        Suggester.open(path)


def test_many_threads_get_the_answers_of_one():
    suggester = Suggester.build(random_entries(6, 2_000, "abcdef"))
    texts = ["".join(random.Random(seed).choices("abcdef ", k=6)) for seed in range(300)]
    expected = [suggester.suggest(text) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(suggester.suggest, texts)) == expected
