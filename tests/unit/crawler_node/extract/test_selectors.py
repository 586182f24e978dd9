"""Selectors find what they say, and refuse with a sentence, a place and a remedy."""

import pickle

import pytest
from lxml import html

from crawler_node.extract.errors import SelectorError
from crawler_node.extract.selectors import MAX_NESTING, MAX_SELECTOR_CHARS, compile_selector

PAGE = html.fromstring(
    "<html><body><h1>Tea pot</h1><ul><li class='a b'>one</li><li>two <b>bold</b></li></ul>"
    "<a href='/x'>link</a></body></html>"
)


def test_finds_elements_in_document_order():
    assert [node.text for node in compile_selector("//li").select(PAGE)] == ["one", "two "]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("//a/@href", ["/x"]),
        ("//li/text()", ["one", "two "]),
        ("string(//h1)", ["Tea pot"]),
        ("count(//li)", ["2"]),
        ("count(//li) div 4", ["0.5"]),
        ("count(//li) = 2", ["true"]),
        ("string(//h2)", []),
        ("number('x')", []),
        ("//h2", []),
    ],
)
def test_finds_text_attributes_and_computed_values(source, found):
    assert compile_selector(source).select(PAGE) == found


@pytest.mark.parametrize(
    "source",
    [
        '//*[@id="a"]/text()[2]',
        "//a[@class='x']//text()[normalize-space()][1]",
        "(//a)[1]",
        "//tr[td[1]='Publisher']/td[2]",
        "//a[position() mod 2 = 1]",
        "//a[text ()]",
        "ancestor-or-self::div[1]",
        "* and a",
        "a or b",
        "div",
        "h1",
        ".",
        "..",
        ".//a",
        "@href",
        "text()",
        "//a | //b",
        "-1 * 2",
        "//div[@div div 2 = 1]",
        "//*[local-name()='svg']",
        "//ä[.='ö']",
        "  //a  ",
        "translate(//a, 'ABC', 'abc')",
        "//a[@data-x='a.b > c']",
    ],
)
def test_accepts_xpath(source):
    assert compile_selector(source).source == source.strip()


@pytest.mark.parametrize(
    ("source", "position", "message", "hint"),
    [
        ("", None, "empty", "//h1"),
        ("   ", None, "empty", "//h1"),
        ("//a[", 3, "This [ is never closed", "missing ]"),
        ("//a[1", 3, "never closed", "missing ]"),
        ("count(//a", 5, "This ( is never closed", "missing )"),
        ("//a]", 3, "has no [ before it", "Remove it"),
        ("//a[contains(.,'x']", 18, "while a ( is still open", "Put ) before it"),
        ('//a[@x="y]', 7, 'has no closing "', 'Add "'),
        ("//ä/b[foo", 5, "This [ is never closed", "missing ]"),
        ("//ä//", 5, "ends too early", "trailing /"),
        ("  //a//", 7, "ends too early", "trailing /"),
        ("//x[position()=]", 15, "from “]” on", "right before it"),
        ("//a[“x”]", 4, "typographic quote", "straight"),
        ("//a[foo()]", 4, "no function foo()", "functions of XPath 1.0"),
        ("//a[startswith(@x,'y')]", 4, "no function startswith()", "starts-with()"),
        ("//a[matches(.,'x')]", 4, "no function matches()", "contains("),
        ("//a[lower-case(.)='x']", 4, "no function lower-case()", "translate("),
        ("//a[ends-with(.,'x')]", 4, "no function ends-with()", "substring("),
        ("//re:test(.)", 2, "no function re:test()", "XPath 1.0"),
        ("//a/string()", 4, "cannot be a step", "XPath 2"),
        ("if (x) then y", 0, "no function if()", "fallback"),
        ("for $x in //a return $x", 0, "belongs to XPath 2", "square brackets"),
        ("//a[@x eq 'y']", 7, "“eq”", "Write ="),
        ("//a[@x='1' AND @y]", 11, "“AND”", "Write and"),
        ("//a[not contains(., 'x')]", 8, "“contains”", "remove it"),
        ("$x", 0, "variable", "value itself"),
        ("//svg:path", 2, "namespace prefix", "local-name()='path'"),
        ("//div/following-siblings::a", 6, "no axis “following-siblings”", "following-sibling"),
        ("//a/namespace::*", 4, "no axis “namespace”", "child"),
        ("contains(.)", 0, "needs 2 values", "Add"),
        ("concat('a')", 0, "at least 2 values", "Add"),
        ("//a[last(1)]", 4, "needs nothing", "remove"),
        ("//a[substring(.)]", 4, "2 to 3 values", "Add"),
        ("count(5)", 6, "works on elements", "path"),
        ("//a[@b && @c]", 7, "no use for &", "and"),
        ("//a[@x\x01]", 6, "control character", "Remove"),
        ("xpath=//a", 0, "begins with xpath=", "only the expression"),
        ("https://example.org/", 0, "begins with https://", "only the expression"),
    ],
)
def test_refuses_with_place_and_remedy(source, position, message, hint):
    with pytest.raises(SelectorError) as caught:
        compile_selector(source)
    assert (caught.value.position, message in caught.value.message, hint in caught.value.hint) == (position, True, True)
    where = "" if position is None else f" (at character {position + 1})"
    assert str(caught.value) == f"{caught.value.message.rstrip('.')}{where}. {caught.value.hint}"


@pytest.mark.parametrize(
    ("css", "xpath"),
    [
        (".price", "//*[contains(concat(' ', @class, ' '), ' price ')]"),
        ("h1.title", "//h1[contains(concat(' ', @class, ' '), ' title ')]"),
        ("a#b", "//a[@id='b']"),
        ("div > a", "//div/a"),
        ("div div a", "//div//div//a"),
        ("a[href]", "//a[@href]"),
        ("a[href^='/x']", "//a[starts-with(@href, '/x')]"),
        ('[data-x="it\'s"]', '//*[@data-x="it\'s"]'),
        ("h1, h2", "//h1 | //h2"),
        ("dt + dd", "//dt/following-sibling::*[1]/self::dd"),
        ("dt ~ dd", "//dt/following-sibling::dd"),
        ("li:nth-child(2) > a::attr(href)", "//li[count(preceding-sibling::*)=1]/a/@href"),
        ("li:first-child::text", "//li[not(preceding-sibling::*)]/text()"),
    ],
)
def test_suggests_the_xpath_for_a_css_selector(css, xpath):
    with pytest.raises(SelectorError, match="CSS selector") as caught:
        compile_selector(css)
    assert caught.value.hint == f"Write {xpath} instead."
    assert compile_selector(xpath).source == xpath


def test_a_css_selector_without_translation_still_gets_a_hint():
    with pytest.raises(SelectorError, match="CSS selector") as caught:
        compile_selector("a:hover")
    assert "Write an XPath" in caught.value.hint


def test_refuses_what_is_too_long_or_too_deep():
    with pytest.raises(SelectorError, match="at most 4,000"):
        compile_selector("//a" + "/a" * MAX_SELECTOR_CHARS)
    with pytest.raises(SelectorError, match="nested more than"):
        compile_selector("a[" * (MAX_NESTING + 1) + "1" + "]" * (MAX_NESTING + 1))


def test_many_names_in_a_row_are_refused_without_recursion():
    with pytest.raises(SelectorError, match="operator is expected"):
        compile_selector("//" + "a " * 1_900)


def test_what_cannot_be_evaluated_is_a_selector_error():
    selector = compile_selector("count(string(.))")
    with pytest.raises(SelectorError, match="cannot be evaluated"):
        selector.select(PAGE)


def test_selectors_and_their_errors_travel_between_processes():
    copy = pickle.loads(pickle.dumps(compile_selector("//h1")))
    assert [node.text for node in copy.select(PAGE)] == ["Tea pot"]
    error = pickle.loads(pickle.dumps(SelectorError("Wrong.", position=3, hint="Mend it.")))
    assert (str(error), error.position, error.hint) == ("Wrong (at character 4). Mend it.", 3, "Mend it.")


@pytest.mark.parametrize(
    ("source", "is_absolute"),
    [
        ("//h1", True),
        ("/html/body//a[@href][2]/@href", True),
        ("//a[position() mod 2 = 1 and . = 'x']", True),
        ("//*[@id='a'] | //b", False),
        ("//a = b", False),
        (".//h1", False),
        ("h1", False),
        ("count(//a)", False),
        ("(//a)[1]", False),
    ],
)
def test_knows_what_is_the_same_from_every_node(source, is_absolute):
    assert compile_selector(source).is_absolute is is_absolute
