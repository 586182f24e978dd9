"""Steps that a page's own script repeats: scrolling, loading more, closing overlays, until nothing new comes."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from selenium.common.exceptions import (
    JavascriptException,
    TimeoutException,
    UnexpectedAlertPresentException,
    WebDriverException,
)

from crawler_node.browser.actions.chain import MAX_REPEAT_SECONDS, Action
from crawler_node.browser.page_scripts import run_async
from wording import say_count

_PATIENCE_SECONDS = 2.0
_LOOK_SECONDS = 0.2
UnderWay = Callable[[], frozenset[str]]


class StepFailed(Exception):
    """A step could not be done; the message is the sentence."""


@dataclass(frozen=True, slots=True)
class Page:
    """What a step is done on: the driver of its browser, what the page still waits for, and the time left to all."""

    driver: Any
    under_way: UnderWay
    left_seconds: float


@dataclass(frozen=True, slots=True)
class CutOff:
    """A step that worked, but not to its end: a sentence of what it did, and one of what to do about it."""

    sentence: str
    warning: str


Told = str | CutOff
# How often something was done, and why no more: "end", "limit" or "time".
_Found = tuple[int, str]


def _scroll(page: Page, action: Action) -> Told:
    times, direction = int(action.parameters.get("times") or 1), action.text("direction") or "down"
    found = _repeat(page, action, "scroll", times, direction, seconds=action.budget_seconds)
    if found is not None and found[1] == "time":
        return _stopped(action, f"Scrolled {direction} {say_count(found[0], 'time')}")
    return f"Scrolled {direction} {say_count(times, 'time')}."


def _scroll_to_end(page: Page, action: Action) -> Told:
    """Its script scrolls once in any case."""
    return _until_nothing_new(action, "Scrolled to the end", _go_on(page, action, "scroll_to_end", fruitless=1))


def _load_more(page: Page, action: Action) -> Told:
    selector = action.text("selector")
    found = _go_on(page, action, "load_more", selector, fruitless=0)
    if found is not None and found == (0, "end"):
        hint = "Check its path if there should be more to load; otherwise all is well."
        return CutOff(f"Clicked {selector} 0 times.", f"Nothing that can be clicked matches {selector}. {hint}")
    return _until_nothing_new(action, f"Clicked {selector}", found)


def _dismiss_overlays(page: Page, action: Action) -> str:
    closed = _repeat(page, action, "dismiss_overlays", 6, seconds=action.budget_seconds) or 0
    return f"Closed {say_count(closed, 'overlay')}." if closed else "There was no overlay to close."


REPEATS: Mapping[str, Callable[[Page, Action], Told]] = {
    "scroll": _scroll,
    "scroll_to_end": _scroll_to_end,
    "load_more": _load_more,
    "dismiss_overlays": _dismiss_overlays,
}


def _until_nothing_new(action: Action, done: str, found: _Found | None) -> Told:
    """What a step says that goes on until nothing new comes."""
    if found is None:
        return f"{done} until the page broke it off; what it shows now is taken."
    times, why = found
    told = f"{done} {say_count(times, 'time')}"
    if why == "time":
        return _stopped(action, told)
    if why == "limit":
        cause = f"It was stopped after {say_count(times, 'time')}"
        return CutOff(f"{told}.", f"{cause}. There may be more: let the step do it more often (“max_times”).")
    return f"{told}, until nothing new came."


def _stopped(action: Action, told: str) -> CutOff:
    return CutOff(f"{told}.", f"It was stopped after {action.budget_seconds:g} s. {_say_more_time(action)}")


def _say_more_time(action: Action) -> str:
    if action.budget_seconds < MAX_REPEAT_SECONDS:
        return "There may be more: give the step more patience (“timeout_seconds”)."
    return "There may be more, but no step may take longer: crawl pages that show less at once."


def _go_on(page: Page, action: Action, name: str, *arguments: Any, fruitless: int) -> _Found | None:
    """Repeat something until nothing new comes, nor is on its way: a slow site is waited for, then it is tried again.

    A try that was done no more than `fruitless` times brought nothing.
    """
    over, before = time.monotonic() + action.budget_seconds, page.under_way()
    document = _document_in(page.driver)
    limit, done, why = int(action.parameters.get("max_times") or 100), 0, "end"
    while (left := over - time.monotonic()) > 0:
        found = _repeat(page, action, name, limit - done, *arguments, seconds=left)
        if found is None or _document_in(page.driver) != document:
            return None
        times, why = found
        is_first, done = done == 0, done + times
        if why != "end" or done >= limit or not (is_first or times > fruitless):
            break
        if not _awaited(page, before, until=min(over, time.monotonic() + action.timeout_seconds)):
            break
    return done, why


def _document_in(driver: Any) -> float | None:
    """What tells this document from another one, None where a dialog or a way elsewhere stands before it.

    A driver whose page goes elsewhere may begin a script again there: what that found is not what was asked for.
    """
    try:
        return float(driver.execute_script("return performance.timeOrigin"))
    except (WebDriverException, TypeError):
        return None


def _awaited(page: Page, before: frozenset[str], *, until: float) -> bool:
    """Whether something that the step brought about was on its way, and has come by then."""
    wanted = page.under_way() - before
    left = wanted
    while left and time.monotonic() < until:
        time.sleep(_LOOK_SECONDS)
        left = wanted & page.under_way()
    return bool(wanted) and not left


def _repeat(page: Page, action: Action, name: str, *arguments: Any, seconds: float) -> Any:
    """Let the page repeat something by itself; what its script calls back with.

    None when the page broke it off: it went elsewhere, or opened a dialog.
    """
    began = time.monotonic()
    patience = min(_PATIENCE_SECONDS, action.timeout_seconds) * 1000
    try:
        found = run_async(page.driver, name, patience, *arguments, seconds=seconds)
        return tuple(found) if isinstance(found, list) else found
    except (JavascriptException, UnexpectedAlertPresentException):
        return None  # what it shows now is taken
    except TimeoutException:
        if time.monotonic() - began < seconds:
            return None  # the driver says so too of a page that went elsewhere
        raise StepFailed(f"It was not over after {action.budget_seconds:g} s.") from None
    except WebDriverException as error:
        if "unload" in str(error.msg):
            return None
        raise
