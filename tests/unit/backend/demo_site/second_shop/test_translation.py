import pytest

from backend.demo_site.catalogue.categories import CATEGORIES
from backend.demo_site.second_shop.translation import LABELS, NOUNS, german_decimal, translate_value, translate_variant


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("7200 MB/s", "7.200 MB/s"),
        ("6.1 inch OLED", "6,1 Zoll OLED"),
        ("M.2 2280", "M.2 2280"),
        ("PCIe 4.0 NVMe", "PCIe 4.0 NVMe"),
        ("1TB", "1 TB"),
        ("16GB RAM, SSD 512GB", "16 GB RAM, SSD 512 GB"),
        ("1 × 2.5 Gbit/s, 4 × 1 Gbit/s", "1 × 2,5 Gbit/s, 4 × 1 Gbit/s"),
        ("midnight blue", "nachtblau"),
    ],
)
def test_translates_words_and_numbers(english: str, german: str):
    assert translate_value(english) == german


def test_names_keep_memory_sizes_in_one_word():
    assert translate_variant("1TB") == "1TB"


def test_numbers_have_a_decimal_comma():
    assert german_decimal("4.3") == "4,3"


def test_every_label_and_noun_of_the_catalogue_is_translated():
    assert {category.noun for category in CATEGORIES} == set(NOUNS)
    used = {label for category in CATEGORIES for label in (*category.specs, category.variant_label)}
    assert used == set(LABELS)
