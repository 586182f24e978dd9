"""Links resolve as in a browser, and the memory never changes where they lead."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler_node.contracts import Link
from crawler_node.urls import Canonicalizer, CanonicalOptions, LinkResolver

PAGE = "https://example.com/shop/list?page=2"


def resolve(href: str, page: str = PAGE) -> str | None:
    resolver = LinkResolver(Canonicalizer())
    base = resolver.base(page)
    assert base is not None
    found = resolver.resolve(base, href)
    return None if found is None else found.url


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("item/1", "https://example.com/shop/item/1"),
        ("../about", "https://example.com/about"),
        ("/about#team", "https://example.com/about"),
        ("//cdn.example.org/x", "https://cdn.example.org/x"),
        ("?page=3", "https://example.com/shop/list?page=3"),
        ("http://other.example/", "http://other.example/"),
        ("  /padded \n", "https://example.com/padded"),
        ("\\back\\slash", "https://example.com/back/slash"),
        ("/a/../../b", "https://example.com/b"),
        ("/ä", "https://example.com/%C3%A4"),
        ("item #top", "https://example.com/shop/item%20"),
    ],
)
def test_resolves_as_a_browser_does(href: str, expected: str) -> None:
    assert resolve(href) == expected


@pytest.mark.parametrize(
    "href", ["#top", "", "   ", "javascript:void(0)", "mailto:a@b.c", "tel:+49", "data:,x", "http://"]
)
def test_leaves_out_what_is_no_page(href: str) -> None:
    assert resolve(href) is None


PIECES = st.sampled_from(
    ["a", "b", "/", "//", "..", ".", "?", "=", ":", "\\", "#", "http:", "https://x", "%2e", " ", "\t"]
)


@given(
    st.lists(st.tuples(st.sampled_from(["https://e.com/a/b", "https://e.com/", "http://e.com/a/"]), st.lists(PIECES)))
)
def test_memory_changes_nothing(pairs: list[tuple[str, list[str]]]) -> None:
    remembering = LinkResolver(Canonicalizer(), capacity=3)
    for page, pieces in pairs:
        base = remembering.base(page)
        assert base is not None
        found = remembering.resolve(base, "".join(pieces))
        assert found == Canonicalizer().canonicalize("".join(pieces), page) or _is_same_page("".join(pieces))


@given(st.lists(st.lists(PIECES | st.just("https://e.com")).map("".join)), st.booleans())
def test_all_links_of_a_page_lead_where_each_leads(hrefs: list[str], keep_fragment: bool) -> None:
    options = CanonicalOptions(keep_fragment=keep_fragment)
    remembering, fresh = (LinkResolver(Canonicalizer(options)) for _ in range(2))
    base = fresh.base("https://e.com/a/b")
    assert base is not None
    links = [Link(href) for href in hrefs * 2]
    wanted = [(fresh.resolve(base, link.href), link) for link in links]
    assert remembering.resolve_all(base, links) == [(found, link) for found, link in wanted if found is not None]


def _is_same_page(href: str) -> bool:
    return not href.partition("#")[0].strip(" \t\r\n\f")


def test_memory_is_bounded() -> None:
    resolver = LinkResolver(Canonicalizer(), capacity=10)
    base = resolver.base(PAGE)
    assert base is not None
    for number in range(1000):
        resolver.resolve(base, f"/{number}")
    assert len(resolver._young) + len(resolver._old) <= 20


def test_a_fragment_that_is_kept_belongs_to_the_page_it_is_found_on() -> None:
    resolver = LinkResolver(Canonicalizer(CanonicalOptions(keep_fragment=True)))
    for page in ("https://example.com/app/one", "https://example.com/app/two"):
        base = resolver.base(page)
        assert base is not None
        found = resolver.resolve(base, "#view")
        assert found is not None
        assert found.url == f"{page}#view"
