import subprocess
import sys
from collections import Counter

from backend.demo_site.catalogue.products import all_products

_FINGERPRINT = (
    "import hashlib; from backend.demo_site.catalogue.products import all_products;"
    "print(hashlib.sha1(repr(all_products()).encode()).hexdigest())"
)


def test_there_are_500_products_with_distinct_names_numbers_and_codes():
    products = all_products()
    assert len(products) == 500
    for attribute in ("number", "name", "sku", "gtin", "slug"):
        assert len({getattr(product, attribute) for product in products}) == 500, attribute


def test_every_process_makes_the_same_catalogue():
    runs = [subprocess.check_output([sys.executable, "-c", _FINGERPRINT]) for _ in range(2)]
    assert runs[0] == runs[1]


def test_a_search_for_a_terabyte_ssd_makes_sense():
    found = [product for product in all_products() if {"SSD", "1TB"} <= set(product.name.replace(",", "").split())]
    assert sum(product.category.slug == "ssd" for product in found) >= 5
    assert any(product.brand == "Samsung" for product in found)


def test_optional_facts_are_sometimes_missing():
    products = all_products()
    assert 20 < sum(product.rating is None for product in products) < 120
    assert 80 < sum(product.old_amount is not None for product in products) < 220


def test_every_price_style_is_used_often():
    styles = Counter(product.seller.style for product in all_products())
    assert len(styles) == 8
    assert min(styles.values()) > 30


def test_old_prices_are_higher():
    assert all(product.old_amount > product.amount for product in all_products() if product.old_amount is not None)


def test_gtins_pass_the_checksum():
    for product in all_products():
        weighted = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(product.gtin))
        assert weighted % 10 == 0
        assert len(product.gtin) == 13
