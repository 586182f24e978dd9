"""The scripts that run inside pages, and how they are called."""

from functools import cache
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent / "scripts"
# Scripts keep time themselves; one that a page does not let go on is ended with its browser.
SCRIPT_TIMEOUT_SECONDS = 600.0


@cache
def script(name: str) -> str:
    """A script of ours by name."""
    return (_FOLDER / f"{name}.js").read_text(encoding="utf-8")


def run_async(driver: Any, name: str, *arguments: Any, seconds: float) -> Any:
    """What a script calls back with. Its last argument before the callback tells how long it may take (ms)."""
    return driver.execute_async_script(script(name), *arguments, seconds * 1000)
