from random import Random

from backend.demo_site.catalogue.names import Draws, invent_brands, slugify


def test_brands_are_distinct_and_the_familiar_one_is_first():
    brands = invent_brands()
    assert brands[0] == "Samsung"
    assert len({brand[:4] for brand in brands}) == len(brands)


def test_draws_reach_every_option_and_never_the_same_twice_in_a_pair():
    random = Random(1)
    pairs = {Draws(random).two_of("abc") for _ in range(200)}
    assert pairs == {(first, second) for first in "abc" for second in "abc" if first != second}
    assert {Draws(random).choice("abcd") for _ in range(200)} == set("abcd")
    assert {Draws(random).below(3) for _ in range(200)} == {0, 1, 2}


def test_slugs_are_plain():
    assert slugify("Jörg O’Brien & Söhne, 1TB") == "joerg-obrien-soehne-1tb"
