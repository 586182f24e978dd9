"""Links and images are found where pages hide them, and made absolute."""

import pytest
from lxml import html

from crawler_node.extract.values.addresses import absolute_link, image_named, image_of, largest_of_srcset, link_of


@pytest.mark.parametrize(
    ("source", "href"),
    [
        ("<a href='/x'>a</a>", "/x"),
        ("<div><b>t</b><a href='y'>a</a></div>", "y"),
        ("<link rel=canonical href='/c'>", "/c"),
        ("<iframe src='/f'></iframe>", "/f"),
        ("<meta property='og:url' content='/m'>", "/m"),
        ("<a>none</a>", ""),
        ("<div>none</div>", ""),
    ],
)
def test_the_link_of_an_element(source, href):
    assert link_of(html.fragment_fromstring(source)) == href


def test_the_link_around_an_element():
    assert link_of(html.fragment_fromstring("<a href='/x'><h2>t</h2></a>").find("h2")) == "/x"


@pytest.mark.parametrize(
    ("source", "src"),
    [
        ("<img src='a.png'>", "a.png"),
        ("<img src='data:image/gif;base64,R0' data-src='b.png'>", "b.png"),
        ("<img src='/img/blank.gif' data-original='c.png'>", "c.png"),
        ("<img src='data:x' srcset='s.png 320w, l.png 1024w, m.png 640w'>", "l.png"),
        ("<picture><source srcset='big.webp 2x, small.webp'><img src='i.png'></picture>", "big.webp"),
        ("<a href='/p'><span><img src='d.png'></span></a>", "d.png"),
        ("<div style=\"background-image: url('e.png')\"></div>", "e.png"),
        ("<meta property='og:image' content='f.png'>", "f.png"),
        ("<video poster='g.png'></video>", "g.png"),
        ("<a href='full.jpg'>zoom</a>", "full.jpg"),
        ("<div><video><source src='v.mp4'></video><img src='h.png'></div>", "h.png"),
        ("<div><audio><source src='a.mp3'></audio><img src='h.png'></div>", "h.png"),
        ("<div><video poster='g.png'><source src='v.mp4'></video><img src='h.png'></div>", "g.png"),
        ("<video><source src='v.mp4'></video>", ""),
        ("<img src='lazy.gif' data-src='b.png'>", "b.png"),
        ("<img src='/i/1x1.png?v=2' data-src='b.png'>", "b.png"),
        ("<img src='/i/loader.svg' srcset='b.png 2x'>", "b.png"),
        ("<img src='/i/lazy-river.png'>", "/i/lazy-river.png"),
        ("<div style='background-image:url(&quot;a (1).jpg&quot;)'></div>", "a (1).jpg"),
        ("<div style='background:url( e.png ) no-repeat'></div>", "e.png"),
        ("<img src='data:image/gif;base64,R0'>", ""),
        ("<div>none</div>", ""),
    ],
)
def test_the_image_of_an_element(source, src):
    assert image_of(html.fragment_fromstring(source)) == src


@pytest.mark.parametrize(
    ("srcset", "largest"),
    [
        ("", ""),
        ("a.png", "a.png"),
        ("a.png 1x, b.png 2x", "b.png"),
        ("https://h.test/i?a=1,2&w=3 300w,https://h.test/i?w=9 900w", "https://h.test/i?w=9"),
        ("a.jpg 1.2.3x", "a.jpg"),
        ("a.jpg 1.2.3x, b.jpg 1.5x", "b.jpg"),
        ("a.jpg, b.jpg 2x,\n c.jpg 300w 200h", "c.jpg"),
        ("a.jpg infx, b.jpg 2x", "b.jpg"),
        (" , ,, ", ""),
    ],
)
def test_the_largest_of_a_srcset(srcset, largest):
    assert largest_of_srcset(srcset) == largest


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("a.jpg", "a.jpg"),
        ("a (2x).jpg", "a (2x).jpg"),
        ("s.jpg 320w, l.jpg 1024w", "l.jpg"),
        ("s.jpg, l.jpg 1.5x ", "l.jpg"),
    ],
)
def test_an_image_may_be_named_by_a_srcset(text, address):
    assert image_named(text) == address


@pytest.mark.parametrize(
    ("before", "repeated", "after", "largest"),
    [
        ("b", ",", "", "b"),
        ("", ",", "", ""),
        ("", "a ", "", "a"),
        ("", "a, ", "", "a"),
        ("a", " ", "1x", "a"),
        ("a ", "1", "x", "a"),
        ("a ", "1.", "x", "a"),
        ("b 2x,", "a,", " 1x", "b"),
    ],
)
def test_an_endless_srcset_is_read_in_one_pass(before, repeated, after, largest):
    assert largest_of_srcset(before + repeated * 5_000 + after) == largest


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("x", "http://s.test/d/x"),
        (" /x y ", "http://s.test/x%20y"),
        ("//h.test/ü", "http://h.test/%C3%BC"),
        ("?q=1", "http://s.test/d/p?q=1"),
        ("mailto:a@b.test", "mailto:a@b.test"),
        ("javascript:void(0)", None),
        ("data:text/html,x", None),
        ("java\nscript:void(0)", None),
        ("\x01javascript:void(0)", None),
        ("http://[bad", None),
        ("  ", None),
    ],
)
def test_addresses_become_absolute(href, url):
    assert absolute_link(href, "http://s.test/d/p") == url
