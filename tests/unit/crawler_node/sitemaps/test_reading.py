"""Sitemaps of every make."""

import gzip
import tracemalloc
from hashlib import sha1

import pytest
from lxml import etree

from crawler_node.sitemaps import SitemapEntry, SitemapError, read_sitemap
from crawler_node.sitemaps.reading import _forget

URLSET = b"""<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
  <url><loc> https://example.com/a?x=1&amp;y=2 </loc><lastmod>2026-01-02</lastmod><priority>0.8</priority></url>
  <url><loc>https://example.com/b</loc><image:image><image:loc>https://example.com/b.jpg</image:loc></image:image></url>
  <url><priority>0.5</priority></url>
</urlset>"""


def test_a_sitemap_gives_its_pages() -> None:
    assert list(read_sitemap(URLSET)) == [
        SitemapEntry("https://example.com/a?x=1&y=2", False, "2026-01-02", 0.8),
        SitemapEntry("https://example.com/b"),
    ]


def test_a_packed_one_too_even_in_several_members() -> None:
    packed = gzip.compress(URLSET[:150]) + gzip.compress(URLSET[150:])
    assert list(read_sitemap(packed)) == list(read_sitemap(URLSET))


def test_an_index_gives_sitemaps() -> None:
    index = b"<sitemapindex><sitemap><loc>https://example.com/1.xml.gz</loc></sitemap></sitemapindex>"
    assert list(read_sitemap(index)) == [SitemapEntry("https://example.com/1.xml.gz", is_sitemap=True)]


def test_lines_of_text_and_feeds_are_sitemaps_too() -> None:
    assert [entry.url for entry in read_sitemap(b"\xef\xbb\xbfhttps://e.com/1\r\n\nhttps://e.com/2\n")] == [
        "https://e.com/1",
        "https://e.com/2",
    ]
    rss = b"<rss><channel><link>https://e.com/</link><item><link>https://e.com/1</link></item></channel></rss>"
    assert [entry.url for entry in read_sitemap(rss)] == ["https://e.com/1"]
    atom = b'<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="https://e.com/2"/></entry></feed>'
    assert [entry.url for entry in read_sitemap(atom)] == ["https://e.com/2"]


@pytest.mark.parametrize(
    "body",
    [
        "<urlset><url><loc>https://e.com/ä</loc></url><url><loc>https://e.com/2</loc></url></urlset>".encode("utf-16"),
        b"\xfe\xff"
        + "<urlset><url><loc>https://e.com/ä</loc></url><url><loc>https://e.com/2</loc></url></urlset>".encode(
            "utf-16-be"
        ),
        '<?xml version="1.0" encoding="utf-16"?><urlset><url><loc>https://e.com/ä</loc></url>'
        "<url><loc>https://e.com/2</loc></url></urlset>".encode(),
        "<urlset><url><loc>https://e.com/<!-- a -->ä</loc></url><url><loc><!-- b -->https://e.com/2</loc></url></urlset>".encode(),
        "https://e.com/ä\rhttps://e.com/2\r".encode(),
    ],
    ids=["utf-16-le", "utf-16-be", "falsely utf-16", "comments", "lines of old Macs"],
)
def test_however_it_is_written_its_addresses_are_read(body: bytes) -> None:
    assert [entry.url for entry in read_sitemap(body)] == ["https://e.com/ä", "https://e.com/2"]


def test_of_the_links_of_an_entry_its_page_is_taken() -> None:
    others = "".join(f'<link rel="{rel}" href="https://e.com/{rel}"/>' for rel in ("replies", "edit", "self"))
    pages = ('<link rel="alternate" href="https://e.com/1"/>', '<link href="https://e.com/2"/>', "")
    entries = "".join(f"<entry>{others}{page}</entry>" for page in pages)
    feed = f'<feed xmlns="http://www.w3.org/2005/Atom">{entries}</feed>'.encode()
    assert [entry.url for entry in read_sitemap(feed)] == ["https://e.com/1", "https://e.com/2"]


@pytest.mark.parametrize(
    "body",
    [
        b"<html><body>not found</body></html>",
        b"hello there",
        b"<urlset><url><loc>https://e.com/",
        gzip.compress(URLSET)[:40],
        b"\x1f\x8bnot gzip",
        b'<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;">]><x>&c;</x>',
        b"\x00" * 200_000,
    ],
)
def test_what_is_none_is_told(body: bytes) -> None:
    with pytest.raises(SitemapError):
        list(read_sitemap(body))


def test_a_broken_one_still_gives_what_came_before() -> None:
    entries = read_sitemap(URLSET[:-9])
    assert [next(entries).url, next(entries).url] == ["https://example.com/a?x=1&y=2", "https://example.com/b"]
    with pytest.raises(SitemapError):
        next(entries)


@pytest.mark.parametrize("rest", [b"\n<script>visit()</script>", b"\n</urlset>", b"\n<b>Warning</b>: mysql"])
def test_what_is_no_xml_behind_a_sitemap_costs_nothing_of_it(rest: bytes) -> None:
    entries = read_sitemap(URLSET + rest)
    assert [next(entries).url, next(entries).url] == ["https://example.com/a?x=1&y=2", "https://example.com/b"]
    with pytest.raises(SitemapError, match=r"The sitemap is not proper XML: line \d cannot be read."):
        next(entries)


def test_memory_does_not_grow_with_the_sitemap() -> None:
    rows = b"".join(b"<url><loc>https://example.com/%d</loc></url>" % number for number in range(50_000))
    body = gzip.compress(b"<urlset>" + rows + b"</urlset>")
    tracemalloc.start()
    count = sum(1 for _ in read_sitemap(body))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 50_000
    assert peak < 1_000_000
    assert sum(1 for _ in read_sitemap(body, max_entries=7)) == 7


@pytest.mark.parametrize(
    "body",
    [
        b"<urlset>" + b"<a/>" * 1_000_000 + b"</urlset>",
        b"<urlset>" + b"<url/>" * 1_000_000 + b"</urlset>",
        b"https://e.com/1\n" + b"\n" * 3_000_000,
        gzip.compress(b"<urlset>" + b" " * 3_000_000 + b"</urlset>"),
    ],
)
def test_one_that_goes_on_and_on_without_an_address_is_given_up(body: bytes) -> None:
    with pytest.raises(SitemapError, match="without an address"):
        list(read_sitemap(body))


def test_one_in_ever_so_many_packed_parts_is_given_up() -> None:
    with pytest.raises(SitemapError, match="more than 5,000 parts"):
        list(read_sitemap(gzip.compress(b"") * 200_000))


def test_what_stands_beside_the_parents_of_an_address_is_forgotten_too() -> None:
    root = etree.fromstring("<urlset><a><b/><url/></a><c/><a><b/><url/></a></urlset>")
    _forget(root[2][1])
    assert etree.tostring(root) == b"<urlset><a><url/></a></urlset>"


def test_a_packed_one_of_any_size_is_read_whole() -> None:
    noise = b"".join(
        b"<url><loc>https://e.com/%s</loc></url>" % sha1(b"%d" % n).hexdigest().encode() for n in range(9000)
    )
    body = gzip.compress(b"<urlset>" + noise + b"</urlset>")
    assert len(body) > 3 * (1 << 16)
    assert sum(1 for _ in read_sitemap(body)) == 9000


def test_files_of_the_machine_stay_closed() -> None:
    body = b'<!DOCTYPE u [<!ENTITY f SYSTEM "file:///etc/hostname">]><urlset><url><loc>&f;</loc></url></urlset>'
    assert list(read_sitemap(body)) == []
