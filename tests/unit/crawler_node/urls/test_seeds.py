"""Seeds people type."""

import pytest

from crawler_node.urls import check_seed


@pytest.mark.parametrize("url", ["https://example.com", "http://example.com:8080/a?b", " https://bücher.example/ "])
def test_good_seeds_pass(url: str) -> None:
    assert check_seed(url) is None


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("", "empty"),
        ("example.com/shop", "Did you mean https://example.com/shop?"),
        ("ftp://example.com/", "begins with ftp:"),
        ("javascript:alert(1)", "begins with javascript:"),
        ("https://", "not a web address"),
        ("not a url", "not a web address"),
    ],
)
def test_bad_seeds_get_a_sentence_with_the_remedy(url: str, words: str) -> None:
    assert words in (check_seed(url) or "")
