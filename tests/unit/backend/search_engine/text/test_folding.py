import pytest

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
        ("١٢", "12"),
        ("½", "½"),
    ],
)
def test_fold_number(written: str, folded: str) -> None:
    assert fold_number(written) == folded
