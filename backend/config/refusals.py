"""When the database does not let us in: it is away, or a login was ended, or has another password now."""

import sqlite3
import time
from collections.abc import Callable

import psycopg
from django.db import DatabaseError, connection
from psycopg.conninfo import make_conninfo
from psycopg.pq import PGconn, Ping

NO_LOGIN = "is not permitted to log in"
"""What an English PostgreSQL says to a node whose login was ended: then there is nothing to wait for."""
PATIENCE_SECONDS = 20.0
"""A server that has no connection left refuses as well, and has one again soon."""


class Refusals:
    """A refused login has no code to tell it by, so the server is asked whether it takes connections at all."""

    def __init__(
        self, *, is_there: Callable[[], bool] | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._is_there = is_there or server_is_there
        self._clock = clock
        self._since: float | None = None

    def is_final(self, error: DatabaseError) -> bool:
        """Whether to give up: we were refused by name, or all the time for as long as patience lasts."""
        if NO_LOGIN in str(error):
            return True
        if not _has_no_connection(error) or not self._is_there():
            self._since = None
            return False
        self._since = self._clock() if self._since is None else self._since
        return self._clock() - self._since >= PATIENCE_SECONDS

    def forget(self) -> None:
        """We were let in."""
        self._since = None


def _has_no_connection(error: DatabaseError) -> bool:
    cause = error.__cause__
    return isinstance(cause, psycopg.OperationalError) and cause.sqlstate is None


def why_unreachable(error: DatabaseError) -> str | None:
    """The sentence for who has typed a command; None for an error of another kind."""
    if _has_no_connection(error):
        reason = str(error).strip().partition("\n")[0]
        return f"The database cannot be reached: {reason}. Check that it runs, and the address in GLEANER_DATABASE_URL."
    cause = error.__cause__
    if isinstance(cause, sqlite3.OperationalError) and cause.sqlite_errorcode == sqlite3.SQLITE_CANTOPEN:
        file = connection.settings_dict["NAME"]
        return f"The database file {file} cannot be opened. Check that its folder is there and may be written to."
    return None


def server_is_there() -> bool:
    """Whether it takes connections, of whomever; False while it starts or ends."""
    told = connection.settings_dict
    where = {"host": told["HOST"], "port": told["PORT"], "dbname": told["NAME"]}
    asked = make_conninfo("", connect_timeout=3, **{name: value for name, value in where.items() if value})
    return PGconn.ping(asked.encode()) == Ping.OK
