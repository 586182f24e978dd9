"""Merges beside the writer's own work."""

import threading
from collections.abc import Callable


class Merger:
    """Runs a merge again and again in a thread until nothing is worth it; the thread lives only that long.

    An error ends the run and is raised once, by the next `check`.
    """

    def __init__(self, merge: Callable[[], bool]) -> None:
        """`merge` does one merge and says whether there was one to do."""
        self._merge = merge
        self._changed = threading.Condition()
        self._is_running = False
        self._is_woken = False
        self._is_closed = False
        self._error: Exception | None = None

    def wake(self) -> None:
        """See to it that what is worth merging now is merged soon."""
        with self._changed:
            self._is_woken = self._is_running
            if self._is_running or self._is_closed:
                return
            self._is_running = True
        threading.Thread(target=self._run, name="merger").start()

    def wait(self) -> None:
        """Wait until nothing is left to merge."""
        with self._changed:
            self._changed.wait_for(lambda: not self._is_running)

    def check(self) -> None:
        """Raise what went wrong since the last time, if anything did."""
        with self._changed:
            error, self._error = self._error, None
        if error is not None:
            raise error

    def close(self) -> None:
        """Let the merge under way end and begin no other; what is left is for the next writer."""
        with self._changed:
            self._is_closed = True
        self.wait()

    def _run(self) -> None:
        while self._merges_once():
            pass

    def _merges_once(self) -> bool:
        """Merge once; False when the run is over."""
        try:
            goes_on = self._merge()
        except Exception as error:  # noqa: BLE001 - whatever it is, `check` raises it in the writer's thread
            self._error, goes_on, self._is_woken = error, False, False
        with self._changed:
            goes_on, self._is_woken = goes_on or self._is_woken, False
            if goes_on and not self._is_closed:
                return True
            self._is_running = False  # under the lock: who wakes us from now on starts a new thread
            self._changed.notify_all()
            return False
