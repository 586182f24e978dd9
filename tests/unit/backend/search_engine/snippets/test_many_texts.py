"""Texts that are read in one pass show what each shows alone."""

import pytest

from backend.search_engine.query import parse_query
from backend.search_engine.snippets import Highlighter, wanted_in
from backend.search_engine.text import Analysis, Analyzer

TEXTS = (
    "",
    "Green tea from the mountains.",
    "Ein Löffel grüner Tee – für Käthe’s Tasse tea",
    "東京都の緑茶 green tea",
    "half a phrase: green",
    "tea begins the next text; wi-fi",
    "fi-green-tea",
    " ".join(["words that nobody wants"] * 40) + " at last green tea " + " ".join(["and more"] * 60),
    "\ud800 broken green tea",
)


@pytest.mark.parametrize("query", ["tea", '"green tea"', '"green tea"~3 wi-fi', "te*", "緑茶 grün"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_texts_together_show_what_each_shows_alone(query: str, language: str) -> None:
    analyzer = Analyzer(Analysis(language=language))
    wanted = wanted_in(parse_query(query), analyzer)
    alone = [
        [Highlighter(wanted, analyzer).whole(text)]
        if len(text) <= 100
        else Highlighter(wanted, analyzer).passages(text, max_characters=120)
        for text in TEXTS
    ]
    assert Highlighter(wanted, analyzer).show(TEXTS, most_whole=100, max_characters=120) == alone
    assert any(passage.highlights for passages in alone for passage in passages)


def test_no_text_shows_nothing() -> None:
    analyzer = Analyzer()
    assert Highlighter(wanted_in(parse_query("tea"), analyzer), analyzer).show([], most_whole=100) == []
