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

from crawler_node.browser.actions.chain import MAX_CHAIN_SECONDS, REPEAT_FACTOR, REPEATING, Action
from crawler_node.browser.actions.pictures import take_picture
from crawler_node.browser.actions.repeating import REPEATS, Page, StepFailed, Told, UnderWay
from crawler_node.browser.faults import is_fatal
from crawler_node.browser.page_scripts import run_async, script
from wording import say_count

_PRESENT_SECONDS = 1.0
_LOOK_SECONDS = 1.0
_HAS_INNER_PARTS = """
const elements = [...document.querySelectorAll("*")];
return elements.some((element) => element.shadowRoot || ["iframe", "frame"].includes(element.localName));
"""
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


def _nothing() -> frozenset[str]:
    return frozenset()


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


def run_chain(
    driver: Any, actions: Sequence[Action], *, onlooker: Onlooker | None = None, under_way: UnderWay = _nothing
) -> list[StepReport]:
    """Do the steps; the reports of all that were tried. Raises WebDriverException only when the browser is gone.

    All of them together take no longer than a chain may. `under_way` names what the page has asked for and not got yet.

    Texts and keys go to the page as key presses, never by the driver's own way to fill in an element: that one hands a
    field for files any file of this machine whose name is typed.
    """
    reports: list[StepReport] = []
    over = time.monotonic() + MAX_CHAIN_SECONDS
    for place, action in enumerate(actions, start=1):
        page = Page(driver, under_way, over - time.monotonic())
        report = _run_step(page, place, action)
        reports.append(report if onlooker is None else onlooker.see(driver, report))
        if report.ends_chain:
            break
    return reports


def _run_step(page: Page, place: int, action: Action) -> StepReport:
    began = time.monotonic()
    warning = ""
    try:
        told, worked = _do(page, _within(action, page.left_seconds)), True
        sentence, warning = (told, "") if isinstance(told, str) else (f"{told.sentence} {told.warning}", told.warning)
    except StepFailed as error:
        sentence, worked = str(error), False
    except WebDriverException as error:
        if is_fatal(error):
            raise
        sentence, worked = _say_fault(action, error), False
    seconds = time.monotonic() - began
    return StepReport(place, action.type, sentence, worked, action.is_optional, seconds, warning=warning)


def _do(page: Page, action: Action) -> Told:
    repeat = REPEATS.get(action.type)
    return _STEPS[action.type](page.driver, action) if repeat is None else repeat(page, action)


def _within(action: Action, seconds: float) -> Action:
    """The step with no more time than is left to its chain; raises StepFailed where that is too little to begin."""
    if action.budget_seconds <= seconds:
        return action
    if seconds <= 0 or action.type == "wait":
        told = f"All steps of a page together may take {MAX_CHAIN_SECONDS:g} s, and this one goes beyond that."
        raise StepFailed(f"{told} Wait less, or take steps out.")
    factor = REPEAT_FACTOR if action.type in REPEATING else 1.0
    return replace(action, timeout_seconds=seconds / factor)


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
    deadline = time.monotonic() + action.timeout_seconds
    _await(driver, action, "present")
    while not driver.execute_script(script("select_option"), action.text("selector"), option):
        if time.monotonic() >= deadline:
            raise StepFailed(f"{action.text('selector')} has no option “{option}”. Write it as the page shows it.")
        time.sleep(0.1)
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


_STEPS: dict[str, Callable[[Any, Action], str]] = {
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
    raise StepFailed(f"{told} within {action.timeout_seconds:g} s.{_say_inner_parts(driver)}")


def _say_inner_parts(driver: Any) -> str:
    """Where else it may be, on a page that has such places."""
    with contextlib.suppress(JavascriptException, TimeoutException, UnexpectedAlertPresentException):
        if driver.execute_script(_HAS_INNER_PARTS):
            return " Steps do not look into frames and web components, which this page has."
    return ""


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
