"""One number for a page's quality, which its parts explain."""

import pytest

from backend.search_engine.ranking.quality import WEIGHTS, page_quality
from crawler_node.page_text.quality import quality_features

GOOD = {
    "words": 600.0,
    "headings": 4.0,
    "title_words": 7.0,
    "has_title": 1.0,
    "has_description": 1.0,
    "text_share": 0.25,
    "link_share": 0.0,
    "distinct_share": 0.45,
    "stop_word_share": 0.4,
    "language_confidence": 1.0,
}


def test_a_page_with_every_sign_of_quality_has_1() -> None:
    assert page_quality(GOOD, "https://site.example/articles/gleaning").score == 1.0


def test_the_score_is_the_mean_of_the_parts_by_their_weights() -> None:
    features = {**GOOD, "words": 30.0, "link_share": 0.6, "title_words": 40.0, "headings": 0.0, "has_description": 0.0}
    found = page_quality(features, "https://site.example/a/b/c/d/e?id=1&s=2")
    assert {part.name for part in found.parts} == set(WEIGHTS)
    values = {part.name: part.value for part in found.parts}
    assert (values["length"], values["few links"], values["title"], values["headings"]) == (0.1, 0.4, 0.5, 0.0)
    mean = sum(part.value * part.weight for part in found.parts) / sum(part.weight for part in found.parts)
    assert found.score == pytest.approx(mean, abs=1e-4)


@pytest.mark.parametrize(
    "change",
    [
        {"words": 20.0},
        {"text_share": 0.01},
        {"link_share": 0.7},
        {"title_words": 0.0},
        {"title_words": 60.0},
        {"headings": 0.0},
        {"has_description": 0.0},
        {"stop_word_share": 0.02},
        {"distinct_share": 0.05},
        {"language_confidence": 0.3},
    ],
)
def test_every_sign_counts(change: dict[str, float]) -> None:
    assert page_quality({**GOOD, **change}, "https://site.example/").score < 0.97


@pytest.mark.parametrize(
    "url",
    [
        "https://site.example/a/b/c/d/e/f",
        "https://site.example/list?page=2&order=price",
        "https://site.example/p/12345678",
        "https://site.example/" + "word-" * 40,
    ],
)
def test_addresses_made_by_machines_count_less(url: str) -> None:
    assert page_quality(GOOD, url).score < page_quality(GOOD, "https://site.example/about").score


def test_a_sign_that_could_not_be_read_is_left_out() -> None:
    known = {name: value for name, value in GOOD.items() if name != "stop_word_share"}
    found = page_quality(known, "https://site.example/")
    assert (found.score, "stop words" in {part.name for part in found.parts}) == (1.0, False)
    assert [part.name for part in page_quality({}, "https://site.example/").parts] == ["address"]


def test_the_crawls_features_are_the_ones_it_reads() -> None:
    features = quality_features(
        "The price of the camera and the lens that is in the box. " * 40,
        title="Cameras",
        description="All of them",
        headings=2,
        language="en",
        language_confidence=0.9,
        markup_bytes=9_000,
        link_share=0.1,
    )
    assert {part.name for part in page_quality(features, "https://site.example/").parts} == set(WEIGHTS)
