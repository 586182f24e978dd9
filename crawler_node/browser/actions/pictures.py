"""Small pictures of what a browser shows, for people who want to see what a chain did."""

import base64
import contextlib
from collections.abc import Sequence
from typing import Any

from selenium.common.exceptions import JavascriptException, TimeoutException, UnexpectedAlertPresentException

from crawler_node.browser.page_scripts import run_async

_SCALE = 0.5
_QUALITY = 60
# How long a page may take to paint what a step has changed.
_PAINT_SECONDS = 1.0
_MAX_BYTES = 500_000


def take_picture(driver: Any, *, hidden: Sequence[str] = ()) -> bytes:
    """The visible part of the page as a JPEG of half its size; nothing where the page does not let itself be seen.

    What fields under the XPaths of `hidden` hold is shown as dots, now and later.
    """
    with contextlib.suppress(JavascriptException, TimeoutException, UnexpectedAlertPresentException):
        run_async(driver, "paint", list(hidden), seconds=_PAINT_SECONDS)
        picture = base64.b64decode(_command(driver, "Page.captureScreenshot", **_form(driver))["data"])
        return picture if len(picture) <= _MAX_BYTES else b""
    return b""


def _form(driver: Any) -> dict[str, Any]:
    seen = _command(driver, "Page.getLayoutMetrics")["cssVisualViewport"]
    clip = {"x": seen["pageX"], "y": seen["pageY"], "width": seen["clientWidth"], "height": seen["clientHeight"]}
    return {"format": "jpeg", "quality": _QUALITY, "clip": {**clip, "scale": _SCALE}}


def _command(driver: Any, name: str, **parameters: Any) -> Any:
    return driver.execute("executeCdpCommand", {"cmd": name, "params": parameters})["value"]
