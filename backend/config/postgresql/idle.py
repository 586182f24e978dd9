"""Connections that wait for the next request of this process.

Every request has a thread of its own, and a thread's connection ends with it. Opening one takes longer than most
requests need for everything else.
"""

import select
import threading
import time
from collections.abc import Callable
from typing import Any

from psycopg import Connection
from psycopg.pq import TransactionStatus

LONGEST_IDLE_SECONDS = 60.0


class IdleConnections:
    """At most `most` of them, which is none until somebody wants some. The one used last is used first."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.most = 0
        self._clock = clock
        self._lock = threading.Lock()
        self._idle: list[tuple[float, Connection[Any]]] = []

    def keep(self, connection: "Connection[Any]") -> bool:
        """True when it is kept; False leaves it to the caller to close it."""
        self._drop_old()
        if connection.closed or connection.info.transaction_status != TransactionStatus.IDLE:
            return False
        with self._lock:
            if len(self._idle) >= self.most:
                return False
            self._idle.append((self._clock(), connection))
        return True

    def take(self, name: str) -> "Connection[Any] | None":
        """One to the database of that name that the server has not ended, None when there is none."""
        self._drop_old()
        while (found := self._pop()) is not None:
            if found.info.dbname == name and _is_silent(found):
                return found
            found.close()
        return None

    def _pop(self) -> "Connection[Any] | None":
        with self._lock:
            return self._idle.pop()[1] if self._idle else None

    def _drop_old(self) -> None:
        oldest = self._clock() - LONGEST_IDLE_SECONDS
        with self._lock:
            old = [connection for since, connection in self._idle if since < oldest]
            self._idle = [entry for entry in self._idle if entry[0] >= oldest]
        for connection in old:
            connection.close()


def _is_silent(connection: "Connection[Any]") -> bool:
    """A server that says something to an idle client says good-bye: no need to ask it."""
    if connection.closed:
        return False
    watch = select.poll()
    watch.register(connection.fileno(), select.POLLIN)
    return not watch.poll(0)


IDLE = IdleConnections()
