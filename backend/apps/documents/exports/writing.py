"""Exports by format: as a stream of bytes, or as a file that is there whole or not at all."""

import errno
import os
import secrets
import tempfile
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path

from backend.apps.documents.exports.csv_format import stream_csv
from backend.apps.documents.exports.json_format import stream_json, stream_jsonl
from backend.apps.documents.exports.parquet_format import stream_parquet
from backend.apps.documents.exports.source import RowSource, Values, documents_of_runner
from backend.apps.documents.exports.xlsx_format import stream_xlsx
from backend.apps.errors import UserFault
from backend.apps.runners.models import Runner


class ExportFormat(StrEnum):
    """The formats, each named by the ending of its files."""

    CSV = "csv"
    JSON = "json"
    JSONL = "jsonl"
    XLSX = "xlsx"
    PARQUET = "parquet"

    @property
    def media_type(self) -> str:
        return MEDIA_TYPES[self]


MEDIA_TYPES = {
    ExportFormat.CSV: "text/csv; charset=utf-8",
    ExportFormat.JSON: "application/json",
    ExportFormat.JSONL: "application/jsonl",
    ExportFormat.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ExportFormat.PARQUET: "application/vnd.apache.parquet",
}
STREAMS: dict[ExportFormat, Callable[[RowSource], Iterator[bytes]]] = {
    ExportFormat.CSV: stream_csv,
    ExportFormat.JSON: stream_json,
    ExportFormat.JSONL: stream_jsonl,
    ExportFormat.XLSX: stream_xlsx,
    ExportFormat.PARQUET: stream_parquet,
}


class UnknownFormat(UserFault):
    code = "unknown_format"


class _Counted:
    """A source that counts what is read from it."""

    def __init__(self, source: RowSource) -> None:
        self.columns = source.columns
        self._source = source
        self.count = 0

    def rows(self) -> Iterator[Values]:
        for row in self._source.rows():
            self.count += 1
            yield row


def format_of(path: Path) -> ExportFormat:
    """The format that a file's ending names; UnknownFormat says which there are."""
    ending = path.suffix.lower().removeprefix(".")
    if ending not in list(ExportFormat):
        known = ", ".join(f".{known}" for known in ExportFormat)
        named = f"ends in “.{ending}”" if ending else "has no ending"
        raise UnknownFormat(f"{path.name} {named}, which names no format. Choose one of: {known}.")
    return ExportFormat(ending)


def try_to_write(path: Path) -> None:
    """Raises the OSError that writing there would end with; nothing is left behind."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    with tempfile.TemporaryFile(dir=path.parent):
        pass


def stream_documents(source: RowSource, format: ExportFormat, *, bom: bool = False) -> Iterator[bytes]:
    """The export bite by bite. `bom` marks a CSV as UTF-8 for spreadsheets that would guess otherwise."""
    if format is ExportFormat.CSV:
        return stream_csv(source, bom=bom)
    return STREAMS[format](source)


def write_documents(source: RowSource, path: Path, format: ExportFormat, *, bom: bool = False) -> int:
    """How many documents were written. A file of that name is replaced at the end, never half overwritten."""
    counted = _Counted(source)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
    try:
        with draft.open("wb") as file:
            for bite in stream_documents(counted, format, bom=bom):
                file.write(bite)
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)
    return counted.count


def export_runner(runner: Runner, path: Path, *, with_duplicates: bool = False, with_gone: bool = False) -> int:
    """Write a run's documents in the format that the file's ending names; how many there are."""
    format = format_of(path)
    return write_documents(
        documents_of_runner(runner, with_duplicates=with_duplicates, with_gone=with_gone), path, format
    )
