"""Words, titles and a dictionary, from documents to corrections and suggestions."""

import pytest

from backend.search_engine.errors import IndexMissingError
from backend.search_engine.fuzzy import (
    Entry,
    Tally,
    TypingAid,
    WordCounter,
    apply_changes,
    tally_entries,
    title_entries,
)
from backend.search_engine.query import parse_query
from backend.search_engine.safe_search import SafeSearch

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


def test_while_safe_search_is_on_nothing_is_offered_that_only_unsafe_documents_have():
    words, titles = WordCounter(), Tally()
    for text, is_unsafe in (("green kettle", False), ("kettle kettledrum", True), ("kettledrums", True)):
        words.add(text, is_unsafe=is_unsafe)
        titles.add_all([text.title()], is_unsafe=is_unsafe)
    aid = TypingAid.build(words.counts, names=tally_entries(titles), hidden_words=words.hidden)
    assert {each.name for each in aid.suggest("kettle")} == {
        "Green Kettle",
        "Kettle Kettledrum",
        "Kettledrums",
        "kettle",
        "kettledrum",
    }
    assert {each.name for each in aid.suggest("kettle", is_safe=True)} == {"Green Kettle", "kettle"}
    query = parse_query("kettledrun")
    assert [change.corrected for change in aid.changes(query)] == ["kettledrum"]
    assert aid.changes(query, is_safe=True) == []


def test_names_that_are_unfit_as_titles_are_not_offered_either():
    names = [Entry("Porn star", 5), Entry("Portal", 1), Entry("Film", 3, ("porno",))]
    aid = TypingAid.build({"porn": 4, "portal": 1}, names=names, safe_search=SafeSearch())
    assert {each.name for each in aid.suggest("por")} >= {"Porn star", "Portal", "Film"}
    assert [each.name for each in aid.suggest("por", is_safe=True)] == ["Portal"]


def test_a_name_that_a_safe_document_lost_is_hidden():
    titles = Tally()
    titles.add_all(["Tea", "Tea"])
    titles.take_back(["Tea"])
    titles.add_all(["Tea"], is_unsafe=True)
    assert (titles.hidden, titles.counts) == (set(), {"Tea": 2})
    titles.take_back(["Tea"])
    assert titles.hidden == {"Tea"}
    titles.take_back(["Tea", "Coffee"])
    assert titles.counts == {}


def test_a_name_that_an_unsafe_document_lost_is_counted_as_before():
    titles = Tally()
    titles.add_all(["Tea"])
    titles.add_all(["Tea", "Rum"], is_unsafe=True)
    titles.take_back(["Tea", "Rum"], is_unsafe=True)
    assert (titles.counts, titles.unsafe, titles.hidden) == ({"Tea": 1}, {}, set())
    titles.take_back(["Tea"])
    assert titles.hidden == set()


def test_answers_alike_after_it_was_saved(tmp_path):
    aid().save(tmp_path / "aid")
    opened = TypingAid.open(tmp_path / "aid")
    assert opened.suggest("ma") == aid().suggest("ma") != []
    query = parse_query("mashine")
    assert opened.changes(query) == aid().changes(query) != []


def test_a_folder_without_one_is_told(tmp_path):
    with pytest.raises(IndexMissingError):
        TypingAid.open(tmp_path)
