"""Jobs whose rows somebody holds and does not let go: a worker that stands still in the middle of a transaction."""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import OperationalError, connection, transaction
from psycopg.errors import LockNotAvailable

from crawler_node.errors import StoreError

log = logging.getLogger(__name__)
PATIENCE_MS = 1500
REST_SECONDS = 2.0


class HeldJobs:
    """Remembers them for a moment, so that a head with many workers to bury waits once for each job, not for each."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._rests_until: dict[int, float] = {}

    @contextmanager
    def unless_held(self, job_id: int) -> Iterator[bool]:
        """A transaction that is given up, and undone, where it would wait for long; False inside it: do nothing now."""
        if self._clock() < self._rests_until.get(job_id, 0.0):
            yield False
            return
        self._rests_until.pop(job_id, None)
        try:
            with transaction.atomic():
                _limit_wait()
                yield True
        except (OperationalError, StoreError) as error:
            if not _is_lock(error):
                raise
            log.warning("Somebody holds the rows of job %s; trying again.", job_id)
            self._rests_until[job_id] = self._clock() + REST_SECONDS


def _limit_wait() -> None:
    """Of this transaction; a file, as SQLite has it, is locked as a whole and has a limit of its own."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL lock_timeout = {PATIENCE_MS}")


def _is_lock(error: BaseException | None) -> bool:
    while error is not None and not isinstance(error, LockNotAvailable):
        error = error.__cause__
    return error is not None
