"""Which selectors need no trial, and the page the others are tried on."""

import pytest

from crawler_node.extract.parsing import parse_page
from crawler_node.extract.sample_page import is_surely_cheap, sample_page


@pytest.mark.parametrize("selector", ["//h1", ".//a/@href", "//div[@class='a']//span[2]", "//h1[contains(., 'x')]"])
def test_a_walk_over_the_page_is_cheap(selector: str) -> None:
    assert is_surely_cheap(selector)


@pytest.mark.parametrize(
    "selector",
    [
        "//*[count(//*[count(//*) > 0]) > 0]",
        "//li[count(preceding-sibling::li) = count(following-sibling::li)]",
        "//*//*//*//*",
        "//a[b[c]]",
        "//div[.//span]",
    ],
)
def test_searches_within_searches_need_a_trial(selector: str) -> None:
    assert not is_surely_cheap(selector)


def test_the_sample_is_as_large_as_pages_are() -> None:
    page = parse_page(sample_page(), url="https://sample.example/")
    assert 1_200 < sum(1 for _ in page.root.iter()) < 2_500
