"""Pages become trees that have lost nothing, or an error that says why not."""

import pytest
from lxml import etree

from crawler_node.extract.errors import PageError
from crawler_node.extract.parsing import parse_page, parse_text
from crawler_node.extract.text import visible_text


def parse(source, **options):
    body = source if isinstance(source, bytes) else source.encode()
    return parse_page(body, url="http://site.test/dir/page", **options)


def markup(source, **options):
    return etree.tostring(parse(source, **options).root, encoding="unicode")


@pytest.mark.parametrize(
    ("source", "tree"),
    [
        (
            "<html><body><p>a</p></body></html><p>later</p><div>x</div>",
            "<html><body><p>a</p><p>later</p><div>x</div></body></html>",
        ),
        (
            "<html><head></head></html><body class=k><p>all</p></body>",
            '<html><head/><body class="k"><p>all</p></body></html>',
        ),
        (
            "<html><body><ul id=l><li>1</li></body></html><li>2</li></ul>",
            '<html><body><ul id="l"><li>1</li><li>2</li></ul></body></html>',
        ),
        ("<html><body>x</body></html> and text", "<html><body>x and text</body></html>"),
        (
            "<html><body>a</body></html>\n<script>1</script>\n",
            "<html><body>a<script>1</script>\n</body></html>",
        ),
        (
            "<html><body><script>w('</body></html>')</script><p>a</p></body></html><p>b</p>",
            "<html><body><script>w('&lt;/body&gt;&lt;/html&gt;')</script><p>a</p><p>b</p></body></html>",
        ),
        ("<html></html>tail<script>1</script>", "<html><body>tail<script>1</script></body></html>"),
        (
            "<html><body><p>a</p><!--></body></html><p>b</p>c<!-- d -->",
            "<html><body><p>a</p><p>b</p>c</body></html>",
        ),
        (
            "<html><body><p title='<!--'>a</p></body> b </html>c<p>d</p>e",
            '<html><body><p title="&lt;!--">a</p> b c<p>d</p>e</body></html>',
        ),
    ],
)
def test_what_follows_an_early_end_is_kept(source, tree):
    assert markup(source) == tree


@pytest.mark.parametrize(
    "before",
    ["\ufeff", "\ufeff\ufeff \n", '<base href="http://other.test/">', '\ufeff<base href="http://other.test/"/>\n'],
)
def test_what_stands_before_the_doctype_does_no_harm(before):
    page = parse(f'{before}<!DOCTYPE html><html lang="de" class="a"><head><title>t</title></head><body id="b"><p>x</p>')
    assert (page.language, page.root.get("class"), page.root.find("body").get("id")) == ("de", "a", "b")
    assert page.root.findtext("head/title") == "t"
    assert page.base_url == ("http://other.test/" if "base" in before else "http://site.test/dir/page")


@pytest.mark.parametrize("href", ["/" + "x" * 4_000, "/" + "ä" * 1_000])
def test_a_base_longer_than_any_address_is_left_out_and_told(href):
    page = parse(f"<base href='{href}'><p>x")
    assert page.base_url == "http://site.test/dir/page"
    assert page.notices == [
        "The page's <base> is longer than 4,000 characters, which no address is, and is left out: links count from the "
        "page's own address."
    ]


def test_a_base_is_relative_to_the_page():
    assert parse("<base href='../up/'><p>x").base_url == "http://site.test/up/"
    assert parse("<base target=_blank><p>x").base_url == "http://site.test/dir/page"
    assert parse("<base target=_blank><base href='/up/'><base href='/no/'><p>x").base_url == "http://site.test/up/"


@pytest.mark.parametrize(
    "href",
    ["data:text/html,x", "JavaScript:void(0)", "http://", "about:blank", "file:///C:/site/a.htm", "mailto:a@b.c"],
)
def test_a_base_that_leads_to_no_website_is_none(href):
    assert parse(f"<base href='{href}'><p>x").base_url == "http://site.test/dir/page"


@pytest.mark.parametrize("depth", [255, 257, 300, 1_500])
def test_deep_nesting_is_read_whole(depth):
    page = parse("<div>" * depth + "<b>deep</b>" + "</div>" * depth + "<i>after</i>")
    assert [node.text for node in page.root.iter("b", "i")] == ["deep", "after"]
    assert visible_text(page.root) == "deep after"


@pytest.mark.parametrize("tag", ["div", "b", "span", "font", "table"])
def test_nesting_past_all_measure_is_read_whole_side_by_side(tag):
    inner = '<h1 class="name">deep <i>down</i></h1><p>text</p>'
    page = parse(f"<{tag}>" * 6_000 + inner + f"</{tag}>" * 6_000 + "<h2>after</h2>")
    assert [visible_text(node) for node in page.root.iter("h1", "p", "h2")] == ["deep down", "text", "after"]
    assert page.root.xpath("//h1/@class") == ["name"]
    assert len(list(page.root.iter(tag))) == 6_000
    assert "side by side" in page.notices[0]


def test_what_stays_too_deep_fails_visibly(monkeypatch):
    monkeypatch.setattr("crawler_node.extract.parsing.flatten", lambda source: source)
    with pytest.raises(PageError, match="2,000 levels deep"):
        parse("<div>" * 5_000 + "lost")


def test_comments_do_not_split_texts():
    assert parse("<p>one<!-- x --> text<!-- y --></p>").root.xpath("//p/text()") == ["one text"]


def test_a_comment_without_end_is_noted():
    assert "never closed" in parse("<p>a</p><!-- <p>b</p>").notices[0]
    assert parse("<p>a</p><!-- b -->").notices == []


@pytest.mark.parametrize("rest", ["<script><!-- a </script><p>b", "<!-- x --!><p>b", "<textarea><!--</textarea><p>b"])
def test_a_comment_that_hides_nothing_is_not_noted(rest):
    page = parse(f"<p>a</p>{rest}</p>")
    assert (page.root.findall(".//p")[-1].text, list(page.notices)) == ("b", [])


def test_the_end_of_a_line_break_is_one_as_in_browsers():
    source = "<p title='x</br>y'>a</br>b</BR >c<script>'</br>'</script><!-- </br> --></p>"
    assert markup(source) == (
        "<html><body><p title=\"x&lt;/br&gt;y\">a<br/>b<br/>c<script>'&lt;/br&gt;'</script></p></body></html>"
    )
    assert visible_text(parse(source).root) == "a b c"


def test_nul_bytes_vanish():
    assert visible_text(parse(b"<p>a\x00b</p>").root) == "ab"


def test_xhtml_may_close_any_element_at_once():
    head = '<html xmlns="http://www.w3.org/1999/xhtml"><head><script src="a"/></head>'
    source = f"{head}<body><div/><p>x<br/>y</p></body></html>"
    page = parse(source, content_type="application/xhtml+xml")
    assert page.root.xpath("//p/text()") == ["x", "y"]
    assert parse(source.replace('<script src="a"/>', "")).root.xpath("//body/p/text() | //body/div/p/text()") == [
        "x",
        "y",
    ]


@pytest.mark.parametrize(
    ("body", "content_type", "sentence"),
    [
        (b"", "text/html", "empty"),
        (b" \n\t ", "text/html", "empty"),
        (b"<!-- nothing -->", "", "empty"),
        (b"%PDF-1.7 ...", "text/html", "PDF"),
        (b"\x89PNG\r\n", "", "PNG"),
        (b'{"a": 1}', "application/json", "application/json"),
        (b"just text", "text/plain; charset=utf-8", "text/plain"),
    ],
)
def test_what_is_no_page_is_refused_with_a_sentence(body, content_type, sentence):
    with pytest.raises(PageError, match=sentence):
        parse(body, content_type=content_type)


def test_html_under_a_wrong_content_type_is_read():
    assert parse(b"<!DOCTYPE html><p>x", content_type="text/plain").root.findtext(".//p") == "x"


def test_a_browsers_page_source_is_read_as_it_is():
    page = parse_text("<meta charset=iso-8859-1><p>€ 5</p>", url="http://site.test/")
    assert visible_text(page.root) == "€ 5"


def test_a_page_that_repeats_opening_tags_without_end_is_read_in_time():
    assert parse("<html></html>" + "<script " * 50_000).root is not None
    assert parse("<div>a</div></html>x" + "<html " * 50_000).root is not None
