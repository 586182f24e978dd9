import pytest

from backend.search_engine.text import Analysis, Analyzer
from backend.search_engine.text.folding import fold_accents, fold_case, fold_number


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("STRASSE", "strasse"),
        ("Straße", "strasse"),
        ("ﬁne", "fine"),
        ("Ｗｉｄｅ", "wide"),
        ("don’t", "don't"),
        ("co\u00adop", "coop"),
    ],
)
def test_fold_case(written: str, folded: str) -> None:
    assert fold_case(written) == folded


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("württemberg", "wurttemberg"),
        ("søren", "soren"),
        ("пёс", "пес"),
        ("がっこう", "がっこう"),
        ("한국", "한국"),
        ("हिन्दी", "हिन्दी"),
    ],
)
def test_fold_accents_keeps_marks_that_are_letters(written: str, folded: str) -> None:
    assert fold_accents(written) == folded


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("1299", "1299"),
        ("1,299.00", "1299"),
        ("1.299,00", "1299"),
        ("1.299,50", "1299.50"),
        ("1,299.50", "1299.50"),
        ("3,14", "3.14"),
        ("3.14", "3.14"),
        ("1.2.3", "1.2.3"),
        ("12,345,678", "12345678"),
        ("1.299.000", "1299000"),
        ("1,234.5", "1234.5"),
        ("1.234,5", "1234.5"),
        ("3.142", "3.142"),
        ("3.10", "3.10"),
        ("0.125", "0.125"),
        ("0,125", "0.125"),
        ("000,125", "000.125"),
        ("١٢", "12"),
        ("½", "½"),
    ],
)
def test_fold_number(written: str, folded: str) -> None:
    assert fold_number(written) == folded


@pytest.mark.parametrize(("language", "is_same"), [("en", False), ("de", True), ("fr", False), ("es", True)])
def test_whether_a_point_parts_thousands_is_for_the_language_to_say(language: str, is_same: bool) -> None:
    analyzer = Analyzer(Analysis(language=language))
    assert (analyzer.terms("1.299") == analyzer.terms("1299")) is is_same
    assert analyzer.terms("1.299,00 1,299.00 1.299.000") == ["1299", "1299", "1299000"]
    assert analyzer.terms("0.125") != analyzer.terms("0125")
