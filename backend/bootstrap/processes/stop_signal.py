"""Ctrl-C, SIGTERM and SIGHUP become a flag that is read at safe points, so that cleaning up is never interrupted."""

import signal
import time
from types import FrameType

from backend.bootstrap.errors import StoppedError

POLL_SECONDS = 0.05


class StopSignal:
    """`requested` counts the signals received: the first asks to stop, the second to hurry. `last` is the newest."""

    def __init__(self) -> None:
        self.requested = 0
        self.last: int | None = None

    def install(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._receive)

    def _receive(self, number: int, _frame: FrameType | None) -> None:
        self.last = number
        self.requested += 1

    def check(self) -> None:
        if self.requested:
            raise StoppedError

    def wait(self, seconds: float) -> bool:
        """Sleep; True as soon as somebody asked to stop."""
        deadline = time.monotonic() + seconds
        while not self.requested and (rest := deadline - time.monotonic()) > 0:
            time.sleep(min(POLL_SECONDS, rest))
        return bool(self.requested)


stop_signal = StopSignal()
