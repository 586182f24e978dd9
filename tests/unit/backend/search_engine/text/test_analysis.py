import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.search_engine.errors import AnalysisError
from backend.search_engine.text import Analysis, Analyzer, Reduction, parse_synonyms
from backend.search_engine.text.folding import fold_accents
from backend.search_engine.text.scan import WORD


def test_offsets_point_at_the_written_form() -> None:
    text = "Zwölf Boxkämpfer jagten Eva quer über den Sylter Deich – 東京都 🎉 naïve"
    tokens = Analyzer(Analysis(language="de")).tokens(text)
    assert [text[t.start : t.end] for t in tokens][-5:] == ["Deich", "東京", "京都", "都", "naïve"]


def test_dropped_words_leave_a_gap() -> None:
    tokens = Analyzer(Analysis(stop_words=True)).tokens("the state of the art")
    assert [(t.term, t.position) for t in tokens] == [("state", 1), ("art", 4)]


def test_word_forms_meet_in_their_stem() -> None:
    analyzer = Analyzer(Analysis(language="en"))
    assert analyzer.terms("connect connected connecting connections") == ["connect"] * 4


def test_word_forms_meet_in_their_lemma() -> None:
    analyzer = Analyzer(Analysis(language="en", reduction=Reduction.LEMMA))
    assert analyzer.terms("mice Mouse") == ["mouse", "mouse"]


def test_stemmers_see_accents_and_terms_do_not() -> None:
    assert Analyzer(Analysis(language="fr")).terms("L'été répété") == ["ete", "repet"]


def test_possessives_are_dropped_without_stemming() -> None:
    assert Analyzer(Analysis(reduction=Reduction.NONE)).terms("Anna’s book isn't") == ["anna", "book", "isnt"]


@pytest.mark.parametrize(
    ("language", "text", "kept"),
    [
        ("fr", "d'une maison qu'il n'est l’on", ["maison"]),
        ("fr", "l'été à l'est d'être", ["été", "est", "être"]),
        ("fr", "l'homme c'est jusqu'à", ["homme"]),
        ("fr", "meme etre deja", ["meme", "deja"]),
        ("es", "me gusta tambien el té", ["gusta", "té"]),
        ("es", "también mas habia", []),
        ("it", "dell'era un'altra perche", ["era", "altra"]),
        ("ru", "ещё её дом еще ее", ["дом"]),
        ("de", "uber fur über", ["uber"]),
        ("tr", "su şu cok", ["su"]),
    ],
)
def test_function_words_are_dropped_without_accents_and_behind_an_apostrophe(
    language: str, text: str, kept: list[str]
) -> None:
    analysis = Analysis(language=language, reduction=Reduction.NONE, stop_words=True)
    terms = Analyzer(analysis).terms(text)
    assert terms == [fold_accents(word) for word in kept]
    forms = text.replace("’", "'").lower().split()
    assert [term for term in Analyzer(analysis).terms_of_forms(forms, [WORD] * len(forms)) if term] == terms


def test_where_accents_are_kept_words_without_them_are_others() -> None:
    analysis = Analysis(language="es", reduction=Reduction.NONE, stop_words=True, keep_accents=True)
    assert Analyzer(analysis).terms("tambien también") == ["tambien"]


def test_small_words_are_dropped_and_numbers_kept() -> None:
    assert Analyzer(Analysis(min_length=3)).terms("an ox ate 12 figs 中文") == ["ate", "12", "fig", "中文"]


def test_stop_words_as_list_and_pattern() -> None:
    analysis = Analysis(extra_stop_words=frozenset({"Lorem"}), stop_pattern="x+|ip.*", reduction=Reduction.NONE)
    assert Analyzer(analysis).terms("lorem ipsum dolor xx xxy") == ["dolor", "xxy"]


def test_hostile_stop_pattern_ends() -> None:
    assert Analyzer(Analysis(stop_pattern="(a+)+$", min_length=1)).terms("a" * 50 + "b")


@pytest.mark.parametrize("reduction", [Reduction.STEM, Reduction.LEMMA])
def test_unknown_language_is_a_sentence(reduction: Reduction) -> None:
    with pytest.raises(AnalysisError, match="Choose one of"):
        Analyzer(Analysis(language="tlh", reduction=reduction))


def test_broken_stop_pattern_is_a_sentence() -> None:
    with pytest.raises(AnalysisError, match="cannot be used"):
        Analyzer(Analysis(stop_pattern="("))


def test_analysis_survives_json() -> None:
    analysis = Analysis(language="de", extra_stop_words=frozenset({"b", "a"}), reduction=Reduction.LEMMA)
    assert Analysis.from_json(analysis.to_json()) == analysis


def test_synonyms_are_terms_of_words_and_phrases() -> None:
    groups = parse_synonyms(["tv, televisions = goggle box  # old", "", "lonely"])
    synonyms = Analyzer(synonyms=groups).synonyms
    assert synonyms.of(["televis"]) == [("tv",), ("goggl", "box")]
    assert synonyms.of(["lone"]) == []
    assert synonyms.longest == 2


def test_lone_surrogates_do_not_break_analysis() -> None:
    assert Analyzer().terms("ok \ud800 fine") == ["ok", "fine"]


@given(st.text("abcXYZ ", max_size=60))
def test_letters_and_spaces_give_the_same_tokens_without_the_scanner(text: str) -> None:
    analyzer = Analyzer(Analysis(stop_words=True))
    with_scanner = [token for token in analyzer.tokens(text + " 1") if token.term != "1"]
    assert analyzer.tokens(text) == with_scanner


def test_english_forms_with_and_without_accents_are_one_word() -> None:
    analyzer = Analyzer(Analysis(language="en"))
    assert analyzer.terms("Résumés naïve") == analyzer.terms("resumes naive")
    kept = Analyzer(Analysis(language="en", keep_accents=True))
    assert kept.terms("résumé") != kept.terms("resume")
