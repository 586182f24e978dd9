import io

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from backend.apps.documents.exports import parquet_format
from backend.apps.documents.exports.parquet_format import stream_parquet
from tests.unit.backend.apps.documents.exports.tables import (
    ALL,
    COUNT,
    EMPTY_ROW,
    FULL_ROW,
    NAME,
    OLD_ROW,
    Table,
    table,
)


def read(source: Table) -> pq.ParquetFile:
    return pq.ParquetFile(io.BytesIO(b"".join(stream_parquet(source))))


def test_columns_have_types_and_every_value_is_there() -> None:
    full, empty, old = read(table(ALL, FULL_ROW, EMPTY_ROW, OLD_ROW)).read().to_pylist()
    assert full == {
        "name": FULL_ROW["name"],
        "price_amount": 12.5,
        "price_currency": "EUR",
        "count": -3.0,
        "tags": ["a", "b,c"],
        "offers_amount": [1.0, 2.5],
        "offers_currency": ["USD", ""],
        "url": "http://shop.example/1",
    }
    assert empty == {
        **dict.fromkeys(full),
        "tags": [],
        "offers_amount": [],
        "offers_currency": [],
        "url": EMPTY_ROW["url"],
    }
    assert (old["name"], old["price_amount"], old["count"], old["tags"]) == ("7 EUR", None, 4.0, ["alone"])


def test_no_documents_make_a_file_with_the_same_columns() -> None:
    file = read(table(ALL))
    assert file.metadata.num_rows == 0
    assert file.schema_arrow.field("offers_amount").type == pa.list_(pa.float64())


def test_rows_are_written_in_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_format, "GROUP_ROWS", 10)
    file = read(table([NAME], *({"name": str(number)} for number in range(25))))
    assert [file.metadata.row_group(place).num_rows for place in range(file.num_row_groups)] == [10, 10, 5]
    assert file.read().column("name").to_pylist() == [str(number) for number in range(25)]


def test_long_texts_make_small_groups() -> None:
    file = read(table([NAME], *({"name": "x" * 1_000_000} for _ in range(20))))
    assert [file.metadata.row_group(place).num_rows for place in range(file.num_row_groups)] == [8, 8, 4]


def test_hostile_text_survives() -> None:
    rows = read(table([NAME], {"name": "=cmd\n🚀"}, {"name": "a\x00b\ud800c"})).read().to_pylist()
    assert rows == [{"name": "=cmd\n🚀"}, {"name": "abc"}]


def test_words_that_only_sound_like_numbers_are_none() -> None:
    rows = read(table([COUNT], {"count": "NaN"}, {"count": "Infinity"}, {"count": "1e999"})).read().to_pylist()
    assert rows == [{"count": None}] * 3
