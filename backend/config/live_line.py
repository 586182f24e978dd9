"""One line of progress: it renews itself on a terminal; elsewhere a line every few seconds."""

import os
import time
from typing import Any

LINE_EVERY_SECONDS = 5.0


class LiveLine:
    """`out` is where a command writes."""

    def __init__(self, out: Any) -> None:
        self._out = out
        self._is_terminal = out.isatty()
        self._last = 0.0

    def say(self, text: str) -> None:
        if self._is_terminal:
            self._out.write(f"\r\x1b[K{self._fitting(text)}", ending="")
            self._out.flush()
        elif time.monotonic() - self._last >= LINE_EVERY_SECONDS:
            self._last = time.monotonic()
            self._out.write(text)

    def _fitting(self, text: str) -> str:
        """No longer than the terminal is wide: of a line that wraps, only the last row would be renewed."""
        try:
            columns = os.get_terminal_size(self._out.fileno()).columns
        except (OSError, ValueError):
            return text
        return text if len(text) < columns or columns < 2 else f"{text[: columns - 2]}…"

    def close(self) -> None:
        if self._is_terminal:
            self._out.write("")
