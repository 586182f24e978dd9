"""What is offered while a query is being typed."""

from backend.search_engine.fuzzy import Entry, Suggester, suggest_query

NAMES = Suggester.build([Entry("Red espresso cups", 5), Entry("Espresso", 9)])
WORDS = Suggester.build([Entry("espresso", 900), Entry("espadrilles", 20), Entry("red", 500)])


def names(text: str, limit: int = 10) -> list[str]:
    return [suggestion.name for suggestion in suggest_query(text, names=NAMES, words=WORDS, limit=limit)]


def test_names_come_before_completions_of_the_last_word():
    assert names("red esp") == ["Red espresso cups", "red espresso", "red espadrilles"]
    assert names("red esp", limit=1) == ["Red espresso cups"]


def test_nothing_is_offered_twice():
    assert names("espr")[:2] == ["Espresso", "Red espresso cups"]
    assert "espresso" not in names("espr")


def test_after_a_space_there_is_no_word_to_complete():
    assert names("cheap ") == []
    assert names("") == []


def test_works_with_either_source_alone():
    assert [found.name for found in suggest_query("old es", names=None, words=WORDS)] == [
        "old espresso",
        "old espadrilles",
    ]
    assert [found.name for found in suggest_query("esp", names=NAMES, words=None)] == ["Espresso", "Red espresso cups"]
