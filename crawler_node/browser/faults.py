"""What the driver says, told apart: faults of a browser, after which it is over with it, and faults of a page."""

from selenium.common.exceptions import (
    ElementClickInterceptedException,
    InvalidElementStateException,
    InvalidSelectorException,
    JavascriptException,
    MoveTargetOutOfBoundsException,
    StaleElementReferenceException,
    WebDriverException,
)

# The driver says these of a browser, not of a page.
_FATAL = (
    "disconnected",
    "not reachable",
    "crashed",
    "invalid session id",
    "no such window",
    "cannot determine loading",
)
# What these say is taken from the page, which may write what it likes.
_OF_THE_PAGE = (
    ElementClickInterceptedException,
    InvalidElementStateException,
    InvalidSelectorException,
    JavascriptException,
    MoveTargetOutOfBoundsException,
    StaleElementReferenceException,
)


def is_fatal(error: WebDriverException) -> bool:
    """Whether the browser is gone or of no use any more."""
    return not isinstance(error, _OF_THE_PAGE) and any(word in str(error.msg) for word in _FATAL)
