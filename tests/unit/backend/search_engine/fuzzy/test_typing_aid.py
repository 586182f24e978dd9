"""Words, titles and a dictionary, from documents to corrections and suggestions."""

import pytest

from backend.search_engine.errors import IndexMissingError
from backend.search_engine.fuzzy import Entry, TypingAid, WordCounter, apply_changes, title_entries
from backend.search_engine.query import parse_query

TEXTS = ["Espresso machines, e-mail & Café.", "An espresso isn’t a MACHINE.", "Модель x 12345 " + "y" * 50]


def counted() -> WordCounter:
    counter = WordCounter()
    for text in TEXTS:
        counter.add(text)
    return counter


def aid() -> TypingAid:
    titles = title_entries(["Espresso cup", "Espresso cup", "Mail order", " "])
    return TypingAid.build(counted().counts, names=[*titles, Entry("Christian Dior", 9, ("CD",))], q=2)


def test_words_are_counted_as_people_write_them():
    counts = counted().counts
    assert counts["espresso"] == 2
    assert counts["machine"] == counts["machines"] == counts["café"] == counts["isn't"] == counts["модель"] == 1
    assert not {"a", "x", "12345", "y" * 50} & set(counts)


def test_corrects_and_suggests():
    query = parse_query("expresso machine")
    assert apply_changes(query.source, aid().changes(query)) == "espresso machine"
    assert [found.name for found in aid().suggest("esp")] == ["Espresso cup", "espresso"]
    assert [found.name for found in aid().suggest("dio")] == ["Christian Dior"]


def test_answers_alike_after_it_was_saved(tmp_path):
    aid().save(tmp_path / "aid")
    opened = TypingAid.open(tmp_path / "aid")
    assert opened.suggest("ma") == aid().suggest("ma") != []
    query = parse_query("mashine")
    assert opened.changes(query) == aid().changes(query) != []


def test_a_folder_without_one_is_told(tmp_path):
    with pytest.raises(IndexMissingError):
        TypingAid.open(tmp_path)
