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
        ("//example.com/shop", "Did you mean https://example.com/shop?"),
        ("example.com:8080/shop", "Did you mean https://example.com:8080/shop?"),
        ("localhost:8000", "Did you mean http://localhost:8000?"),
        ("127.0.0.1:8000/a?b", "Did you mean http://127.0.0.1:8000/a?b?"),
        ("127.0.0.1", "Did you mean http://127.0.0.1?"),
        ("[::1]:8000", "Did you mean http://[::1]:8000?"),
        ("localhost.example.com", "Did you mean https://localhost.example.com?"),
        ("example.com:99999/", "not a web address"),
        ("ftp://example.com/", "begins with ftp:"),
        ("tel:1234567", "begins with tel:"),
        ("javascript:alert(1)", "begins with javascript:"),
        ("https://", "not a web address"),
        ("not a url", "not a web address"),
    ],
)
def test_bad_seeds_get_a_sentence_with_the_remedy(url: str, words: str) -> None:
    assert words in (check_seed(url) or "")
