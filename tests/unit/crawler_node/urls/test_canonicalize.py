"""One page, many spellings, one key."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler_node.urls import Canonicalizer, CanonicalOptions

CANONICALIZER = Canonicalizer()


def key(url: str, options: CanonicalOptions | None = None) -> bytes:
    found = Canonicalizer(options).canonicalize(url)
    assert found is not None
    return found.key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://EXAMPLE.com/a", "http://example.com/a"),
        ("http://example.com:80/a", "http://example.com/a"),
        ("https://example.com/a/./b/../c", "https://example.com/a/c"),
        ("https://example.com/%7euser/%e4", "https://example.com/~user/%E4"),
        ("https://example.com/?b=2&a=1", "https://example.com/?a=1&b=2"),
        ("https://example.com/a?utm_source=x&id=1&fbclid=9", "https://example.com/a?id=1"),
        ("https://example.com/a?PHPSESSID=0123456789abcdef", "https://example.com/a"),
        ("https://example.com/a;jsessionid=AB12?x=1", "https://example.com/a?x=1"),
        ("https://example.com/a?sid=9f86d081884c7d659a2feaa0", "https://example.com/a"),
        ("https://example.com/a?sid=550e8400-e29b-41d4-a716-446655440000", "https://example.com/a"),
        ("https://example.com/a?session=web-1716239022-84736251", "https://example.com/a"),
        ("https://example.com/(S(lit3py55t21z5v55vlm25s55))/a", "https://example.com/a"),
        ("https://example.com/a#part", "https://example.com/a"),
        ("https://example.com/shop/index.html", "https://example.com/shop/"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
        ("https://user:pw@example.com/", "https://example.com/"),
        ("https://example.com/?a=%41", "https://example.com/?a=A"),
    ],
)
def test_spellings_of_one_page_share_a_key(one: str, other: str) -> None:
    assert key(one) == key(other)


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        ("(S(lit3py55t21z5v55vlm25s55))", ""),
        ("(S(lit3py55t21z5v55vlm25s55))/", ""),
        ("(S(lit3py55t21z5v55vlm25s55)).evil.example/", "(S(lit3py55t21z5v55vlm25s55)).evil.example/"),
        ("(S(lit3py55t21z5v55vlm25s55))@evil.example/", "(S(lit3py55t21z5v55vlm25s55))@evil.example/"),
    ],
)
def test_a_session_in_the_path_leaves_the_host_as_it_is(path: str, kept: str) -> None:
    found = Canonicalizer().canonicalize(f"https://example.com/{path}")
    assert found is not None
    assert found.url == f"https://example.com/{kept}"
    assert found == Canonicalizer().canonicalize(found.url)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://example.com/list?page=1", "https://example.com/list?page=2"),
        ("https://example.com/a", "https://example.com/A"),
        ("https://example.com/a", "https://example.com/a/"),
        ("http://example.com/", "https://example.com/"),
        ("https://example.com/?session=morning", "https://example.com/?session=evening"),
        ("https://example.com/?session=2026-opening-keynote", "https://example.com/?session=2026-closing-keynote"),
        ("https://example.com/?sid=winter_sale_2026_north", "https://example.com/"),
        ("https://example.com/?sid=12", "https://example.com/?sid=13"),
        ("https://example.com/a%2Fb", "https://example.com/a/b"),
        ("https://example.com/?a=1&a=2", "https://example.com/?a=1"),
        ("https://example.com/?q=a%26b", "https://example.com/?q=a&b"),
        ("http://example.com/", "http://example.com:8080/"),
    ],
)
def test_different_pages_keep_different_keys(one: str, other: str) -> None:
    assert key(one) != key(other)


def test_what_is_fetched_keeps_order_and_index_name() -> None:
    found = CANONICALIZER.canonicalize("https://example.com/a/index.html?b=2&a=1&utm_medium=mail#x")
    assert found is not None
    assert found.url == "https://example.com/a/index.html?b=2&a=1"
    assert CANONICALIZER.form(found.url) == "https://example.com/a/?a=1&b=2"


@pytest.mark.parametrize(
    ("options", "one", "other"),
    [
        (CanonicalOptions(ignore_scheme=True), "http://example.com/", "https://example.com/"),
        (CanonicalOptions(ignore_www=True), "http://www.example.com/", "http://example.com/"),
        (CanonicalOptions(keep_query=False), "http://example.com/?page=1", "http://example.com/?page=2"),
        (CanonicalOptions(ignored_parameters=frozenset({"View"})), "http://e.com/?view=grid", "http://e.com/"),
        (CanonicalOptions(ignored_parameters=frozenset({"f[c]"})), "http://e.com/?F%5bc%5D=red", "http://e.com/"),
        (CanonicalOptions(ignored_parameters=frozenset({"größe"})), "http://e.com/?größe=1", "http://e.com/"),
        (CanonicalOptions(drop_empty_parameters=True), "http://e.com/?a=", "http://e.com/"),
    ],
)
def test_options_merge_more(options: CanonicalOptions, one: str, other: str) -> None:
    assert key(one) != key(other)
    assert key(one, options) == key(other, options)


@pytest.mark.parametrize(
    ("options", "one", "other"),
    [
        (CanonicalOptions(keep_fragment=True), "http://e.com/#!/a", "http://e.com/#!/b"),
        (CanonicalOptions(drop_tracking=False), "http://e.com/?gclid=1", "http://e.com/"),
        (CanonicalOptions(drop_session_ids=False), "http://e.com/?PHPSESSID=1", "http://e.com/"),
        (CanonicalOptions(sort_parameters=False), "http://e.com/?a&b", "http://e.com/?b&a"),
        (CanonicalOptions(drop_index_names=False), "http://e.com/index.html", "http://e.com/"),
    ],
)
def test_options_merge_less(options: CanonicalOptions, one: str, other: str) -> None:
    assert key(one) == key(other)
    assert key(one, options) != key(other, options)


@given(st.text(max_size=60))
def test_canonical_urls_are_stable(tail: str) -> None:
    found = CANONICALIZER.canonicalize("https://example.com/" + tail)
    if found is not None:
        assert CANONICALIZER.canonicalize(found.url) == found


def test_keys_are_128_bits_and_the_same_on_every_day() -> None:
    assert key("https://example.com/").hex() == "3259687d649f8e86106dd28ba70f1016"
