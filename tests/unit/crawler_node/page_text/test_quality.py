"""Quality tells text from furniture."""

from crawler_node.page_text.quality import quality_features


def features(text, **changes):
    options = {
        "title": "A title",
        "description": "",
        "headings": 1,
        "language": "en",
        "language_confidence": 0.75,
        "markup_bytes": 1_000,
        "link_share": 0.1,
    }
    return quality_features(text, **{**options, **changes})


def test_features_of_a_small_text():
    assert features("The cat and the dog") == {
        "words": 5.0,
        "headings": 1.0,
        "title_words": 2.0,
        "has_title": 1.0,
        "has_description": 0.0,
        "text_share": 0.019,
        "link_share": 0.1,
        "distinct_share": 0.8,
        "language_confidence": 0.75,
        "mean_word_chars": 3.0,
        "stop_word_share": 0.6,
        "score": 0.6213,
    }


def test_running_text_scores_higher_than_a_list_of_keywords():
    running = features("the price of the camera and the lens that is in the box; " * 30)
    keywords = features("camera lens zoom flash tripod bag battery charger " * 30, title="", headings=0, link_share=0.8)
    assert running["score"] > 0.95
    assert keywords["score"] < 0.6


def test_an_unknown_language_has_no_stop_words():
    assert "stop_word_share" not in features("lorem ipsum", language="la")


def test_an_empty_page():
    empty = features("", title="", headings=0, link_share=0.0, markup_bytes=0)
    assert (empty["words"], empty["distinct_share"]) == (0.0, 0.0)
