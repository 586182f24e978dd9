"""Which programs of this machine make a browser, and the sentence when they are not there."""

import shutil
from dataclasses import dataclass

from crawler_node.errors import BrowserMissingError

# The shell is Chromium without windows: the same engine at half the cost (docs/browser.md).
HEADLESS_PROGRAMS = ("chromium-headless-shell", "chromium")
WINDOW_PROGRAMS = ("chromium",)
DRIVER = "chromedriver"
DEBIAN_FOLDER = "/usr/lib/chromium"
NO_DISPLAY = "The browser is to be shown, but this machine has no display; it works without a window."
REMEDY = "Type: apt-get install chromium chromium-driver chromium-headless-shell"


@dataclass(frozen=True, slots=True)
class BrowserPrograms:
    """Paths of a Chromium and of the chromedriver that speaks to it."""

    browser: str
    driver: str


def _find(name: str) -> str | None:
    """The program itself where it is Debian's: the script on the PATH adds flags and outlives its killer."""
    if shutil.which(name) is None:
        return None
    return shutil.which(name, path=DEBIAN_FOLDER) or shutil.which(name)


def find_programs(*, with_window: bool = False) -> BrowserPrograms:
    """The programs to use; raises BrowserMissingError, which says what to install."""
    names = WINDOW_PROGRAMS if with_window else HEADLESS_PROGRAMS
    browser = next(filter(None, map(_find, names)), None)
    driver = shutil.which(DRIVER)
    if browser is None or driver is None:
        lacking = " and ".join(
            name for name, found in (("chromium", browser), ("chromium-driver", driver)) if found is None
        )
        raise BrowserMissingError(
            f"The lane “browser” needs {lacking}, which this machine does not have. {REMEDY}, "
            "or choose the lane “http”."
        )
    return BrowserPrograms(browser, driver)
