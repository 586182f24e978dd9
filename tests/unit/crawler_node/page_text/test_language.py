"""The language is detected where there is enough text, else as declared."""

import pytest

from crawler_node.page_text.language import detect_language


@pytest.mark.parametrize(
    ("text", "declared", "language"),
    [
        ("The quick brown fox jumps over the lazy dog and then it runs away from all of us.", "de", "en"),
        ("Der schnelle braune Fuchs springt über den faulen Hund und läuft dann von uns allen weg.", "", "de"),
        ("これは日本語のページです。価格は千円です。", "", "ja"),
        (
            "Die Preise der Kameras sind in den Geschäften nicht so hoch wie auf dem Markt und das ist gut.",
            "de-AT",
            "de",
        ),
        ("De prijzen van de camera's zijn in de winkels niet zo hoog als op de markt en dat is goed zo.", "de", "nl"),
        ("short", "pt-BR", "pt"),
        ("short", "", ""),
        ("", "nonsense", ""),
    ],
)
def test_languages(text, declared, language):
    assert detect_language(text, declared)[0] == language


def test_how_sure_it_is():
    running = "Die Preise der Kameras sind in den Geschäften nicht so hoch wie auf dem Markt und das ist gut."
    assert detect_language(running, "de") == ("de", 1.0)
    assert 0.5 < detect_language(running)[1] <= 1.0
    mixed = "camera kamera price preis prijs lens objektiv de en la le and und et la box"
    assert detect_language(mixed)[1] < detect_language(running)[1]
    assert detect_language("short", "pt") == ("pt", 0.5)
    assert detect_language("short") == ("", 0.0)
