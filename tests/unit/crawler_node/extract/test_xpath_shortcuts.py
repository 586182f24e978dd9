"""A quicker XPath finds what the written one finds."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from crawler_node.extract.xpath_shortcuts import quick_xpath
from crawler_node.extract.xpath_tokens import tokenize


def quick(source: str) -> str:
    return quick_xpath(source, tokenize(source))


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ("//p[@class='a']/b", "/descendant::p[@class='a']/b"),
        (".//p[@class]", "./descendant::p[@class]"),
        ("//*[ b ]", "/descendant::*[ b ]"),
        ("//div[.//p[text()]]//b[not(i)]", "/descendant::div[./descendant::p[text()]]/descendant::b[not(i)]"),
        ("a//p[contains(., 'x')][@id]|//b[i='1']", "a/descendant::p[contains(., 'x')][@id]|/descendant::b[i='1']"),
        ("//p[starts-with(@id, '//b[@x]')]", "/descendant::p[starts-with(@id, '//b[@x]')]"),
    ],
)
def test_takes_the_short_way(written: str, wanted: str) -> None:
    assert quick(written) == wanted


@pytest.mark.parametrize(
    "written",
    [
        "//p",
        "//p[1]",
        "//p[@class='a'][2]",
        "//p[last()]",
        "//p[position() = 2]",
        "//p[position() = 1 or @id]",
        "//p[count(b)]",
        "//p[string-length(.)]",
        "//p[number(@size)]",
        "//p[-1]",
        "//p[2 * 1]",
        "//p[(2)]",
        "//p['2']",
        "//p[not(b) + 1]",
        "//text()[. = 'a']",
        "//@href[. = 'a']",
        "//child::p[@id]",
        "//node()[@id]",
    ],
)
def test_leaves_what_may_count(written: str) -> None:
    assert quick(written) == written


NAMES = st.sampled_from(["a", "b", "p", "*"])
COUNTING = ["1", "2", "-1", "last()", "position()=1", "count(a)", "string(@x)"]
HOLDING = ["@x", "@x='1'", "b", "b/a", ".//p", "not(a)", "contains(., '1')", "text()", ".='1'", "@x and b", "..", "a|b"]
PLAIN = st.sampled_from([*COUNTING, *HOLDING, "string-length(.)>1", "count(b)=1", "true()", "(b)"])


def paths(conditions: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    step = st.tuples(st.sampled_from(["//", "/"]), NAMES, st.lists(conditions.map("[{}]".format), max_size=2))
    steps = st.lists(step.map(lambda found: found[0] + found[1] + "".join(found[2])), min_size=1, max_size=3)
    return st.tuples(st.sampled_from(["", ".", "p"]), steps).map(lambda found: found[0] + "".join(found[1]))


XPATHS = paths(PLAIN | paths(PLAIN))


@st.composite
def trees(draw: st.DrawFn, depth: int = 4) -> etree._Element:
    element = etree.Element(draw(st.sampled_from("abp")))
    if draw(st.booleans()):
        element.set("x", draw(st.sampled_from("12")))
    element.text = draw(st.sampled_from(["", "1", "2"]))
    for _ in range(draw(st.integers(0, 3)) if depth else 0):
        element.append(draw(trees(depth=depth - 1)))
    return element


@settings(max_examples=400, deadline=None)
@given(XPATHS, trees())
def test_finds_the_same(written: str, tree: etree._Element) -> None:
    assert etree.XPath(quick(written))(tree) == etree.XPath(written)(tree)
