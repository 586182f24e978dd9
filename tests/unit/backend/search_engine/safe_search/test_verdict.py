"""What is hidden while safe search is on."""

import pytest

from backend.search_engine.safe_search import SafeSearch, Verdict, default_words, read_words

OWN = SafeSearch(["gore", "blood bath", "?blood"])


def test_two_clear_words_or_one_in_the_title_decide():
    assert OWN.judge("Gore and more GORE.") == Verdict(True, ("gore",))
    assert OWN.judge("One gore only.") == Verdict(False)
    assert OWN.judge("Harmless.", title="Gore!") == Verdict(True, ("gore",))


def test_several_words_in_a_row_count_as_one():
    assert OWN.judge("A blood bath, a Blood-Bath.") == Verdict(True, ("blood bath",))
    assert not OWN.judge("A bath of blood.").is_unsafe


def test_doubtful_words_need_to_be_many():
    assert not OWN.judge("blood " * 4).is_unsafe
    assert OWN.judge("blood " * 5) == Verdict(True, ("blood",))
    assert not OWN.judge("blood " * 5 + "medicine " * 500).is_unsafe


def test_words_are_whole_words():
    assert not OWN.judge("gorecki gorecki gorecki", title="Gorecki").is_unsafe


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A cock crows at dawn.",
        "Breast cancer and sex education for adults.",
        "Essex, Scunthorpe and Sussex",
        "Dickens",
    ],
)
def test_the_default_list_leaves_ordinary_texts_alone(text):
    assert not SafeSearch().judge(text, title=text).is_unsafe


def test_the_default_list_knows_what_it_is_for():
    assert SafeSearch().judge("Free porn, xxx.").is_unsafe
    assert SafeSearch().judge("", title="Порно").is_unsafe
    assert len(set(default_words())) == len(default_words())


def test_a_list_file_has_a_word_per_line_and_comments():
    assert read_words(["# title", "", " gore # red", "?blood"]) == ["gore", "?blood"]
