import io
import re
import zipfile

import pytest
from lxml import etree

from backend.apps.documents.exports import xlsx_format
from backend.apps.documents.exports.xlsx_format import CUT, MAX_UNITS, fit, stream_xlsx
from tests.unit.backend.apps.documents.exports.tables import ALL, EMPTY_ROW, FULL_ROW, NAME, OLD_ROW, Table, table

NAMESPACE = {"x": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}


def read(source: Table) -> list[list[dict[str, object]]]:
    """The sheets, each a list of rows by column letter; reading the XML proves that it is well-formed."""
    archive = zipfile.ZipFile(io.BytesIO(b"".join(stream_xlsx(source))))
    assert archive.testzip() is None
    names = sorted(name for name in archive.namelist() if name.startswith("xl/worksheets/sheet"))
    return [_read_sheet(archive.read(name)) for name in names]


def _read_sheet(xml: bytes) -> list[dict[str, object]]:
    tree = etree.fromstring(xml, etree.XMLParser(huge_tree=True))
    assert tree.findall(".//x:f", NAMESPACE) == [], "there must be no formula"
    return [dict(map(_read_cell, row.findall("x:c", NAMESPACE))) for row in tree.findall(".//x:row", NAMESPACE)]


def _read_cell(cell: etree._Element) -> tuple[str, object]:
    letter = re.sub(r"\d", "", cell.get("r") or "")
    if cell.get("t") == "inlineStr":
        text = "".join(cell.itertext())
        return letter, re.sub(r"_x([0-9A-F]{4})_", lambda found: chr(int(found[1], 16)), text)
    return letter, float(cell.findtext("x:v", "", NAMESPACE))


def test_every_value_is_in_its_cell_and_numbers_are_numbers() -> None:
    [[headings, full, empty, old]] = read(table(ALL, FULL_ROW, EMPTY_ROW, OLD_ROW))
    assert list(headings.values()) == [
        *("name", "price_amount", "price_currency", "count", "tags", "offers_amount", "offers_currency", "url"),
    ]
    assert full == {
        "A": FULL_ROW["name"],
        "B": 12.5,
        "C": "EUR",
        "D": -3.0,
        "E": "a | b,c",
        "F": "1 | 2.5",
        "G": "USD | ",
        "H": "http://shop.example/1",
    }
    assert empty == {"H": "http://shop.example/2"}
    assert old == {"A": "7 EUR", "B": "on request", "D": 4.0, "E": "alone", "F": 9.0, "H": "http://shop.example/3"}


@pytest.mark.parametrize(
    "text", ["=1+1", "{=1}", "http://a.example/" + "x" * 3000, "a\x01\x1fb", "\ufffe\uffff", "_x0041_", "]]>&<", " a "]
)
def test_hostile_text_is_text(text: str) -> None:
    [[_, row]] = read(table([NAME], {"name": text}))
    assert row == {"A": text}


def test_a_text_too_long_for_a_cell_says_that_it_was_cut() -> None:
    [[_, plain, astral]] = read(table([NAME], {"name": "a" * 1_000_000}, {"name": "🚀" * 20_000}))
    for row in (plain, astral):
        assert str(row["A"]).endswith(CUT)
        assert MAX_UNITS - 2 <= len(str(row["A"]).encode("utf-16-le")) // 2 <= MAX_UNITS


def test_a_text_that_just_fits_is_left_whole() -> None:
    assert fit("a" * MAX_UNITS) == "a" * MAX_UNITS
    assert fit("a" * (MAX_UNITS + 1)) != "a" * (MAX_UNITS + 1)


def test_rows_that_no_sheet_can_hold_go_on_in_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xlsx_format, "MAX_ROWS", 3)
    sheets = read(table([NAME], *({"name": str(number)} for number in range(5))))
    values = [[row["A"] for row in rows] for rows in sheets]
    assert values == [["name", "0", "1"], ["name", "2", "3"], ["name", "4"]]


def test_a_number_that_a_spreadsheet_would_round_is_text() -> None:
    from backend.apps.documents.exports import Column
    from crawler_node.extract.spec import FieldType

    [[_, row]] = read(table([Column("n", FieldType.NUMBER)], {"n": 9_007_199_254_740_993}))
    assert row == {"A": "9007199254740993"}
