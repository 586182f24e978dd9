"""The actions of a kind, done by Playwright: the tests' own way, to see that the pages keep their word."""

from collections.abc import Callable, Mapping

from playwright.sync_api import Page

PATIENCE_MS = 120_000
FLATTEN = """() => {
  const copy = (node) => {
    if (node.nodeType !== Node.ELEMENT_NODE) return node.cloneNode(false);
    const made = node.cloneNode(false);
    const inner = node.tagName === "IFRAME" ? [node.contentDocument.documentElement]
      : [...(node.shadowRoot ? node.shadowRoot.childNodes : []), ...node.childNodes];
    const place = node.tagName === "IFRAME" ? document.createElement("div") : made;
    place.append(...inner.map(copy));
    return place;
  };
  return copy(document.documentElement).outerHTML;
}"""

GREW_OR_ENDED = """(height) => document.documentElement.scrollHeight > height
  || document.querySelector("#end").textContent !== "Loading…" """
IS_ENABLED_OR_GONE = """(path) => {
  const found = document.evaluate(path, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE).singleNodeValue;
  return !found || !found.disabled;
}"""


def run_chain(page: Page, actions: tuple[Mapping[str, str | int | float], ...]) -> None:
    """Do one action after another."""
    for action in actions:
        run_action(page, **action)


def run_action(page: Page, type: str, **options: str | float) -> None:
    """Do one action; KeyError for a type that is not there."""
    ACTIONS[type](page, f"xpath={options.pop('selector', '')}", **options)


def wait_for_text(page: Page, selector: str, text: str) -> None:
    page.get_by_text(text).first.wait_for(timeout=PATIENCE_MS)


def scroll(page: Page, selector: str, times: int, direction: str) -> None:
    """Turn the wheel, a little less than a screen each time."""
    for _ in range(times):
        page.mouse.wheel(0, 700 if direction == "down" else -700)
        page.wait_for_timeout(150)


def scroll_to_end(page: Page, selector: str, max_times: int) -> None:
    """Scroll down until the page says that it is at its end."""
    for _ in range(max_times):
        height = page.evaluate("document.documentElement.scrollHeight")
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        page.wait_for_function(GREW_OR_ENDED, arg=height, timeout=PATIENCE_MS)
        if page.locator("#end").inner_text() == "That was all.":
            return


def load_more(page: Page, selector: str, max_times: int) -> None:
    """Click until there is nothing left to click."""
    for _ in range(max_times):
        page.wait_for_function(IS_ENABLED_OR_GONE, arg=selector.removeprefix("xpath="), timeout=PATIENCE_MS)
        if page.locator(selector).count() == 0:
            return
        page.locator(selector).first.click(timeout=PATIENCE_MS)
    page.locator(selector).wait_for(state="detached", timeout=PATIENCE_MS)


ACTIONS: dict[str, Callable[..., None]] = {
    "click": lambda page, selector: page.click(selector, timeout=PATIENCE_MS),
    "hover": lambda page, selector: page.hover(selector, timeout=PATIENCE_MS),
    "type": lambda page, selector, text: page.fill(selector, text),
    "press_key": lambda page, selector, key: page.press(selector, key),
    "select_option": lambda page, selector, option: page.select_option(selector, label=option),
    "wait": lambda page, selector, seconds: page.wait_for_timeout(seconds * 1000),
    "wait_for": lambda page, selector: page.wait_for_selector(selector, state="attached", timeout=PATIENCE_MS),
    "wait_for_text": wait_for_text,
    "wait_until_gone": lambda page, selector: page.wait_for_selector(selector, state="detached", timeout=PATIENCE_MS),
    "scroll": scroll,
    "scroll_to_end": scroll_to_end,
    "load_more": load_more,
    "dismiss_overlays": lambda page, selector: page.get_by_role("dialog").get_by_role("button").first.click(),
}
