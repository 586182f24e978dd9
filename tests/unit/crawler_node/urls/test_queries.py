"""Queries of pages that are not in Unicode are written as browsers write them."""

import pytest

from crawler_node.contracts import Link
from crawler_node.urls import Canonicalizer, LinkResolver
from crawler_node.urls.queries import in_charset, legacy_charset

HREFS = ["/search?q=тест", "/тест?a=1", "/search?q=plain", "?q=тест&x=1#тест", "http://site.example/search?q=тест"]


@pytest.mark.parametrize(
    ("href", "charset", "written"),
    [
        ("?q=тест", "cp1251", "?q=%F2%E5%F1%F2"),
        ("?q=тест", "koi8-r", "?q=%D4%C5%D3%D4"),
        ("/тест?q=é&r=%C3%A9#é", "cp1252", "/тест?q=%E9&r=%C3%A9#é"),
        ("?q=т", "cp1252", "?q=%26%231090%3B"),
        ("?q=aтéb", "cp1252", "?q=a%26%231090%3B%E9b"),
        ("?q=ア", "cp932", "?q=%83A"),
        ("?q=漢", "iso2022_jp", "?q=%1B$B4A%1B(B"),
        ("?q=中", "gb18030", "?q=%D6%D0"),
        ("?q=plain", "cp1251", "?q=plain"),
        ("/тест", "cp1251", "/тест"),
        ("#?тест", "cp1251", "#?тест"),
    ],
)
def test_the_query_is_escaped_in_the_charset_and_nothing_else_is_touched(href: str, charset: str, written: str) -> None:
    assert in_charset(href, charset) == written


def test_pages_in_unicode_have_queries_in_utf_8() -> None:
    assert [legacy_charset(name) for name in ("utf-8", "utf-16-le", "utf-16", "cp1251")] == ["", "", "", "cp1251"]


def test_links_of_one_address_in_two_charsets_lead_to_two_places() -> None:
    resolver = LinkResolver(Canonicalizer())
    found = []
    for charset in ("", "cp1251", "", "cp1251"):
        base = resolver.base("http://site.example/search", charset=charset)
        assert base is not None
        places = resolver.resolve_all(base, [Link(href) for href in HREFS])
        found.append([place.url.removeprefix("http://site.example") for place, _ in places])
        assert [resolver.resolve(base, href) for href in HREFS] == [place for place, _ in places]
    utf8, cp1251 = "%D1%82%D0%B5%D1%81%D1%82", "%F2%E5%F1%F2"
    for paths, word in zip(found, (utf8, cp1251) * 2, strict=True):
        search = f"/search?q={word}"
        assert paths == [search, f"/{utf8}?a=1", "/search?q=plain", f"{search}&x=1", search]
