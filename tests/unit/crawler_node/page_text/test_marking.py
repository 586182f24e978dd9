"""The text of a page with marks: the same by libxslt and by Python, and the page is as it was."""

import pytest
from lxml import etree

from crawler_node.extract.parsing import parse_page
from crawler_node.extract.text import marked_text
from crawler_node.page_text import marking
from crawler_node.page_text.marking import mark_up

PAGES = [
    "<p>a<p style='display: none'>b<p hidden>c<a href=x>d <b>e</b></a><nav><a>x</a></nav>f<br>g",
    "<a href=x>one<p>two</p>three</a> four<aside>five<div>six</div></aside><script>no</script>",
    "<select><option>q</select><div STYLE='VISIBILITY : hidden'>x</div> tail",
    "<p>",
]


def parse(html: str) -> etree._Element:
    return parse_page(html.encode(), url="https://site.example/", content_type="text/html; charset=utf-8").root


def tidy(marked: str) -> str:
    """Breaks around the whole page are of no consequence."""
    return marked.strip(marking.BREAK + " \n")


@pytest.mark.parametrize("html", PAGES)
def test_both_ways_mark_the_same(html: str) -> None:
    root = parse(html)
    before = etree.tostring(root)
    assert tidy(mark_up(root)) == tidy(marked_text(root, marking._MARKS))
    assert etree.tostring(root) == before


def test_a_page_nested_deeper_than_libxslt_goes_is_read_all_the_same() -> None:
    root = etree.Element("html")
    inner = root
    for _ in range(5_000):
        inner = etree.SubElement(inner, "div")
    inner.text = "deep"
    assert mark_up(root).strip(marking.BREAK) == "deep"
