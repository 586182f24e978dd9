"""Steps that wait for something tell what can be seen from what is only there."""

import pytest

from tests.unit.crawler_node.browser.actions.stepping import after_steps

pytestmark = pytest.mark.browser
HIDDEN = {"not laid out": "display: none", "invisible": "visibility: hidden"}


@pytest.mark.parametrize("style", HIDDEN.values(), ids=HIDDEN)
async def test_a_banner_that_nobody_sees_is_not_there_to_be_clicked(style: str) -> None:
    step = {"type": "click_if_present", "selector": "//button"}
    [found] = (await after_steps(f"<h1>a</h1><div style='{style}'><button>Accept</button></div>", [step])).steps
    assert (found.sentence, found.worked) == ("There was no //button to click.", True)


async def test_the_one_of_several_that_can_be_seen_is_clicked() -> None:
    html = "<button hidden>Accept</button><button onclick=\"this.id = 'clicked'\">Accept</button>"
    rendering = await after_steps(html, [{"type": "click_if_present", "selector": "//button"}])
    assert '<button onclick="this.id = \'clicked\'" id="clicked">' in rendering.html


@pytest.mark.parametrize("style", HIDDEN.values(), ids=HIDDEN)
async def test_what_is_hidden_has_gone(style: str) -> None:
    hiding = f"<script>setTimeout(() => {{ one.style = '{style}' }}, 300)</script>"
    html = f"<i id=one>Loading</i><i style='{style}'>Loading</i>{hiding}"
    [found] = (await after_steps(html, [{"type": "wait_until_gone", "selector": "//i"}])).steps
    assert (found.sentence, found.worked) == ("//i went away.", True)


@pytest.mark.parametrize(
    "path", ["count(//li) > 2", "count(//li[3])", "string(//li[3])", "//li[3]/text()", "//li[3]/@id"]
)
async def test_a_path_that_counts_compares_or_reads_is_waited_for(path: str) -> None:
    html = "<ul id=u><li>1<li>2</ul><script>setTimeout(() => { u.innerHTML += '<li id=c>3' }, 300)</script>"
    [found] = (await after_steps(html, [{"type": "wait_for", "selector": path}])).steps
    assert (found.sentence, found.worked) == (f"{path} came.", True)


async def test_an_option_that_comes_in_time_is_chosen() -> None:
    html = "<select id=s></select><script>setTimeout(() => { s.innerHTML = '<option>Blue' }, 400)</script>"
    [found] = (await after_steps(html, [{"type": "select_option", "selector": "//select", "option": "Blue"}])).steps
    assert (found.sentence, found.worked) == ("Chose “Blue” in //select.", True)


@pytest.mark.parametrize(
    "html", ["<iframe srcdoc='<b>x</b>'></iframe>", "<p id=p></p><script>p.attachShadow({mode: 'open'})</script>"]
)
async def test_a_step_that_finds_nothing_says_where_steps_do_not_look(html: str) -> None:
    [found] = (await after_steps(html, [{"type": "click", "selector": "//b", "timeout_seconds": 0.3}])).steps
    told = "Nothing on the page matches //b within 0.3 s."
    assert found.sentence == f"{told} Steps do not look into frames and web components, which this page has."
