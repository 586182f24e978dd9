"""Statements that go to the database together.

PostgreSQL takes a letter as one message, so that a whole step of the store costs one round trip. Each statement in it
sees what those before it did, and what others committed before it began: a lock goes first, then what is read under it.
SQLite, where asking costs no way, gets them one by one.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from django.db.backends.utils import CursorWrapper

from backend.apps.runners.crawl_store.sql import insert_many, is_postgres, rows_in

Row = tuple[Any, ...]


class Letter:
    """Collects statements; the lists that `ask` gives out fill when it is sent."""

    def __init__(self, cursor: CursorWrapper) -> None:
        self.cursor = cursor
        self._is_postgres = is_postgres()
        self._statements: list[str] = []
        self._parameters: list[Any] = []
        self._answers: list[list[Row]] = []

    def ask(self, statement: str, parameters: Sequence[Any] = ()) -> list[Row]:
        """Its rows, once the letter is sent."""
        answer: list[Row] = []
        if self._is_postgres:
            self._statements.append(statement)
            self._parameters.extend(parameters)
            self._answers.append(answer)
        else:
            self.cursor.execute(statement, parameters)
            answer.extend(self.cursor.fetchall() if self.cursor.description else ())
        return answer

    def ask_in(self, statement: str, before: Sequence[Any], values: Sequence[Any]) -> list[Row]:
        """Rows of a statement that ends in `IN {}`; without values there is nothing to ask."""
        if not values:
            return []
        if self._is_postgres:
            return self.ask(statement.replace("IN {}", "= ANY(%s)"), [*before, list(values)])
        return list(rows_in(self.cursor, statement, before, values))

    def insert(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]], *, ending: str = "") -> None:
        """New rows; `ending` says what to do with those that are there."""
        if not rows:
            return
        if not self._is_postgres:
            insert_many(self.cursor, table, columns, rows, ending=ending)
            return
        marks = _marks(columns, rows)
        self.ask(f"INSERT INTO {table} ({','.join(columns)}) VALUES {marks}{ending}", _flat(rows))  # noqa: S608

    def update(self, table: str, types: Mapping[str, str], rows: Sequence[Sequence[Any]]) -> None:
        """Rows of new values, by the names of `types`, each with the row's id at its end."""
        if not rows:
            return
        if not self._is_postgres:
            changes = ", ".join(f"{name} = %s" for name in types)
            self.cursor.executemany(f"UPDATE {table} SET {changes} WHERE id = %s", rows)  # noqa: S608
            return
        changes = ", ".join(f"{name} = v.{name}::{kind}" for name, kind in types.items())
        source, parameters = values_table([*types, "id"], rows)
        self.ask(f"UPDATE {table} AS t SET {changes} FROM {source} WHERE t.id = v.id", parameters)  # noqa: S608

    def send(self) -> None:
        """Everything collected so far; what it asked is answered afterwards."""
        if not self._statements:
            return
        text, parameters, answers = ";\n".join(self._statements), self._parameters, self._answers
        self._statements, self._parameters, self._answers = [], [], []
        self.cursor.execute(text, parameters)
        for answer in answers:
            if self.cursor.description:
                answer.extend(self.cursor.fetchall())
            self.cursor.nextset()


@contextmanager
def letter_to(cursor: CursorWrapper) -> Iterator[Letter]:
    """A letter that is sent at the end of the block."""
    letter = Letter(cursor)
    yield letter
    letter.send()


def values_table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> tuple[str, list[Any]]:
    """Rows as PostgreSQL's table `v` with these columns, and the parameters it has."""
    return f"(VALUES {_marks(columns, rows)}) AS v({','.join(columns)})", _flat(rows)


def _marks(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    mark = "(" + ",".join(["%s"] * len(columns)) + ")"
    return ",".join([mark] * len(rows))


def _flat(rows: Sequence[Sequence[Any]]) -> list[Any]:
    return [item for row in rows for item in row]
