"""What a person reads whose file is not of the right shape."""

from copy import deepcopy
from typing import Any

import pytest

from backend.apps.errors import Invalid
from backend.apps.project_files.reading import check_shape

FILE: dict[str, Any] = {
    "version": 1,
    "name": "Shops",
    "templates": [{"name": "Product", "inspectors": [{"name": "title", "selector": "//h1"}]}],
    "crawlers": [{"name": "Shop", "template": "Product", "seeds": ["https://shop.example/"]}],
}


def _told(key: str, value: Any) -> str:
    """The one sentence about a crawler with such a key."""
    file = deepcopy(FILE)
    file["crawlers"][0][key] = value
    with pytest.raises(Invalid) as caught:
        check_shape(file)
    ((sentence,),) = caught.value.fields.values()
    return sentence


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("seeds", "https://shop.example/", '"https://shop.example/" is not a list. Put it between [ and ].'),
        ("seeds", [5], "5 is not a text. Write one between quotes."),
        ("max_pages", "30", '"30" is not a whole number. Leave out the quotes: 30'),
        ("max_pages", "1e999", '"1e999" is not a whole number. Write one like 100.'),
        ("max_pages", 3.5, "3.5 is not a whole number. Write one like 100."),
        ("limits", {"error_rate": "0.5"}, '"0.5" is not a number. Leave out the quotes: 0.5'),
        ("respect_robots", "false", '"false" is neither true nor false. Leave out the quotes: false'),
        ("respect_robots", "no", '"no" is neither true nor false. Write one of the two.'),
        ("headers", [], '[] is not an object. Write names and values between { and }: {"name": "value"}.'),
        ("cookies", [{"name": "a", "value": "b", "domain": "c", "expires": "1"}], "Leave out the quotes: 1"),
    ],
)
def test_a_value_of_the_wrong_type_is_answered_with_how_to_write_it(key: str, value: Any, sentence: str) -> None:
    assert _told(key, value).endswith(sentence)


def test_a_long_value_is_cut_and_says_so() -> None:
    assert _told("seeds", "a" * 100) == f'"{"a" * 79}… is not a list. Put it between [ and ].'


def test_one_character_is_no_characters() -> None:
    assert _told("name", "") == '"" is too short: at least 1 character.'


def test_a_file_of_the_right_shape_passes() -> None:
    check_shape(FILE)
