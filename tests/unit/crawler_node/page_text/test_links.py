"""Links are found as written, with what they are called."""

import pytest

from crawler_node.contracts import Link
from crawler_node.extract.parsing import parse_page
from crawler_node.extract.selectors import compile_selector
from crawler_node.page_text.links import find_links

PAGE = """<nav><a href="/">Home</a></nav><main>
<a href="a.html" rel="nofollow ugc">One <b>bold</b></a><a href="#top">Top</a><a href=" JavaScript:x() ">no</a>
<a href="mailto:x@y.test">mail</a><a name="n">anchor</a><a href="">empty</a>
<a href="b.html"><img src="i.png" alt="A picture"></a><map><area href="c.html" alt="An area"></map>
<a href="d.html" title="A title"></a></main>"""


def links(source=PAGE, *scope):
    root = parse_page(source.encode(), url="http://s.test/").root
    return find_links(root, [compile_selector(selector) for selector in scope])


def test_all_links_in_page_order():
    assert links() == [
        Link("/", "Home"),
        Link("a.html", "One bold", nofollow=True),
        Link("b.html", "A picture"),
        Link("c.html", "An area"),
        Link("d.html", "A title"),
    ]


@pytest.mark.parametrize(
    ("scope", "hrefs"),
    [
        (["//nav"], ["/"]),
        (["//main//a[b]"], ["a.html"]),
        (["//main", "//a"], ["a.html", "b.html", "c.html", "d.html", "/"]),
        (["//nav/a/@href"], ["/"]),
        (["//footer"], []),
    ],
)
def test_a_scope_limits_links(scope, hrefs):
    assert [link.href for link in links(PAGE, *scope)] == hrefs


def test_frames_are_links():
    assert links("<frameset><frame src='left.html'><frame src='right.html'></frameset>") == [
        Link("left.html"),
        Link("right.html"),
    ]
