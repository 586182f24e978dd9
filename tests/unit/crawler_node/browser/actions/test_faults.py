"""What a page does not let a step do is the step's fault, never the browser's."""

from typing import Any

import pytest
from selenium.common.exceptions import (
    InvalidSelectorException,
    JavascriptException,
    NoSuchWindowException,
    WebDriverException,
)

from crawler_node.browser.faults import is_fatal
from tests.unit.crawler_node.browser.actions.stepping import after_steps

HTML = """
<input id=fixed readonly value=old>
<input id=off disabled>
<input id=late disabled>
<p id=far style="position: fixed; top: -500px; height: 10px">far</p>
<p id=plain>plain</p>
<script>
setTimeout(() => { late.disabled = false }, 300);
plain.options = [{}];
</script>
"""
FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "read-only": (
        {"type": "type", "selector": "//input[@id='fixed']", "text": "new"},
        "//input[@id='fixed'] is read-only or switched off, so nothing can be typed into it. Choose another field.",
    ),
    "switched off": (
        {"type": "type", "selector": "//input[@id='off']", "text": "new"},
        "//input[@id='off'] is read-only or switched off, so nothing can be typed into it. Choose another field.",
    ),
    "out of view": (
        {"type": "hover", "selector": "//p[@id='far']"},
        "//p[@id='far'] does not come into view, so the pointer cannot be moved there.",
    ),
    "no select box": (
        {"type": "select_option", "selector": "//p[@id='plain']", "option": "one"},
        "The page does not let this step be done (javascript error: Cannot read properties of undefined",
    ),
    "no element": (
        {"type": "click", "selector": "//p/@id"},
        "//p/@id leads to no element. Write the path of the element itself, without @… or text() at its end.",
    ),
}


@pytest.mark.browser
async def test_a_step_that_the_page_does_not_let_be_done_fails_and_the_chain_goes_on_where_it_is_optional() -> None:
    steps = [{**step, "timeout_seconds": 0.2, "optional": True} for step, _ in FAULTS.values()]
    shown = await after_steps(HTML, [*steps, {"type": "wait_for", "selector": "//p"}])
    assert [step.worked for step in shown.steps] == [*(False for _ in FAULTS), True]
    for step, (_, sentence) in zip(shown.steps, FAULTS.values(), strict=False):
        assert step.sentence.startswith(sentence)


@pytest.mark.browser
async def test_it_ends_the_chain_where_it_is_not_optional() -> None:
    step, sentence = FAULTS["read-only"]
    shown = await after_steps(HTML, [{**step, "timeout_seconds": 0.2}, {"type": "wait", "seconds": 1}])
    assert [(step.sentence, step.ends_chain) for step in shown.steps] == [(sentence, True)]


@pytest.mark.browser
async def test_a_field_that_is_switched_on_in_time_is_typed_into() -> None:
    [step] = (await after_steps(HTML, [{"type": "type", "selector": "//input[@id='late']", "text": "new"}])).steps
    assert step.sentence == "Typed 3 characters into //input[@id='late']."


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (WebDriverException("disconnected: not connected to DevTools"), True),
        (WebDriverException("tab crashed"), True),
        (NoSuchWindowException("no such window: target window already closed"), True),
        (WebDriverException("unknown error: unhandled inspector error"), False),
        (JavascriptException("javascript error: it crashed"), False),
        (InvalidSelectorException("invalid selector: //p[.='crashed']"), False),
    ],
)
def test_a_browser_that_is_gone_is_told_from_what_a_page_says(error: WebDriverException, expected: bool) -> None:
    assert is_fatal(error) is expected
