"""CSV as spreadsheets open it: RFC 4180, UTF-8, and no text that a spreadsheet would run as a formula."""

import csv
import io
import re
from collections.abc import Iterator

from backend.apps.documents.exports.columns import Scalar, flatten_columns
from backend.apps.documents.exports.source import RowSource

BOM = b"\xef\xbb\xbf"
BITE_CHARACTERS = 64 * 1024
# https://owasp.org/www-community/attacks/CSV_Injection; full-width forms are formulas in East Asian spreadsheets.
RISKY = re.compile(r"[\s\x00-\x1f\ufeff\u200b]*[=+\-@＝＋－＠]|[\t\r\n]")
PLAIN_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")


def stream_csv(source: RowSource, *, bom: bool = False) -> Iterator[bytes]:
    columns = flatten_columns(source.columns)
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    if bom:
        yield BOM
    writer.writerow([harmless(column.heading) for column in columns])
    for row in source.rows():
        writer.writerow([harmless(column.cell(row.get(column.source))) for column in columns])
        if buffer.tell() >= BITE_CHARACTERS:
            yield _take(buffer)
    yield _take(buffer)


def harmless(cell: Scalar | None) -> Scalar:
    """The cell with an apostrophe before it where a spreadsheet would take it for a formula."""
    if not isinstance(cell, str):
        return "" if cell is None else cell
    return f"'{cell}" if RISKY.match(cell) and not PLAIN_NUMBER.fullmatch(cell) else cell


def _take(buffer: io.StringIO) -> bytes:
    text = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return text.encode()
