"""Running a chain in a browser: one step after another, each told as a sentence, with a picture where asked for."""

import contextlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from selenium.common.exceptions import (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    InvalidElementStateException,
    InvalidSelectorException,
    JavascriptException,
    MoveTargetOutOfBoundsException,
    StaleElementReferenceException,
    TimeoutException,
    UnexpectedAlertPresentException,
    WebDriverException,
)
from selenium.webdriver import ActionChains, Keys
from selenium.webdriver.common.by import By

from crawler_node.browser.actions.chain import MAX_REPEAT_SECONDS, Action
from crawler_node.browser.actions.pictures import take_picture
from crawler_node.browser.faults import is_fatal
from crawler_node.browser.page_scripts import run_async, script
from wording import say_count

_PRESENT_SECONDS = 1.0
_PATIENCE_SECONDS = 2.0
_LOOK_SECONDS = 1.0
_KEYS = {
    "Enter": Keys.ENTER,
    "Tab": Keys.TAB,
    "Escape": Keys.ESCAPE,
    "Space": Keys.SPACE,
    "Backspace": Keys.BACKSPACE,
    "Delete": Keys.DELETE,
    "Home": Keys.HOME,
    "End": Keys.END,
    "PageUp": Keys.PAGE_UP,
    "PageDown": Keys.PAGE_DOWN,
    "ArrowUp": Keys.ARROW_UP,
    "ArrowDown": Keys.ARROW_DOWN,
    "ArrowLeft": Keys.ARROW_LEFT,
    "ArrowRight": Keys.ARROW_RIGHT,
}


class StepFailed(Exception):
    """A step could not be done; the message is the sentence."""


@dataclass(frozen=True, slots=True)
class StepReport:
    """What became of one step: a sentence without secrets, whether it worked, and for onlookers the page afterwards.

    A chain goes on after an optional step that did not work, and ends after any other. Place 0 is the opening of the
    page itself. `warning`, part of the sentence, says that a step was cut off before its end and what to do about it.
    `picture` is a JPEG.
    """

    place: int
    type: str
    sentence: str
    worked: bool
    is_optional: bool
    seconds: float
    picture: bytes = b""
    warning: str = ""

    @property
    def ends_chain(self) -> bool:
        """Whether nothing after it was tried."""
        return not self.worked and not self.is_optional


@dataclass(frozen=True, slots=True)
class Onlooker:
    """Somebody who watches a chain: told of every step as it is done, with a picture.

    What the fields under the XPaths of `hidden` hold cannot be read in pictures.
    """

    tell: Callable[[StepReport], None]
    hidden: tuple[str, ...] = ()

    def see(self, driver: Any, report: StepReport) -> StepReport:
        """Show a step; the report with its picture."""
        seen = replace(report, picture=take_picture(driver, hidden=self.hidden))
        self.tell(seen)
        return seen


def run_chain(driver: Any, actions: Sequence[Action], *, onlooker: Onlooker | None = None) -> list[StepReport]:
    """Do the steps; the reports of all that were tried. Raises WebDriverException only when the browser is gone.

    Texts and keys go to the page as key presses, never by the driver's own way to fill in an element: that one hands a
    field for files any file of this machine whose name is typed.
    """
    reports: list[StepReport] = []
    for place, action in enumerate(actions, start=1):
        report = _run_step(driver, place, action)
        reports.append(report if onlooker is None else onlooker.see(driver, report))
        if report.ends_chain:
            break
    return reports


def _run_step(driver: Any, place: int, action: Action) -> StepReport:
    began = time.monotonic()
    warning = ""
    try:
        told, worked = _STEPS[action.type](driver, action), True
        sentence, warning = (told, "") if isinstance(told, str) else (f"{told.sentence} {told.warning}", told.warning)
    except StepFailed as error:
        sentence, worked = str(error), False
    except WebDriverException as error:
        if is_fatal(error):
            raise
        sentence, worked = _say_fault(action, error), False
    seconds = time.monotonic() - began
    return StepReport(place, action.type, sentence, worked, action.is_optional, seconds, warning=warning)


@dataclass(frozen=True, slots=True)
class _CutOff:
    """A step that worked, but not to its end: a sentence of what it did, and one of what to do about it."""

    sentence: str
    warning: str


_Told = str | _CutOff

# --- single steps: each returns what to tell, or raises StepFailed


def _click(driver: Any, action: Action) -> str:
    _on_element(driver, action, _press_mouse(driver))
    return f"Clicked {action.text('selector')}."


def _click_if_present(driver: Any, action: Action) -> str:
    if not _wait_until(driver, action, "shown", seconds=min(_PRESENT_SECONDS, action.timeout_seconds)):
        return f"There was no {action.text('selector')} to click."
    return _click(driver, action)


def _type(driver: Any, action: Action) -> str:
    text = action.text("text") + (Keys.ENTER if action.parameters.get("submit") else "")

    def fill(element: Any) -> None:
        if driver.execute_script("return arguments[0].type === 'file'", element):
            raise _takes_files(action)
        element.clear()
        _press_on(driver, action, element, text)

    _on_element(driver, action, fill)
    return f"Typed {say_count(len(action.text('text')), 'character')} into {action.text('selector')}."


def _press_key(driver: Any, action: Action) -> str:
    key = _KEYS.get(action.text("key"), action.text("key"))
    if action.text("selector"):
        _on_element(driver, action, lambda element: _press_on(driver, action, element, key))
    else:
        ActionChains(driver, duration=0).send_keys(key).perform()
    return f"Pressed {action.text('key')}."


def _select_option(driver: Any, action: Action) -> str:
    option = action.text("option")
    _await(driver, action, "present")
    if not driver.execute_script(script("select_option"), action.text("selector"), option):
        raise StepFailed(f"{action.text('selector')} has no option “{option}”. Write it as the page shows it.")
    return f"Chose “{option}” in {action.text('selector')}."


def _hover(driver: Any, action: Action) -> str:
    def move(element: Any) -> None:
        driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        ActionChains(driver, duration=0).move_to_element(element).perform()

    _on_element(driver, action, move)
    return f"Moved the pointer to {action.text('selector')}."


def _wait(driver: Any, action: Action) -> str:
    """A driver that has been ended meanwhile ends the waiting."""
    seconds = float(action.parameters["seconds"])
    over = time.monotonic() + seconds
    while (left := over - time.monotonic()) > 0:
        time.sleep(min(left, _LOOK_SECONDS))
        driver.execute("getTimeouts")  # asks the driver, not the page
    return f"Waited {seconds:g} s."


def _wait_for(driver: Any, action: Action) -> str:
    _await(driver, action, "present")
    return f"{action.text('selector')} came."


def _wait_for_text(driver: Any, action: Action) -> str:
    _await(driver, action, "text")
    return f"“{action.text('text')}” came."


def _wait_until_gone(driver: Any, action: Action) -> str:
    _await(driver, action, "gone")
    return f"{action.text('selector')} went away."


def _scroll(driver: Any, action: Action) -> str:
    times, direction = int(action.parameters.get("times") or 1), action.text("direction") or "down"
    _repeat(driver, action, "scroll", times, direction)
    return f"Scrolled {direction} {say_count(times, 'time')}."


def _scroll_to_end(driver: Any, action: Action) -> _Told:
    limit = int(action.parameters.get("max_times") or 100)
    return _until_nothing_new(action, "Scrolled to the end", _repeat(driver, action, "scroll_to_end", limit))


def _load_more(driver: Any, action: Action) -> _Told:
    limit = int(action.parameters.get("max_times") or 100)
    found = _repeat(driver, action, "load_more", limit, action.text("selector"))
    return _until_nothing_new(action, f"Clicked {action.text('selector')}", found)


def _until_nothing_new(action: Action, done: str, found: tuple[int, str] | None) -> _Told:
    """What a step says that goes on until nothing new comes; `found` is how often it was done and why no more."""
    if found is None:
        return f"{done} until the page broke it off; what it shows now is taken."
    times, why = found
    told = f"{done} {say_count(times, 'time')}"
    if why == "time":
        return _CutOff(f"{told}.", f"It was stopped after {action.budget_seconds:g} s. {_say_more_time(action)}")
    if why == "limit":
        cause = f"It was stopped after {say_count(times, 'time')}"
        return _CutOff(f"{told}.", f"{cause}. There may be more: let the step do it more often (“max_times”).")
    return f"{told}, until nothing new came."


def _say_more_time(action: Action) -> str:
    if action.budget_seconds < MAX_REPEAT_SECONDS:
        return "There may be more: give the step more patience (“timeout_seconds”)."
    return "There may be more, but no step may take longer: crawl pages that show less at once."


def _dismiss_overlays(driver: Any, action: Action) -> str:
    closed = _repeat(driver, action, "dismiss_overlays", 6) or 0
    return f"Closed {say_count(closed, 'overlay')}." if closed else "There was no overlay to close."


_STEPS: dict[str, Callable[[Any, Action], _Told]] = {
    "click": _click,
    "click_if_present": _click_if_present,
    "type": _type,
    "press_key": _press_key,
    "select_option": _select_option,
    "hover": _hover,
    "wait": _wait,
    "wait_for": _wait_for,
    "wait_for_text": _wait_for_text,
    "wait_until_gone": _wait_until_gone,
    "scroll": _scroll,
    "scroll_to_end": _scroll_to_end,
    "load_more": _load_more,
    "dismiss_overlays": _dismiss_overlays,
}


# --- what steps are made of

# What a page may get over while a step waits.
_PASSING = (
    ElementClickInterceptedException,
    InvalidElementStateException,
    MoveTargetOutOfBoundsException,
    StaleElementReferenceException,
)


def _say_fault(action: Action, error: WebDriverException) -> str:
    """Why a step could not be done, without what it types."""
    where = action.text("selector") or "The page"
    match error:
        case ElementNotInteractableException() | ElementClickInterceptedException() | StaleElementReferenceException():
            return f"{where} is there, but cannot be used: it is hidden or covered."
        case InvalidElementStateException():
            return f"{where} is read-only or switched off, so nothing can be typed into it. Choose another field."
        case MoveTargetOutOfBoundsException():
            return f"{where} does not come into view, so the pointer cannot be moved there."
        case InvalidSelectorException():
            return (
                f"{where} leads to no element. Write the path of the element itself, without @… or text() at its end."
            )
    told = str(error.msg or "").partition("\n")[0][:200]
    secret = action.text("text")
    is_telling = told and not (secret and secret in told)
    return f"The page does not let this step be done ({told if is_telling else type(error).__name__})."


def _on_element(driver: Any, action: Action, work: Callable[[Any], None]) -> None:
    """Do something with the element as soon as it is there and lets itself be used."""
    deadline = time.monotonic() + action.timeout_seconds
    _await(driver, action, "present")
    fault: WebDriverException = ElementNotInteractableException()
    while True:
        try:
            found = driver.find_elements(By.XPATH, action.text("selector"))
            if found:
                work(next((element for element in found if element.is_displayed()), found[0]))
                return
        except _PASSING as error:
            fault = error
        if time.monotonic() >= deadline:
            raise StepFailed(_say_fault(action, fault))
        time.sleep(0.1)


def _press_on(driver: Any, action: Action, element: Any, keys: str) -> None:
    """Press keys one after another while the element has the keyboard."""
    match driver.execute_script(script("focus_field"), element):
        case "files":
            raise _takes_files(action)
        case "nothing":
            raise ElementNotInteractableException()
    ActionChains(driver, duration=0).send_keys(keys).perform()


def _takes_files(action: Action) -> StepFailed:
    told = f"{action.text('selector')} takes files, and a step gives no page a file of this machine."
    return StepFailed(f"{told} Choose a field for text, or take the step out.")


def _press_mouse(driver: Any) -> Callable[[Any], None]:
    def click(element: Any) -> None:
        try:
            element.click()
        except ElementClickInterceptedException:
            driver.execute_script("arguments[0].click()", element)  # something lies above it; people would hit it too

    return click


def _await(driver: Any, action: Action, what: str) -> None:
    if _wait_until(driver, action, what, seconds=action.timeout_seconds):
        return
    target = f"“{action.text('text')}”" if what == "text" else action.text("selector")
    told = f"{target} did not go away" if what == "gone" else f"Nothing on the page matches {target}"
    raise StepFailed(f"{told} within {action.timeout_seconds:g} s.")


def _wait_until(driver: Any, action: Action, what: str, *, seconds: float) -> bool:
    """Whether it came true in time; a page that goes elsewhere meanwhile is asked again."""
    deadline = time.monotonic() + seconds
    wanted = action.text("text" if what == "text" else "selector")
    while True:
        left = max(deadline - time.monotonic(), 0.0)
        with contextlib.suppress(JavascriptException, TimeoutException, UnexpectedAlertPresentException):
            if run_async(driver, "wait_until", what, wanted, seconds=left):
                return True
        if time.monotonic() >= deadline:
            return False
        time.sleep(0.05)


def _repeat(driver: Any, action: Action, name: str, *arguments: Any) -> Any:
    """Let the page repeat something by itself; what its script calls back with.

    None when the page broke it off: it went elsewhere, or opened a dialog.
    """
    began = time.monotonic()
    patience = min(_PATIENCE_SECONDS, action.timeout_seconds) * 1000
    try:
        return run_async(driver, name, patience, *arguments, seconds=action.budget_seconds)
    except (JavascriptException, UnexpectedAlertPresentException):
        return None  # what it shows now is taken
    except TimeoutException:
        if time.monotonic() - began < action.budget_seconds:
            return None  # the driver says so too of a page that went elsewhere
        raise StepFailed(f"It was not over after {action.budget_seconds:g} s.") from None
    except WebDriverException as error:
        if "unload" in str(error.msg):
            return None
        raise
