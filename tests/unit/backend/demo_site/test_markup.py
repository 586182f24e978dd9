from backend.demo_site.markup import Markup, escape, fill


def test_escapes_text_for_elements_and_attributes():
    assert fill('<a title="{title}">{text}</a>', title='"x"', text="<b>") == '<a title="&quot;x&quot;">&lt;b&gt;</a>'


def test_keeps_markup_and_joins_sequences():
    assert (
        fill("<ul>{items}</ul>", items=[fill("<li>{n}</li>", n=n) for n in (1, 2)]) == "<ul><li>1</li><li>2</li></ul>"
    )


def test_shows_nothing_for_none():
    assert escape(None) == Markup("")


def test_a_filled_template_is_not_escaped_again():
    assert fill("{inner}", inner=fill("<i>{text}</i>", text="&")) == "<i>&amp;</i>"
