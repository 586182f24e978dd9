"""How long a query may take."""

import time

from backend.search_engine.compilation import loading_seconds
from backend.search_engine.errors import DeadlineExceededError


class Deadline:
    """A moment after which `check` raises. A kernel in between takes milliseconds, so answers are late by no more.

    Loading kernels is not the question's fault: a process that has just started answers all the same.
    """

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._end = None if seconds is None else time.monotonic() + seconds
        self._loading = loading_seconds()

    def check(self) -> None:
        """Raise DeadlineExceededError when the time is up."""
        if self._end is not None and time.monotonic() > self._end + loading_seconds() - self._loading:
            raise DeadlineExceededError(
                f"The search took longer than {self._seconds:g} s and was stopped. Use fewer or rarer words."
            )
