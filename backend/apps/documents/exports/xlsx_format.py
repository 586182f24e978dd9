"""XLSX, written row by row to disk: text is text (never a formula), numbers are numbers."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import xlsxwriter

from backend.apps.documents.exports.columns import FlatColumn, Scalar, flatten_columns
from backend.apps.documents.exports.source import RowSource

MAX_ROWS = 1_048_576  # of a sheet, with its headings
MAX_UNITS = 32_767  # of a cell, in UTF-16
CUT = " … (cut: a cell holds no more)"
EXACT_UP_TO = 10**15
BITE_BYTES = 64 * 1024


def stream_xlsx(source: RowSource) -> Iterator[bytes]:
    """The file is a ZIP whose parts are known at the end, so it is made on disk and then sent."""
    with tempfile.TemporaryDirectory(prefix="gleaner-export-") as folder:
        path = Path(folder) / "documents.xlsx"
        write_xlsx(source, path)
        with path.open("rb") as file:
            while bite := file.read(BITE_BYTES):
                yield bite


def write_xlsx(source: RowSource, path: Path) -> None:
    """Further sheets where one cannot hold all rows."""
    options = {"constant_memory": True, "tmpdir": str(path.parent)}
    columns = flatten_columns(source.columns)
    with xlsxwriter.Workbook(str(path), options) as book:
        sheet, line = _new_sheet(book, columns), 1
        for row in source.rows():
            if line == MAX_ROWS:
                sheet, line = _new_sheet(book, columns), 1
            for place, column in enumerate(columns):
                _write(sheet, line, place, column.cell(row.get(column.source)))
            line += 1


def _new_sheet(book: Any, columns: list[FlatColumn]) -> Any:
    sheet = book.add_worksheet(f"documents {len(book.worksheets()) + 1}")
    sheet.freeze_panes(1, 0)
    for place, column in enumerate(columns):
        sheet.write_string(0, place, fit(column.heading))
    return sheet


def _write(sheet: Any, line: int, place: int, cell: Scalar | None) -> None:
    if cell is None:
        return
    if isinstance(cell, str) or abs(cell) > EXACT_UP_TO:
        sheet.write_string(line, place, fit(str(cell)))
    else:
        sheet.write_number(line, place, cell)


def fit(text: str) -> str:
    """The text, cut with a word about it where a cell cannot hold it."""
    if len(text) <= MAX_UNITS // 2 or len(text.encode("utf-16-le")) <= 2 * MAX_UNITS:
        return text
    room = 2 * (MAX_UNITS - len(CUT))
    return text.encode("utf-16-le")[:room].decode("utf-16-le", "ignore") + CUT
