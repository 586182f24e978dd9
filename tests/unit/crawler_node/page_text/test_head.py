"""What pages declare about themselves is read, from the page and from its headers."""

import pytest

from crawler_node.extract.parsing import parse_page
from crawler_node.page_text.head import Head, read_head


def head(source, **headers):
    page = parse_page(source.encode(), url="http://s.test/d/p")
    return read_head(page, {name.replace("_", "-"): value for name, value in headers.items()})


def test_everything_a_head_can_say():
    source = """<head><title> A  title </title><meta name=description content=" About&nbsp;it ">
    <link rel="stylesheet" href="s.css"><link rel="shortlink canonical" href="../c?x=1">
    <meta name="ROBOTS" content="NoIndex, follow"><meta http-equiv="Refresh" content="5; URL='next'"></head>"""
    assert head(source) == Head(
        "A title", "About it", "http://s.test/c?x=1", noindex=True, nofollow=False, refresh="next"
    )


def test_a_silent_page_says_nothing():
    assert head("<p>x</p>") == Head()


@pytest.mark.parametrize(
    ("source", "headers", "noindex", "nofollow"),
    [
        ("<meta name=robots content=none>", {}, True, True),
        ("<meta name=robots content='index,nofollow'>", {}, False, True),
        ("<meta name=gleaner content=noindex>", {}, True, False),
        ("<meta name=googlebot content=noindex>", {}, False, False),
        ("<meta name=robots content=nofollow>", {"x_robots_tag": "noindex"}, True, True),
        ("<p>", {"x_robots_tag": "googlebot: noindex, nofollow"}, False, False),
        ("<p>", {"x_robots_tag": "googlebot: noindex, gleaner: nofollow"}, False, True),
        ("<p>", {"x_robots_tag": "unavailable_after: 25 Jun 2010 15:00:00 PST, noindex"}, True, False),
        ("<p>", {"x_robots_tag": "unavailable_after: Friday, 25 Jun 2010 15:00:00 PST, noindex"}, True, False),
        ("<p>", {"x_robots_tag": "max-snippet: -1, max-image-preview: large, nofollow"}, False, True),
        ("<p>", {"x_robots_tag": "googlebot: max-snippet:-1, noindex"}, False, False),
        ("<p>", {"x_robots_tag": "otherbot: noindex, nofollow\nnoindex"}, True, False),
        ("<p>", {"x_robots_tag": "noindex\nnoarchive"}, True, False),
        ("<meta name=robots content='noindex nofollow'>", {}, True, True),
        ("<meta name=robots content='NOINDEX;follow'>", {}, True, False),
        ("<meta name=robots content='max-image-preview: none, max-snippet: -1'>", {}, False, False),
        ("<p>", {"x_robots_tag": "noindex nofollow"}, True, True),
        ("<p>", {"x_robots_tag": "otherbot: noindex nofollow"}, False, False),
    ],
)
def test_wishes_to_crawlers(source, headers, noindex, nofollow):
    found = head(source, **headers)
    assert (found.noindex, found.nofollow) == (noindex, nofollow)


def test_the_canonical_address_may_stand_in_a_header():
    header = '<http://s.test/a>; rel="prev", <http://s.test/b>; rel="canonical"'
    assert head("<p>", link=header).canonical == "http://s.test/b"
    assert head("<link rel=canonical href=/own>", link=header).canonical == "http://s.test/own"
    lines = "<http://s.test/b>; rel=canonical\n<http://s.test/?p=2>; rel=shortlink"
    assert head("<p>", link=lines).canonical == "http://s.test/b"


def test_titles_of_drawings_are_not_the_pages():
    assert head("<body><svg><title>icon</title></svg><title>page</title>").title == "page"
    assert head("<meta property='og:title' content='shared'>").title == "shared"
    assert head("<meta property='og:description' content='shared'>").description == "shared"


@pytest.mark.parametrize(
    ("content", "refresh"),
    [("0;url=x", "x"), ("1.5 , URL = 'x'", "x"), (".5;x y", "x y"), ("3.; url", "url"), ("5", ""), ("a;x", "")],
)
def test_where_a_page_sends_its_reader_on(content, refresh):
    assert head(f'<meta http-equiv=refresh content="{content}">').refresh == refresh


@pytest.mark.parametrize("padding", ["1", " ", "1.", " ;"])
def test_endless_declarations_are_read_at_once(padding):
    page = f'<meta http-equiv=refresh content="{padding * 500_000}"><p>x'
    assert head(page, link=f"<a>; rel={padding * 500_000}x").canonical == ""
