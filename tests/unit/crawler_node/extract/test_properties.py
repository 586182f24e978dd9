"""Whatever people type and pages hold: a value, or an error made for it, and nothing else."""

import contextlib
import json

from hypothesis import given, settings
from hypothesis import strategies as st

from crawler_node.contracts import FetchedPage
from crawler_node.extract.cleanup import compile_cleanup
from crawler_node.extract.compiler import compile_template
from crawler_node.extract.errors import BudgetError, CleanupError, SelectorError
from crawler_node.extract.parsing import parse_page
from crawler_node.extract.reader import TemplateReader
from crawler_node.extract.selectors import compile_selector
from crawler_node.extract.spec import parse_template
from crawler_node.extract.text import normalize_space, visible_text
from crawler_node.extract.values.dates import parse_date
from crawler_node.extract.values.locales import parse_locale
from crawler_node.extract.values.numbers import find_numbers
from crawler_node.extract.values.prices import parse_price

UNHURRIED = settings(deadline=None)
XPATH_PIECES = st.sampled_from(
    ["//", "/", "a", "h1", "[", "]", "(", ")", "@href", ".", "..", "*", "'x'", '"', " ", "|", "=", "and", "count(",
     "text()", "::", "child::", "1", ",", "$v", "not(", "contains(.,'x')", "#id", ".cls", ">", "é", "last()",
     "ns:a", "!=", "-"]
)  # fmt: skip
HTML_PIECES = st.sampled_from(
    ["<p>", "</p>", "<a href='x'>", "</html>", "<body class=b>", "<!--", "-->", "<script>", "</script>", "\0", "text",
     "€ 5", "<base href='//['>", "<title>", "&#xD800;", "&nbsp;", "<li>", "<table><tr>", "<img srcset='a 1x,'>",
     "<time datetime=x>", "<svg>", "<p hidden>", "<meta charset=latin1>", "é", "3/4/2011", "<textarea>", "<frameset>",
     "<p style='display:none'>"]
)  # fmt: skip
LOCALES = st.sampled_from(["", "en", "de-CH", "fr", "ar", "zz-ZZ", "??"])
TEMPLATE = {
    "name": "t",
    "inspectors": [
        {"name": f"{kind}{number}", "type": kind, "selector": selector, "multiple": bool(number)}
        for kind in ("text", "number", "price", "date", "link", "image", "html")
        for number, selector in enumerate(("//p | //li", "//a | //img | //text()"))
    ],
}
READER = TemplateReader(compile_template(parse_template(TEMPLATE)), with_features=True)


@UNHURRIED
@given(st.lists(XPATH_PIECES, max_size=12).map("".join) | st.text(max_size=40))
def test_any_selector_compiles_or_is_refused_with_a_sentence(source):
    root = parse_page(b"<p>x<a href=y>z</a></p>", url="http://s.test/").root
    fault = None
    try:
        compile_selector(source).select(root)
    except SelectorError as error:
        fault = error
    if fault is not None:
        assert fault.message
        assert fault.position is None or 0 <= fault.position <= max(len(source), 1)


@UNHURRIED
@given(
    st.text(alphabet="ab(){}[]|*+?^$\\.dsw<>P=!:,0123456789-", max_size=25), st.text(alphabet="a\\1g<n>$", max_size=8)
)
def test_any_clean_up_runs_or_is_refused_with_a_sentence(pattern, replacement):
    with contextlib.suppress(CleanupError, BudgetError):
        assert isinstance(compile_cleanup(pattern, replacement).apply("ab 12 <x> ab"), str)


@settings(max_examples=200, deadline=None)
@given(st.lists(HTML_PIECES, max_size=30).map("".join).map(str.encode) | st.binary(max_size=60))
def test_any_page_is_read_and_its_values_can_be_stored(body):
    reading = READER(FetchedPage("http://s.test/", 200, {"content-type": "text/html"}, body))
    assert "could not be read" not in reading.failure
    for document in reading.documents:
        stored = json.loads(json.dumps(document.values, ensure_ascii=False).encode())
        assert stored == document.values


@UNHURRIED
@given(st.text(alphabet="0123456789.,'’ -–€$٣EURkr", max_size=30), LOCALES)
def test_any_text_with_digits_is_a_number_or_none(text, locale):
    for number in find_numbers(text, parse_locale(locale)):
        assert number.value.is_finite()
    price = parse_price(text, parse_locale(locale))
    assert price is None or price.amount.is_finite()


@settings(deadline=None, max_examples=60)
@given(st.text(alphabet="0123456789/.-: TZMarchJune,+", max_size=24), st.sampled_from(["en", "de", "fr"]))
def test_any_text_is_a_date_or_none(text, locale):
    found = parse_date(text, parse_locale(locale))
    assert found is None or found[:4].isdecimal()


@UNHURRIED
@given(st.text(max_size=60))
def test_normal_space_is_normal_already(text):
    once = normalize_space(text)
    assert normalize_space(once) == once
    assert once == once.strip()


@UNHURRIED
@given(st.lists(st.sampled_from(["<b>x</b>", "y", " ", "<p>z</p>", "<i>&nbsp;</i>"]), max_size=12).map("".join))
def test_visible_text_keeps_every_letter_in_order(source):
    root = parse_page(f"<div>{source}</div>".encode(), url="http://s.test/").root
    letters = [
        character
        for character in source.replace("nbsp", "").replace("<p>", "").replace("</p>", "")
        if character in "xyz"
    ]
    assert [character for character in visible_text(root) if character != " "] == letters
