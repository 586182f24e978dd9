"""Which programs of this machine make a browser, and the sentence when they are not there."""

import re
import shutil
import socket
from dataclasses import dataclass

from crawler_node.errors import BrowserMissingError

# The shell is Chromium without windows: the same engine at half the cost (docs/browser.md).
HEADLESS_PROGRAMS = ("chromium-headless-shell", "chromium")
WINDOW_PROGRAMS = ("chromium",)
DRIVER = "chromedriver"
DEBIAN_FOLDER = "/usr/lib/chromium"
NO_DISPLAY = (
    "The browser is to be shown, but there is no display here (DISPLAY is not set, or nothing answers there); "
    "it works without a window."
)
_DISPLAY = re.compile(r"(?P<host>[^:/]*|unix):(?P<number>\d{1,4})(\.\d+)?")
_DISPLAY_SECONDS = 2.0
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
            f"A browser takes {lacking}, which this machine does not have. {REMEDY}, or choose the lane “http”."
        )
    return BrowserPrograms(browser, driver)


def has_browser() -> bool:
    """Whether this machine can open pages in a browser, with a window or without."""
    try:
        find_programs()
    except BrowserMissingError:
        return False
    return True


def has_display(display: str) -> bool:
    """Whether an X server answers at what `DISPLAY` says: `:0`, `unix:1.0`, or `host:10` as over SSH."""
    found = _DISPLAY.fullmatch(display)
    if found is None:
        return False
    host, number = found["host"], int(found["number"])
    try:
        if host not in ("", "unix"):
            socket.create_connection((host, 6000 + number), timeout=_DISPLAY_SECONDS).close()
            return True
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(_DISPLAY_SECONDS)
            client.connect(f"/tmp/.X11-unix/X{number}")  # noqa: S108 - where X servers listen
            return True
    except OSError:
        return False
