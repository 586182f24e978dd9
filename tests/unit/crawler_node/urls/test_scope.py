"""What belongs to a crawl."""

import pytest

from crawler_node.contracts import Refusal
from crawler_node.errors import SpecError
from crawler_node.urls import Canonicalizer, SameSite, Scope


def check(scope: Scope, url: str, page_host: str | None = None) -> Refusal | None:
    found = Canonicalizer().canonicalize(url)
    assert found is not None
    return scope.check(found, page_host=page_host)


@pytest.mark.parametrize(
    ("same_site", "url", "refusal"),
    [
        (SameSite.HOST, "https://shop.example.co.uk/a", None),
        (SameSite.HOST, "https://www.shop.example.co.uk/a", None),
        (SameSite.HOST, "https://example.co.uk/a", Refusal.CROSS_SITE),
        (SameSite.DOMAIN, "https://blog.example.co.uk/a", None),
        (SameSite.DOMAIN, "https://other.co.uk/a", Refusal.CROSS_SITE),
        (SameSite.OFF, "https://anything.example/a", None),
    ],
)
def test_sites_are_told_apart(same_site: SameSite, url: str, refusal: Refusal | None) -> None:
    assert check(Scope(seeds=["https://shop.example.co.uk/"], same_site=same_site), url) == refusal


def test_a_link_may_stay_on_the_site_a_seed_redirected_to() -> None:
    scope = Scope(seeds=["https://old.example/"])
    assert check(scope, "https://new.example/a") == Refusal.CROSS_SITE
    assert check(scope, "https://new.example/a", page_host="new.example") is None


@pytest.mark.parametrize(
    ("pattern", "url", "matches"),
    [
        ("/cart", "https://e.com/cart/1", True),
        ("/cart", "https://e.com/car", False),
        ("*.pdf", "https://e.com/a/b.pdf", True),
        ("*.pdf", "https://e.com/a/bpdf", False),
        ("https://e.com/shop/*/reviews", "https://e.com/shop/7/reviews", True),
        ("https://e.com/shop/*", "https://e.com/blog?u=https://e.com/shop/1", False),
        (r"/item/\d+$", "https://e.com/item/12", True),
        (r"/item/\d+$", "https://e.com/item/x", False),
        ("/wiki/Foo_(bar)", "https://e.com/wiki/Foo_(bar)", True),
        ("?page=", "https://e.com/l?page=2", True),
        (r"(?<!no)/tag/", "https://e.com/tag/1", True),
        ("/über-uns", "https://e.com/über-uns/team", True),
        ("/über-uns", "https://e.com/%C3%BCber-uns", True),
        ("/über-uns", "https://e.com/%FCber-uns", False),
        ("/über/*/a", "https://e.com/über/1%2F2/a", True),
        (r"/(новости|блог)/\d", "https://e.com/блог/7", True),
        ("?q=größe", "https://e.com/?q=größe&p=1", True),
        ("bücher.example", "https://bücher.example/a", True),
        ("https://bücher.example/shop/*", "https://xn--bcher-kva.example/shop/1", True),
        ("https://WWW.E.com/Shop", "https://www.e.com/Shop/1", True),
        ("https://WWW.E.com/Shop", "https://www.e.com/shop/1", False),
        ("HTTPS://E.com/*.pdf", "https://e.com/a.pdf", True),
    ],
)
def test_exclude_lines_are_texts_wildcards_or_expressions(pattern: str, url: str, *, matches: bool) -> None:
    found = check(Scope(seeds=["https://e.com/"], same_site=SameSite.OFF, exclude=[pattern]), url)
    assert found == (Refusal.EXCLUDED if matches else None)


def test_allow_lines_keep_everything_else_out() -> None:
    scope = Scope(seeds=["https://e.com/"], allow=["/shop/"], exclude=["/shop/cart"])
    assert check(scope, "https://e.com/shop/1") is None
    assert check(scope, "https://e.com/about") == Refusal.OUT_OF_SCOPE
    assert check(scope, "https://e.com/shop/cart") == Refusal.EXCLUDED


def test_a_broken_expression_is_named() -> None:
    with pytest.raises(SpecError, match=r"“/item/\[” is not a valid address pattern"):
        Scope(seeds=["https://e.com/"], exclude=["/item/["])


def test_a_hostile_expression_ends_in_time() -> None:
    scope = Scope(seeds=["https://e.com/"], exclude=[r"(?<!x)(a+)+\1$"])
    assert check(scope, "https://e.com/" + "a" * 4000 + "!") is None
