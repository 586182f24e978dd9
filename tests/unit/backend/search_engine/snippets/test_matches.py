"""Looking only at words that begin like a wanted term finds what looking at every word finds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.search_engine.query import parse_query
from backend.search_engine.snippets import highlight, matches
from backend.search_engine.snippets.matches import KEEPS_FIRST_LETTER, SpanFinder, keeps_first_letter
from backend.search_engine.snippets.wanted import wanted_in
from backend.search_engine.text import Analysis, Analyzer
from backend.search_engine.text.folding import fold_accents, fold_case
from backend.search_engine.text.languages import Reduction
from backend.search_engine.text.stop_words import STOP_WORDS

LETTERS = "abcdefghijklmnopqrstuvwxyzäöüßéèåøñçő'"


@pytest.mark.parametrize("language", sorted(KEEPS_FIRST_LETTER))
@given(words=st.lists(st.text(LETTERS, min_size=2, max_size=14).filter(lambda word: word[0].isalpha()), max_size=20))
def test_stemmers_of_these_languages_keep_the_first_letter(language: str, words: list[str]) -> None:
    analyzer = Analyzer(Analysis(language=language))
    for word in (*words, *STOP_WORDS.get(language, ())):
        term = analyzer.term(word)
        assert not term or term[0] == fold_accents(fold_case(word))[0], (word, term)


@pytest.mark.parametrize(
    "text",
    [
        "Running runners ran: a RUN, re-run and high-speed Élan élan, 1,299.00 or 1299 and ﬁne Ⓡun.",
        "Die Häuser, das HAUS; häuslich und Hausboot. Ärger, ärgerlich, Aerger!",
        "e-mail E‑Mail email; l'homme o'clock 東京都 and 🙂 smile's",
    ],
)
@pytest.mark.parametrize(
    "query", ["run", "haus ärger", '"high speed" mail', "1299 smile", "élan* fine", "東京", "homme"]
)
@pytest.mark.parametrize("language", ["en", "de", "es"])
def test_the_same_is_found_with_and_without_the_short_cut(
    text: str, query: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    analyzer = Analyzer(Analysis(language=language))
    assert keeps_first_letter(analyzer)
    wanted = wanted_in(parse_query(query), analyzer)
    short = SpanFinder(wanted, analyzer).find(text)
    monkeypatch.setattr(matches, "keeps_first_letter", lambda _: False)
    assert short == SpanFinder(wanted, analyzer).find(text)


@pytest.mark.parametrize(
    ("analysis", "expected"),
    [
        (Analysis(language="en"), True),
        (Analysis(language="en", reduction=Reduction.LEMMA), False),
        (Analysis(language="fr"), False),
        (Analysis(language="en", reduction=Reduction.NONE), True),
        (Analysis(language="nl"), False),
        (Analysis(language="it", reduction=Reduction.NONE), False),
    ],
)
def test_lemmas_and_elisions_take_the_long_way(analysis: Analysis, expected: bool) -> None:
    assert keeps_first_letter(Analyzer(analysis)) is expected


def test_dutch_participles_are_shown() -> None:
    analyzer = Analyzer(Analysis(language="nl"))
    [span] = SpanFinder(wanted_in(parse_query("maken"), analyzer), analyzer).find("Dat is gemaakt.")
    assert (span.start, span.end) == (7, 14)


def test_a_finder_that_is_kept_finds_the_same_in_every_text() -> None:
    analyzer = Analyzer(Analysis())
    finder = SpanFinder(wanted_in(parse_query("tea"), analyzer), analyzer)
    texts = ["Tea and teas", "no coffee", "TEA", ""]
    found = [[text[span.start : span.end] for span in finder.find(text)] for text in texts]
    assert found == [["Tea", "teas"], [], ["TEA"], []]


WITHOUT_STOPS = Analyzer(Analysis(stop_words=True), synonyms=[["new york", "nyc"], ["tv", "goggle box"]])


@pytest.mark.parametrize(
    ("query", "text", "shown"),
    [
        ('"state of the art"', "The state paid art. A state of the art car.", ["state of the art"]),
        ('"state of the art"', "state art", ["state", "art"]),
        ('"state of the art"~1', "art state. State of all the art!", ["State of all the art"]),
        ('"state of the art"~1', "state of all new the art", ["state", "art"]),
        ("new york hotel", "a hotel in NYC", ["hotel", "NYC"]),
        ("nyc hotel", "a hotel in New York, a new one", ["hotel", "New York"]),
        ("new york -tv", "tv in nyc", ["nyc"]),
        ("e-mai*", "an email, an e-mail, a mail", ["email", "e-mail"]),
        ("o'ne*", "O'Neill", ["O'Neill"]),
        ("wi-fi", "wifi or wi-fi", ["wifi", "wi-fi"]),
        ('"e-mail address"', "email, email address", ["email address"]),
        ("tea,coffee", "coffee or tea", ["coffee", "tea"]),
    ],
)
def test_what_a_search_matches_is_shown(query: str, text: str, shown: list[str]) -> None:
    found = highlight(text, wanted_in(parse_query(query), WITHOUT_STOPS), WITHOUT_STOPS)
    assert [found.text[start:end] for start, end in found.highlights] == shown
