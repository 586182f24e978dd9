"""Text is what a reader sees."""

import pytest
from lxml import html

from crawler_node.extract.text import normalize_space, visible_text


@pytest.mark.parametrize(
    ("source", "seen"),
    [
        ("<p>  a \n\t b&nbsp;&nbsp;c&#8239;d&#12288;e </p>", "a b c d e"),
        ("<p>a<b>b</b>c</p>", "abc"),
        ("<div>a<p>b</p>c<br>d</div>", "a b c d"),
        ("<tr><td>a</td><td>b</td></tr>", "a b"),
        ("<div>a<script>x()</script><style>y</style><noscript>n</noscript>b</div>", "ab"),
        ("<div>a <select><option>1<option>2</select> b</div>", "a b"),
        ("<div>a<span hidden>h</span><span style='color:red; display : none'>h</span>b</div>", "ab"),
        ("<div>a<span style='visibility:hidden'>h<b>i</b></span> b</div>", "a b"),
        ("<div>a<template><p>t</p></template><iframe>f</iframe>b</div>", "ab"),
        ("<p>Cart <svg><title>Cart</title><desc>Created with Sketch.</desc><text>3</text></svg></p>", "Cart 3"),
        ("<p>a<svg><metadata><dc:format>image/svg+xml</dc:format></metadata></svg></p>", "a"),
        ("<div>a <span style='-webkit-backface-visibility: hidden; --display:none'>turns</span></div>", "a turns"),
        ("<svg><text>Jan</text><text>F<tspan>eb</tspan></text></svg>", "Jan Feb"),
        ("<p>a <math><mi>x</mi><annotation encoding='tex'>{x}</annotation></math></p>", "a x"),
        ("<p>soft&shy;hyphen zero&#8203;width &#8206;mark</p>", "softhyphen zerowidth mark"),
        ("<p>&#8203;</p>", ""),
        ("<p>emoji 👩&#8205;🚀 stays</p>", "emoji 👩\u200d🚀 stays"),
        ("<div><div><div>deep</div> er</div> est</div>", "deep er est"),
        ("<script>var a = 1;</script>", "var a = 1;"),
        ("<option>chosen <b>one</b></option>", "chosen one"),
        ("<div>a<div hidden><p>b</p></div><p>c</p></div>", "a c"),
        ("<p>tail<i></i> kept</p>", "tail kept"),
    ],
)
def test_text_as_a_reader_sees_it(source, seen):
    assert visible_text(html.fragment_fromstring(source)) == seen


def test_hidden_elements_asked_for_themselves_speak():
    assert visible_text(html.fragment_fromstring("<p hidden>a<b>b</b></p>")) == "ab"


def test_control_characters_are_gone():
    assert normalize_space("a\x01b\x7f \x00c") == "ab c"
