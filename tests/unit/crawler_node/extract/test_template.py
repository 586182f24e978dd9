"""Templates find documents: every value in its place, whatever is missing."""

import re
from collections import Counter
from datetime import UTC, datetime

import pytest

from crawler_node.extract.compiler import compile_template
from crawler_node.extract.extraction import Miss
from crawler_node.extract.parsing import parse_page
from crawler_node.extract.spec import parse_template

LIST = """<html lang="en"><h1>Shop</h1><ul>
<li><a href="/p/1">Pot</a> <b>€ 1.299,–</b> <img src="1.png"></li>
<li><a href="/p/2">Pan</a> <img data-src="2.png" src="data:x"></li>
<li><a href="/p/3">Lid</a> <b>€ 5,50</b></li>
<li class="ad">Buy now!</li>
</ul></html>"""


def extract(inspectors, source, item_scope="", **options):
    template = compile_template(parse_template({"name": "t", "item_scope": item_scope, "inspectors": inspectors}))
    return template.extract(parse_page(source.encode(), url="http://s.test/dir/"), **options)


def only(inspector, source, **options):
    """The value of one inspector called `v` on a page, None without a document."""
    found = extract([{"name": "v", **inspector}], source, **options)
    return found.documents[0].values["v"] if found.documents else None


def test_an_item_scope_gives_many_documents_and_missing_fields_shift_nothing():
    found = extract(
        [
            {"name": "name", "selector": "a", "required": True},
            {"name": "price", "selector": "b", "type": "price"},
            {"name": "image", "selector": ".//img", "type": "image"},
            {"name": "link", "selector": "a", "type": "link"},
            {"name": "shop", "selector": "//h1"},
        ],
        LIST,
        item_scope="//li",
    )
    assert [tuple(document.values.values()) for document in found.documents] == [
        ("Pot", {"amount": 1299, "currency": "EUR"}, "http://s.test/dir/1.png", "http://s.test/p/1", "Shop"),
        ("Pan", None, "http://s.test/dir/2.png", "http://s.test/p/2", "Shop"),
        ("Lid", {"amount": 5.5, "currency": "EUR"}, None, "http://s.test/p/3", "Shop"),
    ]
    assert (found.items, found.misses) == (4, [])


def test_a_required_field_that_is_missing_is_a_visible_miss():
    inspectors = [
        {"name": "name", "selector": "a", "required": True},
        {"name": "price", "selector": "b", "required": True},
    ]
    found = extract(inspectors, LIST, item_scope="//li")
    assert [document.missing for document in found.documents] == [(), ("price",), ()]
    assert found.misses == [Miss(1, "price")]
    assert found.misses[0].sentence == "Item 2 has no “price”, which is required."


def test_an_item_without_its_only_required_field_is_a_document_with_a_miss():
    inspectors = [
        {"name": "price", "selector": "b", "type": "price", "required": True},
        {"name": "name", "selector": "a"},
        {"name": "shop", "selector": "//h1"},
        {"name": "kind", "type": "constant", "value": "pots"},
    ]
    found = extract(inspectors, LIST, item_scope="//li")
    assert [document.values["name"] for document in found.documents] == ["Pot", "Pan", "Lid"]
    assert [document.missing for document in found.documents] == [(), ("price",), ()]
    assert (found.misses, found.notices, found.items) == ([Miss(1, "price")], (), 4)


def test_items_without_a_key_are_no_documents_but_told_of():
    inspectors = [
        {"name": "price", "selector": "b", "key": True},
        {"name": "name", "selector": "a", "required": True},
        {"name": "shop", "selector": "//h1"},
    ]
    found = extract(inspectors, LIST, item_scope="//li")
    assert [document.values["name"] for document in found.documents] == ["Pot", "Lid"]
    assert found.misses == []
    assert [(notice.field, notice.sentence) for notice in found.notices] == [
        (
            "",
            "1 item has no value for the key field “price”, and no document was made of what has no key: "
            "mend the field's selector, or choose another key.",
        )
    ]
    gone = extract(inspectors, LIST.replace("<b>", "<u>"), item_scope="//li")
    assert gone.documents == []
    assert gone.notices[0].sentence.startswith("3 items have no value for the key field “price”")


def test_a_page_without_a_key_or_its_only_required_field_is_another_kind_of_page():
    inspectors = [{"name": "title", "selector": "//h1"}, {"name": "price", "selector": "//u", "required": True}]
    found = extract(inspectors, LIST)
    assert (found.documents, found.misses, found.notices) == ([], [], ())


@pytest.mark.parametrize("required", [True, False])
def test_a_page_without_any_of_the_fields_is_no_document(required):
    inspectors = [
        {"name": "v", "selector": "//h2", "required": required},
        {"name": "c", "type": "constant", "value": "x"},
    ]
    found = extract(inspectors, LIST)
    assert (found.documents, found.misses) == ([], [])


def test_an_item_without_a_key_is_no_document():
    inspectors = [
        {"name": "title", "selector": "//h1", "required": True},
        {"name": "id", "selector": "//i", "key": True},
    ]
    assert extract(inspectors, "<h1>List</h1>").documents == []
    assert len(extract(inspectors, "<h1>Thing</h1><i>7</i>").documents) == 1


def test_fallbacks_fire_in_order_and_are_counted():
    source = "<ul><li><b>1</b><i>x</i></li><li><i>2</i></li><li><b>none</b><i>3</i></li><li><u>4</u><s>a</s></li></ul>"
    inspectors = [
        {"name": "n", "selector": "b", "fallbacks": ["i", "u"], "type": "number"},
        {"name": "s", "selector": "s", "fallbacks": ["em"]},
    ]
    found = extract(inspectors, source, item_scope="//li")
    assert [document.values["n"] for document in found.documents] == [1, 2, 3, 4]
    assert [document.fired["n"] for document in found.documents] == [0, 1, 1, 2]
    assert found.fired() == {"n": Counter({1: 2, 0: 1, 2: 1}), "s": Counter({-1: 3, 0: 1})}


@pytest.mark.parametrize(
    ("inspector", "source", "value"),
    [
        ({"selector": "//p"}, "<p> a&nbsp; <b>b</b></p>", "a b"),
        ({"selector": "//p/text()"}, "<p>\n <b>Label:</b> value <i>x</i></p>", "value"),
        ({"selector": "//a/@title"}, "<a title=' t  u '>x</a>", "t u"),
        ({"selector": "//a", "attribute": "title"}, "<a>no</a><a title='t'>x</a>", "t"),
        ({"selector": "string(//p)"}, "<p>a <b>b</b></p>", "a b"),
        ({"selector": "count(//p)", "type": "number"}, "<p>a<p>b", 2),
        ({"selector": "//meta[@name='d']"}, "<meta name=d content='c'>", "c"),
        ({"selector": "//img"}, "<img alt='a'>", "a"),
        ({"selector": "//script"}, "<script>{&quot;a&quot;: 1}</script>", "{&quot;a&quot;: 1}"),
        ({"selector": "//p", "multiple": True}, "<p>a<p> <p>b", ["a", "b"]),
        ({"selector": "//i", "multiple": True}, "<p>a", None),
        ({"selector": "//p", "type": "number"}, "<p>1,024 reviews", 1024),
        ({"selector": "//p", "type": "number", "locale": "de"}, "<p>1.024 Stück", 1024),
        ({"selector": "//p", "type": "number"}, "<html lang=de><p>1.024 Stück", 1024),
        ({"selector": "//p", "type": "number", "multiple": True}, "<p>1<p>x<p>2.5", [1, 2.5]),
        ({"selector": "//p", "type": "price"}, "<p>1'299.00 CHF", {"amount": 1299, "currency": "CHF"}),
        ({"selector": "//time", "type": "date"}, "<time datetime='2011-03-05'>last week</time>", "2011-03-05"),
        ({"selector": "//p", "type": "date", "locale": "en-GB"}, "<p>3/4/2011", "2011-04-03"),
        ({"selector": "//p", "type": "date"}, "<html lang=fr><p>3/4/2011", "2011-04-03"),
        ({"selector": "//p", "type": "date"}, "<p>yesterday", "2011-03-09"),
        ({"selector": "//a/@href", "type": "link"}, "<a href='../x'>", "http://s.test/x"),
        ({"selector": "//a", "type": "link"}, "<base href='http://b.test/q/'><a href='x'>", "http://b.test/q/x"),
        ({"selector": "//a", "type": "link"}, "<a href='javascript:x()'>1</a><a href=y>2</a>", "http://s.test/dir/y"),
        (
            {"selector": "//a", "type": "image", "attribute": "data-big"},
            "<a data-big='b.png'>",
            "http://s.test/dir/b.png",
        ),
        ({"type": "constant", "value": "c"}, "<p>x", None),
    ],
)
def test_types_and_selectors(inspector, source, value):
    assert only(inspector, source, now=datetime(2011, 3, 10, tzinfo=UTC)) == value


@pytest.mark.parametrize(
    ("source", "amount"),
    [
        ("$12<sup>99</sup>", 12.99),
        ("<sup>$</sup>12<sup>99</sup>", 12.99),
        ("<b>$<i>1,299</i></b> <sup> <i>99</i> </sup>", 1299.99),
        ("1.299<sup>99</sup> $", 1299.99),
        ("1 299<sup>99 $</sup>", 1299.99),
        ("Item 5: $12<sup>99</sup>/month", 12.99),
        ("$12<sup>.99</sup>", 12.99),
        ("$12.<sup>99</sup>", 12.99),
        ("$12.99<sup>1</sup>", 12.99),
        ("$12.99<sup>12</sup>", 12.99),
        ("$5<sup>1</sup>", 5),
        ("12.99 $<sup>1</sup>", 12.99),
        ("100 m<sup>2</sup>: $5", 5),
        ("$12 for 2<sup>nd</sup>", 12),
        ("$12; " + "111 " * 50_000 + "<sup>99</sup>", 12),
    ],
)
def test_raised_cents_are_cents(source, amount):
    assert only({"selector": "//p", "type": "price"}, f"<p>{source}</p>") == {"amount": amount, "currency": "USD"}


def test_constants_are_in_every_document():
    found = extract([{"name": "v", "selector": "//p"}, {"name": "c", "type": "constant", "value": "x"}], "<p>a")
    assert found.documents[0].values == {"v": "a", "c": "x"}


def test_html_is_safe_and_its_links_absolute():
    source = "<div id=d>a &lt; b<p onclick='x()'>c<script>x()</script><a href='y'>z</a><img src=i.png></div>"
    assert only({"selector": "//div", "type": "html"}, source) == (
        'a &lt; b<p>c<a href="http://s.test/dir/y" rel="noopener noreferrer">z</a><img src="http://s.test/dir/i.png"></p>'
    )
    assert only({"selector": "//div/text()", "type": "html"}, source) == "a &lt; b"


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("a<noscript><img src=n.png> Turn scripts on</noscript> b", "a b"),
        ("a<iframe src=f>old <b>browser</b></iframe> b", "a b"),
        ("a<select><option>S<option>M</select> b", "a b"),
        ("a<svg><title>Icon</title></svg> b", "a b"),
        ("<img src='data:image/gif;base64,R0' data-src=i.png>", '<img src="http://s.test/dir/i.png">'),
        ("<img src='data:x'><noscript><img src=n.png></noscript>", '<img src="http://s.test/dir/n.png">'),
        ("<img srcset='s.png 1x, l.png 2x'>", '<img src="http://s.test/dir/l.png">'),
        ("<img src=i.png><img src='data:x'>", '<img src="http://s.test/dir/i.png"><img>'),
        ("a<svg><desc>Created with Sketch.</desc><metadata>image/svg+xml</metadata></svg> b", "a b"),
        ("<section>a</section><main>b</main>", "<section>a</section><main>b</main>"),
        ("<form action=x>a</form><fieldset><legend>b</legend>c</fieldset>", "<div>a</div><div><div>b</div>c</div>"),
        ("<input type=radio>Red<input type=radio>Blue<button>Buy</button>", "Red Blue Buy"),
        ("a<b style='display: none'>b</b><p hidden>c</p>", 'a<b hidden="">b</b><p hidden="">c</p>'),
    ],
)
def test_html_is_what_a_reader_sees(source, value):
    assert only({"selector": "//div", "type": "html"}, f"<div>{source}</div>") == value


@pytest.mark.parametrize(
    ("selector", "value"),
    [
        ("//table", "<table><thead><tr><th>k</th></tr></thead><tbody><tr><td>a</td><td>b</td></tr></tbody></table>"),
        ("//thead", "<table><thead><tr><th>k</th></tr></thead></table>"),
        ("//tr[td]", "<table><tbody><tr><td>a</td><td>b</td></tr></tbody></table>"),
        ("//td", "a"),
        ("//pre", "<pre>c\nd</pre>"),
        ("//table[@id='empty']", None),
    ],
)
def test_html_of_tables_keeps_cells_and_of_pre_lines(selector, value):
    source = "<table><thead><tr><th>k</thead><tr><td>a<td>b</table><pre>c\nd</pre><table id=empty></table>"
    assert only({"selector": selector, "type": "html"}, source) == value


def test_white_space_around_an_address_in_html_is_none_of_it():
    source = "<div><a href=' /a b \n'>x</a><img src='/i.png '><a href='/c%20'>y</a></div>"
    value = only({"selector": "//div", "type": "html"}, source)
    assert re.findall(r'(?:href|src)="http://[^/]+([^"]*)', value) == ["/a%20b", "/i.png", "/c%20"]


def test_html_leaves_the_page_to_other_fields():
    inspectors = [
        {"name": "h", "selector": "//div", "type": "html"},
        {"name": "s", "selector": "//img/@src"},
        {"name": "n", "selector": "//noscript"},
        {"name": "p", "selector": "count(//@hidden)"},
    ]
    source = "<div><img src='data:x' data-src=i.png><noscript>n</noscript><b style='display:none'>b</b></div>"
    found = extract(inspectors, source)
    values = {"h": '<img src="http://s.test/dir/i.png"><b hidden="">b</b>', "s": "data:x", "n": "n", "p": "0"}
    assert found.documents[0].values == values


@pytest.mark.parametrize(
    ("cleanup", "type_", "source", "value"),
    [
        ([{"pattern": "^Model: ", "replacement": ""}], "text", "<p>Model:&nbsp; X1", "X1"),
        ([{"pattern": r"(\d+)\D+(\d+)", "replacement": r"\1.\2"}], "number", "<p>12 Euro 50", 12.5),
        ([{"pattern": "a", "replacement": "b"}, {"pattern": "b+", "replacement": "c"}], "text", "<p>aab", "c"),
        ([{"pattern": ".*", "replacement": ""}], "text", "<p>all gone", None),
        ([{"pattern": r"\?.*", "replacement": ""}], "link", "<p>/x?session=1", "http://s.test/x"),
    ],
)
def test_clean_up_runs_before_the_type(cleanup, type_, source, value):
    selector = "//p/text()" if type_ == "link" else "//p"
    assert only({"selector": selector, "type": type_, "cleanup": cleanup}, source) == value


@pytest.mark.parametrize(
    ("inspector", "source", "sentence", "count"),
    [
        ({"selector": "//p", "type": "price", "multiple": True}, "<p>$5 - $6<p>$7 - $8", "range", 2),
        ({"selector": "//p", "type": "number"}, "<p>none", "no number", 1),
        ({"selector": "//p", "type": "number"}, "<p>4 of 5", "several numbers", 1),
        ({"selector": "//p", "type": "date"}, "<p>none", "no date", 1),
        ({"selector": "//a", "type": "link"}, "<a href='javascript:x'>", "leads to no address", 1),
        ({"selector": "count(string(.))"}, "<p>x", "cannot be evaluated", 1),
        ({"selector": "//p", "cleanup": [{"pattern": r"(?=(a|ab|b|ba)+c)\1\1", "replacement": ""}]},
         "<p>" + "ab" * 5_000, "took more than", 1),
    ],
)  # fmt: skip
def test_what_went_wrong_is_noted_and_counted(inspector, source, sentence, count):
    notices = extract([{"name": "v", **inspector}], source).notices
    assert [(notice.field, sentence in notice.sentence, notice.count) for notice in notices] == [("v", True, count)]


def test_notices_about_the_page_come_first():
    found = extract([{"name": "v", "selector": "//p", "type": "number"}], "<p>x</p><!-- open")
    assert [notice.field for notice in found.notices] == ["", "v"]


def test_an_item_scope_that_selects_text_is_noted():
    found = extract([{"name": "v", "selector": "."}], "<p>a", item_scope="//p/text()")
    assert (found.documents, "selects text" in found.notices[0].sentence) == ([], True)


def test_key_names():
    inspectors = [{"name": "a", "selector": "//a", "key": True}, {"name": "b", "selector": "//b"}]
    template = compile_template(parse_template({"name": "t", "inspectors": inspectors}))
    assert template.key_names == ("a",)


def test_a_text_of_unreasonable_length_is_cut_and_noted():
    found = extract([{"name": "v", "selector": "//p"}], "<p>" + "word " * 250_000)
    assert len(found.documents[0].values["v"]) == 1_000_000
    assert "cut" in found.notices[0].sentence


def test_html_of_unreasonable_length_is_cut_and_noted():
    found = extract([{"name": "v", "selector": "//p", "type": "html"}], "<p>" + "<b>word</b> " * 100_000)
    assert len(found.documents[0].values["v"]) <= 1_000_100
    assert [notice.sentence for notice in found.notices] == ["The HTML was cut after 1,000,000 characters."]
    assert extract([{"name": "v", "selector": "//p", "type": "html"}], "<p>a <b>word</b>").notices == ()
