"""The passage that shows why a text was found, in any language, and never anything but plain text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.search_engine.query import parse_query
from backend.search_engine.snippets import Passage, highlight, make_passages, wanted_in
from backend.search_engine.text import Analysis, Analyzer, Reduction

ENGLISH = Analyzer(Analysis(language="en", stop_words=True))
FILLER = "Nothing of interest stands here at all. " * 12


def passages(
    text: str, query: str, *, analyzer: Analyzer = ENGLISH, field: str | None = None, **options: int
) -> list[Passage]:
    return make_passages(text, wanted_in(parse_query(query), analyzer, field=field), analyzer, **options)


def shown(passage: Passage) -> list[str]:
    return [passage.text[start:end] for start, end in passage.highlights]


def test_highlights_every_form_of_a_word():
    [passage] = passages("Machines for espresso: one machine, two MACHINES.", "machine")
    assert shown(passage) == ["Machines", "machine", "MACHINES"]
    assert passage == Passage("Machines for espresso: one machine, two MACHINES.", passage.highlights, True, True)


def test_the_passage_is_cut_around_the_match_and_begins_with_its_sentence():
    [passage] = passages(FILLER + "The espresso machine is broken today. " + FILLER, "espresso", max_characters=120)
    assert passage.text.startswith("The espresso machine is broken today. Nothing")
    assert len(passage.text) <= 120
    assert not passage.is_beginning
    assert not passage.is_end
    assert shown(passage) == ["espresso"]


def test_the_passage_with_more_of_the_query_comes_first():
    text = "An espresso. " + FILLER + "A machine for espresso and milk. " + FILLER + "More machines."
    first = passages(text, "espresso machine milk")[0]
    assert shown(first) == ["machine", "espresso", "milk"]


def test_a_second_passage_shows_what_the_first_does_not():
    text = "A fine espresso here. " + FILLER + "The milk stands there. " + FILLER
    assert [shown(passage) for passage in passages(text, "espresso milk")] == [["espresso"], ["milk"]]
    assert len(passages(text, "espresso milk", max_passages=1)) == 1
    assert len(passages(text, "espresso")) == 1


def test_rare_words_weigh_more():
    text = "Common common words. " + FILLER + "One rare thing. "
    wanted = wanted_in(parse_query("common rare"), ENGLISH, weights={"rare": 9.0, "common": 0.5})
    assert shown(make_passages(text, wanted, ENGLISH)[0]) == ["rare"]


def test_a_phrase_is_highlighted_as_a_whole_and_its_words_only_where_it_never_occurs():
    text = "Tea, green. The green tea is green."
    assert shown(passages(text, '"green tea"')[0]) == ["green tea"]
    assert shown(passages("Tea that is green.", '"green tea"')[0]) == ["Tea", "green"]
    assert shown(passages("A machine that makes milk warm.", '"machine milk"~2')[0]) == ["machine that makes milk"]


def test_prefixes_and_fields_and_exclusions():
    assert shown(passages("Chocolate and chocolatier, no choc.", "choco*")[0]) == ["Chocolate", "chocolatier"]
    assert shown(passages("Müller and muller.", "MÜL*")[0]) == ["Müller", "muller"]
    assert shown(passages("tea and coffee", "title:tea coffee", field="body")[0]) == ["coffee"]
    assert shown(passages("tea and coffee", "title:tea coffee", field="title")[0]) == ["tea", "coffee"]
    assert shown(passages("tea and coffee", "tea -coffee")[0]) == ["tea"]


def test_what_a_search_found_for_a_fuzzy_word_is_highlighted():
    wanted = wanted_in(parse_query("expresso~"), ENGLISH, expansions={"expresso": ["espresso"]})
    assert shown(highlight("Espresso or expresso?", wanted, ENGLISH)) == ["Espresso", "expresso"]


def test_synonyms_are_highlighted():
    analyzer = Analyzer(Analysis(language="en"), synonyms=[["notebook", "laptop", "portable computer"]])
    found = passages("A laptop is a portable computer.", "notebook", analyzer=analyzer)
    assert shown(found[0]) == ["laptop", "portable computer"]


@pytest.mark.parametrize(
    ("language", "text", "query", "expected"),
    [
        ("de", "Die Häuser am Fluss, ein Haus.", "haus", ["Häuser", "Haus"]),
        ("ru", "Новые книги и старая книга.", "книга", ["книги", "книга"]),
        ("zh", "我们在北京大学学习中文。", "北京大学", ["北京大学"]),
        ("ja", "東京の天気は晴れです。", "天気", ["天気"]),
        ("el", "Το σπίτι και τα σπίτια", "σπίτι", ["σπίτι", "σπίτια"]),
    ],
)
def test_works_in_any_language(language, text, query, expected):
    reduction = Reduction.STEM if language in ("de", "ru", "el") else Reduction.NONE
    analyzer = Analyzer(Analysis(language=language, reduction=reduction))
    assert shown(passages(text, query, analyzer=analyzer)[0]) == expected


def test_a_text_without_spaces_is_cut_between_characters():
    text = "日本語" * 200 + "検索" + "中文字" * 200
    analyzer = Analyzer(Analysis(language="ja", reduction=Reduction.NONE))
    [passage] = passages(text, "検索", analyzer=analyzer, max_characters=60)
    assert shown(passage) == ["検索"]
    assert len(passage.text) <= 60


def test_without_a_match_the_beginning_is_shown():
    [passage] = passages(FILLER, "espresso", max_characters=50)
    assert passage == Passage("Nothing of interest stands here at all. Nothing of", (), True, False)
    assert passages("  \n ", "espresso") == []


def test_markup_stays_text_and_invisible_characters_go():
    [passage] = passages("<b>tea</b>\t\u202eevil\u202c \x00 <script>alert(1)</script>\n\n tea", "tea")
    assert passage.text == "<b>tea</b> evil <script>alert(1)</script> tea"
    assert shown(passage) == ["tea", "tea"]


@given(
    st.text(alphabet="ab .\n\u0301é日\u202e\ud800<", max_size=300),
    st.sampled_from(["a", "ab b", '"a b"', "a*", "日", "é~"]),
)
def test_any_text_gives_passages_that_fit(text, query):
    for passage in passages(text, query, max_characters=40):
        assert 0 < len(passage.text) <= 40
        assert passage.text == passage.text.strip()
        assert list(passage.highlights) == sorted(set(passage.highlights))
        assert all(0 <= start < end <= len(passage.text) for start, end in passage.highlights)
        assert "\u202e" not in passage.text


def test_a_long_text_full_of_matches_is_bounded():
    found = passages("tea " * 200_000, "tea cup", max_characters=100)
    assert len(found) == 1
    assert len(found[0].text) <= 100
