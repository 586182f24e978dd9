"""Parquet with typed columns: numbers as doubles, several values as lists; a row group at a time in memory."""

import io
import math
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from backend.apps.documents.exports.columns import FlatColumn, Scalar, flatten_columns
from backend.apps.documents.exports.source import RowSource

GROUP_ROWS = 5_000
GROUP_CHARACTERS = 8_000_000


class _Outbox(io.RawIOBase):
    """A file that only grows; what was written is taken out as it comes."""

    def __init__(self) -> None:
        super().__init__()
        self._parts: list[bytes] = []
        self._length = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        part = bytes(data)
        self._parts.append(part)
        self._length += len(part)
        return len(part)

    def tell(self) -> int:
        return self._length

    def take(self) -> bytes:
        taken = b"".join(self._parts)
        self._parts.clear()
        return taken


def stream_parquet(source: RowSource) -> Iterator[bytes]:
    """A value that is no number is left out of a column of numbers: the format cannot hold it there."""
    columns = flatten_columns(source.columns)
    schema = pa.schema([(column.heading, _type_of(column)) for column in columns])
    outbox = _Outbox()
    with pq.ParquetWriter(outbox, schema, compression="zstd") as writer:
        for group in _groups(source, columns):
            arrays = [pa.array(cells, field.type) for cells, field in zip(group, schema, strict=True)]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))
            yield outbox.take()
    yield outbox.take()


def _groups(source: RowSource, columns: list[FlatColumn]) -> Iterator[list[list[Any]]]:
    """The cells of some rows, by column."""
    group: list[list[Any]] = [[] for _ in columns]
    rows = characters = 0
    for row in source.rows():
        for column, cells in zip(columns, group, strict=True):
            cells.append(_cell(column, row.get(column.source)))
            characters += _size(cells[-1])
        rows += 1
        if rows == GROUP_ROWS or characters >= GROUP_CHARACTERS:
            yield group
            group, rows, characters = [[] for _ in columns], 0, 0
    if rows:
        yield group


def _type_of(column: FlatColumn) -> pa.DataType:
    kind = pa.float64() if column.is_number else pa.string()
    return pa.list_(kind) if column.multiple else kind


def _cell(column: FlatColumn, value: Any) -> Any:
    if not column.is_number:
        return [str(item) for item in column.items(value)] if column.multiple else _as_string(column.cell(value))
    numbers = [number for number in map(_as_number, column.items(value)) if number is not None]
    return numbers if column.multiple else next(iter(numbers), None)


def _as_string(cell: Scalar | None) -> str | None:
    return None if cell is None else str(cell)


def _as_number(item: Scalar) -> float | None:
    try:
        number = float(item)
    except ValueError:
        return None
    return number if math.isfinite(number) else None  # float() reads “nan” and “infinity”, too


def _size(cell: Any) -> int:
    if isinstance(cell, list):
        return sum(map(_size, cell)) + 8
    return len(cell) if isinstance(cell, str) else 8
