"""A page is read once, and never raises."""

import pytest

from crawler_node.contracts import FetchedPage, Link
from crawler_node.extract.compiler import compile_template
from crawler_node.extract.identity import fingerprint
from crawler_node.extract.reader import TemplateReader
from crawler_node.extract.selectors import compile_selector
from crawler_node.extract.spec import parse_template
from crawler_node.urls import Canonicalizer

SOURCE = b"""<html><head><base href="/b/"><link rel=canonical href="c"><meta name=robots content=nofollow>
<meta http-equiv=refresh content="0;url=/moved"></head><body><ul><li><a href=1>One</a><li><a href=2>Two</a></ul>
<p><a href=3>Three</a></p></body></html>"""


def reader(**options):
    inspectors = [
        {"name": "name", "selector": "a", "required": True},
        {"name": "link", "selector": "a", "type": "link"},
    ]
    template = compile_template(parse_template({"name": "t", "item_scope": "//li", "inspectors": inspectors}))
    return TemplateReader(template, **options)


def page(body=SOURCE, **headers):
    return FetchedPage("http://s.test/d/p", 200, {"content-type": "text/html", **headers}, body)


def test_everything_in_one_pass():
    reading = reader()(page())
    assert [document.values for document in reading.documents] == [
        {"name": "One", "link": "http://s.test/b/1"},
        {"name": "Two", "link": "http://s.test/b/2"},
    ]
    assert reading.documents[0].sha1 == fingerprint(reading.documents[0].values)
    assert len({document.identity for document in reading.documents}) == 2
    assert reading.links == [Link("1", "One"), Link("2", "Two"), Link("3", "Three"), Link("/moved")]
    assert (reading.base_url, reading.canonical) == ("http://s.test/b/", "http://s.test/b/c")
    assert (reading.nofollow, reading.noindex, reading.features, reading.failure) == (True, False, None, "")


def test_a_page_in_a_charset_of_its_own_means_its_queries_in_it():
    source = "<link rel=canonical href='?q=тест'><ul><li><a href='/s?q=тест'>One</a></ul>"
    reading = reader()(page(source.encode("cp1251"), **{"content-type": "text/html; charset=windows-1251"}))
    assert reading.charset == "cp1251"
    assert reading.documents[0].values["link"] == "http://s.test/s?q=%F2%E5%F1%F2"
    assert reading.canonical == "http://s.test/d/p?q=%F2%E5%F1%F2"
    same = reader()(page(source.encode(), **{"content-type": "text/html; charset=utf-8"}))
    assert same.charset == ""
    assert same.documents[0].values["link"] == "http://s.test/s?q=%D1%82%D0%B5%D1%81%D1%82"


def test_links_may_be_limited_to_parts_of_the_page():
    reading = reader(links_scope=[compile_selector("//ul")])(page())
    assert [link.href for link in reading.links] == ["1", "2", "/moved"]


def test_features_where_asked_for():
    assert reader(with_features=True)(page()).features.text == "One\nTwo\nThree"
    assert reader(with_features=True)(page()).features.unread == {}


def test_texts_that_are_no_numbers_are_kept_with_the_features():
    number = {"name": "votes", "selector": "b", "fallbacks": ["i"], "type": "number"}
    price = {"name": "price", "selector": "u", "type": "price"}
    name = {"name": "name", "selector": "a"}
    template = {"name": "t", "item_scope": "//li", "inspectors": [name, number, price]}
    body = (
        b"<ul><li><a>1</a><b>many</b><li><a>2</a><b>few</b><i>3</i><li><a>3</a><b>  a \n lot </b><u>on request</u>"
        b"<li><a>4</a><b>9</b><u>5 EUR</u></ul>"
    )
    reading = TemplateReader(compile_template(parse_template(template)), with_features=True)(page(body))
    assert [document.values["votes"] for document in reading.documents] == [None, 3, None, 9]
    assert reading.features.unread == {"votes": ["many", "a lot"], "price": ["on request"]}


@pytest.mark.parametrize(
    ("body", "headers", "sentence"),
    [
        (b"", {}, "empty"),
        (b"%PDF-1.4", {}, "PDF"),
        (b"{}", {"content-type": "application/json"}, "application/json"),
    ],
)
def test_a_page_that_cannot_be_read_is_a_failure_with_a_sentence(body, headers, sentence):
    reading = reader()(page(body, **headers))
    assert (reading.base_url, reading.documents, sentence in reading.failure) == ("http://s.test/d/p", (), True)


@pytest.mark.parametrize(
    ("headers", "value"),
    [
        ({"date": "Thu, 10 Mar 2011 12:00:00 GMT"}, "2011-03-09"),
        ({"date": "nonsense"}, None),
        ({}, None),
    ],
)
def test_yesterday_is_relative_to_the_servers_answer(headers, value):
    inspectors = [{"name": "day", "selector": "//p", "type": "date"}, {"name": "text", "selector": "//p"}]
    dated = TemplateReader(compile_template(parse_template({"name": "t", "inspectors": inspectors})))
    assert dated(page(b"<p>yesterday</p>", **headers)).documents[0].values["day"] == value


def test_tells_which_fields_only_a_fallback_found():
    inspectors = [{"name": "price", "selector": "//b", "fallbacks": ["//i"]}, {"name": "title", "selector": "//h1"}]
    reader = TemplateReader(compile_template(parse_template({"name": "t", "inspectors": inspectors})))
    page = FetchedPage("http://s.test/", 200, {"content-type": "text/html"}, b"<h1>Pot</h1><i>5</i>")
    assert [document.fallbacks for document in reader(page).documents] == [("price",)]


def test_what_went_almost_wrong_is_told_of_documents_and_of_the_page():
    cost = {"name": "cost", "selector": "//b", "type": "price"}
    fields = [{"name": "name", "selector": "//h1", "required": True}, cost]
    read = TemplateReader(compile_template(parse_template({"name": "t", "inspectors": fields})))
    good = read(page(b"<h1>Tent</h1><b>12 EUR</b>"))
    assert good.notices == ()
    vague = read(page(b"<meta charset=utf-8><h1>Caf\xe9 f\xfcr alle</h1><b>on request</b>"))
    assert "The page says it is UTF-8" in vague.notices[0]
    assert vague.notices[1:] == ["\u201ccost\u201d: There is text, but no price in it."]
    assert read(page(b"<b>no document</b>")).notices == []


def test_a_page_is_told_by_the_canonical_form_of_its_address_where_addresses_are_known():
    template = compile_template(parse_template({"name": "t", "inspectors": [{"name": "title", "selector": "//h1"}]}))
    plain, told = TemplateReader(template), TemplateReader(template, addresses=Canonicalizer())
    other, same = (read_one(told, f"http://s.test/p?{query}", "<h1>x</h1>") for query in ("b=2&a=1", "a=1&b=2"))
    assert other.identity == same.identity
    assert other.former == read_one(plain, "http://s.test/p?b=2&a=1", "<h1>x</h1>").identity != other.identity
    assert same.former == b""


def test_a_document_with_keys_has_no_other_identity_by_its_page():
    fields = [{"name": "sku", "selector": "//h1", "key": True}]
    template = compile_template(parse_template({"name": "t", "inspectors": fields}))
    found = read_one(TemplateReader(template, addresses=Canonicalizer()), "http://s.test/index.html", "<h1>x</h1>")
    assert found.former == b""


def read_one(reader, url, body):
    (found,) = reader(FetchedPage(url, 200, {"content-type": "text/html"}, body.encode())).documents
    return found
