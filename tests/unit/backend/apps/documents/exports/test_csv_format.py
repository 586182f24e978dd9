import csv
import io

import pytest

from backend.apps.documents.exports.csv_format import harmless, stream_csv
from tests.unit.backend.apps.documents.exports.tables import ALL, EMPTY_ROW, FULL_ROW, NAME, OLD_ROW, URL, Table, table


def read(source: Table, **options: bool) -> list[list[str]]:
    text = b"".join(stream_csv(source, **options)).decode()
    return list(csv.reader(io.StringIO(text, newline="")))


def test_every_value_is_in_its_cell() -> None:
    headings, full, empty, old = read(table(ALL, FULL_ROW, EMPTY_ROW, OLD_ROW))
    assert headings == [
        *("name", "price_amount", "price_currency", "count", "tags", "offers_amount", "offers_currency", "url"),
    ]
    assert full == [
        *("SSD “fast” 🚀\nsecond line", "12.5", "EUR", "-3", "a | b,c", "1 | 2.5", "USD | "),
        "http://shop.example/1",
    ]
    assert empty == ["", "", "", "", "", "", "", "http://shop.example/2"]
    assert old == ["7 EUR", "on request", "", "4", "alone", "9", "", "http://shop.example/3"]


@pytest.mark.parametrize(
    "text",
    [
        *("=cmd|' /C calc'!A0", "+1+cmd", "-2+3+cmd", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1+1", "\u00a0=1"),
        *("＝1+1", "＠SUM(1)", "\ufeff=1", "\u200b=1", "--1", "+49 170 123", "-", "=", "\ttab"),
    ],
)
def test_text_that_a_spreadsheet_would_run_is_quoted(text: str) -> None:
    assert harmless(text) == f"'{text}"
    assert read(table([NAME, URL], {"name": text}))[1][0] == f"'{text}"


@pytest.mark.parametrize("text", ["a=b", "-5", "+5", "-5.25", "3-4", "'=1", "", "10 €", "x@example.org"])
def test_other_text_is_left_as_it_is(text: str) -> None:
    assert harmless(text) == text


def test_headings_are_harmless_too() -> None:
    from backend.apps.documents.exports import Column

    assert read(table([Column("=cmd()")]))[0] == ["'=cmd()"]


def test_what_text_cannot_hold_is_dropped_and_long_text_is_not_cut() -> None:
    stream = stream_csv(table([NAME], {"name": "a\x00b\ud800c"}, {"name": "é" * 1_000_000}))
    assert b"".join(stream).decode() == f"name\r\nabc\r\n{'é' * 1_000_000}\r\n"


def test_a_byte_order_mark_only_where_wanted() -> None:
    assert b"".join(stream_csv(table([NAME]), bom=True)) == b"\xef\xbb\xbfname\r\n"
    assert b"".join(stream_csv(table([NAME]))) == b"name\r\n"
