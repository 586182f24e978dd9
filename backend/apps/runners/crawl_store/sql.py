"""The little SQL that both databases need: batches, and what they spell differently."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db import DataError, IntegrityError, InterfaceError, OperationalError, connection, transaction
from django.db.backends.utils import CursorWrapper
from psycopg.pq import TransactionStatus

from crawler_node.errors import StoreError

CHUNK = 500
UNSTORABLE = (DataError, UnicodeError, OverflowError)
"""What a database or its driver says to a value that no column takes: trying again would not help."""


@contextmanager
def one_transaction() -> Iterator[CursorWrapper]:
    """All of it or nothing; on SQLite it begins as the writer, so that it cannot fail half-way for a lock."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            yield _Beginning(cursor) if _may_begin_itself() else cursor
    except (OperationalError, InterfaceError) as error:
        if not connection.in_atomic_block:
            connection.close()  # the next call makes a new connection
        raise StoreError(f"The database did not take it: {error}") from error
    except IntegrityError as error:  # somebody else was first: done again, it is done on what they left
        raise StoreError(f"The database had changed meanwhile: {error}") from error


def _may_begin_itself() -> bool:
    """Whether the BEGIN of this transaction is still to be sent."""
    return is_postgres() and connection.connection.info.transaction_status == TransactionStatus.IDLE


class _Beginning:
    """A cursor that sends BEGIN together with its first statement: psycopg's own would be a message by itself.

    The driver is told not to begin; its commit and rollback look at what the server says, so Django's work as ever.
    """

    def __init__(self, cursor: CursorWrapper) -> None:
        self._cursor = cursor
        self._has_begun = False
        connection.connection.autocommit = True

    def execute(self, statement: str, parameters: Sequence[Any] | None = None) -> None:
        if self._has_begun:
            self._cursor.execute(statement, parameters)
            return
        self._has_begun = True
        self._cursor.execute(f"BEGIN;\n{statement}", parameters)
        self._cursor.nextset()

    def executemany(self, statement: str, rows: Sequence[Sequence[Any]]) -> None:
        if not self._has_begun:
            self.execute("SELECT 1")
        self._cursor.executemany(statement, rows)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cursor, name)


def is_postgres() -> bool:
    return connection.vendor == "postgresql"


def rows_in(cursor: CursorWrapper, statement: str, before: Sequence[Any], values: Sequence[Any]) -> Iterator[tuple]:
    """Rows of a statement that ends in `IN {}`, asked for in chunks."""
    for start in range(0, len(values), CHUNK):
        chunk = values[start : start + CHUNK]
        marks = ",".join(["%s"] * len(chunk))
        cursor.execute(statement.format(f"({marks})"), [*before, *chunk])
        yield from cursor.fetchall()


def insert_many(
    cursor: CursorWrapper, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]], *, ending: str = ""
) -> None:
    """Many rows with few statements; a statement has one text for each size, which the database prepares once."""
    if not rows:
        return
    names, width = ",".join(columns), len(columns)
    mark = "(" + ",".join(["%s"] * width) + ")"
    step = max(1, 900 // width) if not is_postgres() else 200
    for start in range(0, len(rows), step):
        chunk = rows[start : start + step]
        values = ",".join([mark] * len(chunk))
        statement = f"INSERT INTO {table} ({names}) VALUES {values}{ending}"  # noqa: S608
        cursor.execute(statement, [item for row in chunk for item in row])


def database_clock(cursor: CursorWrapper) -> float:
    """The moment on the database's clock: one for all workers."""
    cursor.execute(f"SELECT {moment_of(None, cursor).sql}")
    return float(cursor.fetchone()[0])


Clock = Callable[[CursorWrapper], float]


@dataclass(frozen=True, slots=True)
class Moment:
    """Now, as an expression that a statement of the same transaction can use; evaluated once for each statement."""

    sql: str
    parameters: tuple[float, ...] = ()


def moment_of(clock: Clock | None, cursor: CursorWrapper) -> Moment:
    """The moment on the given clock, or on the database's: one for all workers."""
    if clock is not None:
        return Moment("%s", (clock(cursor),))
    if is_postgres():
        return Moment("(SELECT extract(epoch FROM clock_timestamp())::float8)")
    return Moment("(SELECT (julianday('now') - 2440587.5) * 86400.0)")


def as_datetime(moment: float) -> Any:
    """A moment as the database keeps date columns."""
    return connection.ops.adapt_datetimefield_value(datetime.fromtimestamp(moment, UTC))


def storable(text: str) -> str:
    """Text that every database takes: no NUL, no half characters."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode()


def to_json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if "\\u0000" in text or not _is_whole(text):
        return json.dumps(_storable_tree(value), ensure_ascii=False, separators=(",", ":"))
    return text


def _is_whole(text: str) -> bool:
    """Whether no half of a character stands alone in it."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _storable_tree(value: Any) -> Any:
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, dict):
        return {storable(str(key)): _storable_tree(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_storable_tree(inner) for inner in value]
    return value


def signed(number: int) -> int:
    """64 bits as the database's signed integer."""
    number &= 2**64 - 1
    return number - 2**64 if number >= 2**63 else number
