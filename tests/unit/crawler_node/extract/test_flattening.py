"""Nothing of a page that is too deep is lost; only its depth is."""

import re

from crawler_node.extract.flattening import MAX_DEPTH, flatten


def test_a_page_that_is_not_too_deep_stays_as_it_is():
    source = b"<div><p>a<p>b<br></div><!-- <div> --><script>'<div>'</script><ul><li>1<li>2</ul></div>"
    assert flatten(source) == source


def test_elements_too_deep_follow_each_other():
    half = MAX_DEPTH // 2
    source = b"<b>" * (MAX_DEPTH + 2) + b"x" + b"</b>" * (MAX_DEPTH + 2) + b"y"
    assert flatten(source) == b"<b>" * MAX_DEPTH + b"</b>" * half + b"<b><b>x</b></b>" + b"</b>" * half + b"y"


def test_every_text_and_start_tag_is_kept_in_order():
    source = b"".join(b"<div id=%d><i>%d</i>" % (number, number) for number in range(3_000)) + b"</div>" * 3_000
    kept = re.findall(rb"<div id=\d+>|<i>|\d+(?=</i>)", flatten(source))
    assert kept == re.findall(rb"<div id=\d+>|<i>|\d+(?=</i>)", source)


def test_hostile_end_tags_cost_little():
    assert flatten(b"<div>" * 3_000 + b"</b>" * 50_000).count(b"</b>") == 50_000
