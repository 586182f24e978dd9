"""The main text is what the reader came for."""

from crawler_node.extract.parsing import parse_page
from crawler_node.page_text.body import read_body

MENU = "<ul>" + "".join(f"<li><a href='/{n}'>Section {n}</a></li>" for n in range(6)) + "</ul>"


def body(source):
    return read_body(parse_page(source.encode(), url="http://s.test/").root)


def test_menus_and_furniture_are_left_out():
    text = "A paragraph that is long enough to be what the reader came for, " * 2
    found = body(f"<nav>Menu</nav>{MENU}<h1>Title</h1><p>{text}<a href=x>linked</a></p><footer>Imprint</footer>{MENU}")
    assert found.text == f"Title\n{text}linked"
    assert found.headings == ("Title",)


def test_a_value_that_is_a_link_is_kept():
    assert body("<dl><dt>Company:</dt><dd><a href=c>Acme</a></dd><dt>Place:</dt><dd>Here</dd></dl>").text == (
        "Company:\nAcme\nPlace:\nHere"
    )


def test_a_page_of_links_keeps_them():
    found = body(MENU)
    assert found.text.splitlines() == [f"Section {n}" for n in range(6)]
    assert found.link_chars == found.visible_chars == 54


def test_hidden_text_scripts_and_options_are_left_out():
    found = body(
        "<p>a<span style='display:none'>b</span><script>c</script></p><select><option>d</select><p hidden>e</p>"
    )
    assert (found.text, found.visible_chars) == ("a", 1)


def test_deep_pages_cost_no_recursion():
    assert body("<div>" * 1_800 + "deep").text == "deep"


def test_text_around_inline_and_block_elements_stays_in_order():
    assert body("<div>a<b>b</b>c<p>d</p>e<br>f</div>g").text == "abc\nd\ne\nf\ng"


def test_nested_headings_that_say_nothing_are_looked_at_once():
    assert body("<h1><h2></h2></h1><h1> <h2>a</h2></h1><h3>b</h3>").headings == ("a", "a", "b")
    assert body("<h1>" * 100_000).headings == ()
