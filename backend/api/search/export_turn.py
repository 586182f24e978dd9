"""One export of results at a time: each reads every hit, so several at once would take the searches' time.

The public has a turn of its own, so that nobody without an account can keep members from theirs.
"""

import threading
import time
from collections.abc import Callable, Iterator
from typing import Final

from rest_framework.exceptions import Throttled

IDLE_SECONDS: Final = 30.0
"""An export whose reader takes nothing for so long no longer holds up others; it may go on later."""
TURN_SECONDS: Final = 120.0
"""Nor does one that takes longer than this in all, however steadily its reader takes a little."""
RETRY_AFTER_SECONDS: Final = 5
BUSY: Final = "Another result is being exported just now. Try again in a few seconds."


class ExportBusy(Throttled):
    default_code = "busy"
    sentence = BUSY


class ExportTurn:
    """Whose turn it is in this process."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._holder: object | None = None
        self._taken_at = self._used_at = 0.0

    def take(self) -> object:
        """A mark of the turn; ExportBusy while somebody else has it."""
        with self._lock:
            now = self._clock()
            is_used = now - self._used_at < IDLE_SECONDS and now - self._taken_at < TURN_SECONDS
            if self._holder is not None and is_used:
                raise ExportBusy(RETRY_AFTER_SECONDS)
            self._holder, self._taken_at, self._used_at = object(), now, now
            return self._holder

    def use(self, mark: object) -> None:
        """Its holder goes on."""
        with self._lock:
            if self._holder is mark:
                self._used_at = self._clock()

    def give_back(self, mark: object) -> None:
        """It is the next one's turn; nothing when it is already."""
        with self._lock:
            if self._holder is mark:
                self._holder = None


class InTurn:
    """What is sent while a turn lasts: the turn ends with it, however it ends."""

    def __init__(self, bites: Iterator[bytes], turn: ExportTurn, mark: object) -> None:
        self._bites = bites
        self._turn = turn
        self._mark = mark

    def __iter__(self) -> "InTurn":
        return self

    def __next__(self) -> bytes:
        self._turn.use(self._mark)
        try:
            return next(self._bites)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Django calls this when the answer is sent or nobody reads it any more."""
        self._turn.give_back(self._mark)


EXPORT_TURN: Final = ExportTurn()
"""That of members, in this process."""
PUBLIC_EXPORT_TURN: Final = ExportTurn()
"""That of everybody else."""
