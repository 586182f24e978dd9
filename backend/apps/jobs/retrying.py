"""Transactions that survive a restart of the database."""

import logging
import time
from collections.abc import Callable
from typing import TypeVar

from django.db import InterfaceError, OperationalError, connection

log = logging.getLogger(__name__)
PATIENCE_SECONDS = 30.0
FIRST_WAIT_SECONDS = 0.2
LONGEST_WAIT_SECONDS = 2.0
_T = TypeVar("_T")


def retried(act: Callable[[], _T], *, patience_seconds: float = PATIENCE_SECONDS) -> _T:
    """Do it, again and again while the database does not answer; at last the error is raised.

    Only for what may be done twice: an answer can be lost after the deed was done. Inside a transaction nothing is
    repeated, for the transaction as a whole is lost.
    """
    deadline, wait = time.monotonic() + patience_seconds, FIRST_WAIT_SECONDS
    while True:
        try:
            return act()
        except (OperationalError, InterfaceError) as error:
            if connection.in_atomic_block or time.monotonic() + wait > deadline:
                raise
            log.warning("The database did not answer (%s); trying again.", error)
            connection.close()
            time.sleep(wait)
            wait = min(wait * 2, LONGEST_WAIT_SECONDS)
