"""Documents on their way to a segment, by column."""

from typing import Any, Final

from backend.search_engine.index.schema import Schema

_MAX_CHARACTERS: Final = 1 << 28
_SMALL_DOCUMENTS: Final = 512
_SMALL_CHARACTERS: Final = 1 << 20


class Batch:
    """Documents that become one segment, and the keys deleted from everything older.

    Values are kept by column: an object for each document would make Python look through all of them for garbage.
    """

    def __init__(self, schema: Schema) -> None:
        self.deletes: set[str] = set()
        self._rows: dict[str, int] = {}
        """Key → where its values are in the columns."""
        self._count = 0
        self._characters = 0
        self._columns: list[list[Any]] = [[] for _ in schema.fields]
        self._appends = [column.append for column in self._columns]
        self._texts = [at for at, each in enumerate(schema.fields) if each in schema.text_fields]

    def __len__(self) -> int:
        return len(self._rows)

    def put(self, key: str, row: list[Any]) -> None:
        """Add a document, or replace the one with this key: the values of its fields, in the schema's order."""
        self._rows.pop(key, None)
        self._rows[key] = self._count
        self._count += 1
        for append, value in zip(self._appends, row, strict=True):
            append(value)
        self._characters += sum([len(row[at]) for at in self._texts if row[at]])

    def delete(self, key: str) -> None:
        """Leave out the document with this key, here and in everything older."""
        self._rows.pop(key, None)
        self.deletes.add(key)

    def is_full(self, most: int) -> bool:
        """Whether it holds so many documents, replaced ones included, or very much text."""
        return self._count >= most or self._characters > _MAX_CHARACTERS

    @property
    def is_small(self) -> bool:
        """Whether building it takes less than handing it over: so it is when a crawl is followed live."""
        return self._count <= _SMALL_DOCUMENTS and self._characters <= _SMALL_CHARACTERS

    def contents(self) -> tuple[list[str], list[list[Any]]]:
        """The keys, and per field the values of their documents."""
        if len(self._rows) == self._count:
            return list(self._rows), self._columns
        kept = list(self._rows.values())
        return list(self._rows), [[column[row] for row in kept] for column in self._columns]
