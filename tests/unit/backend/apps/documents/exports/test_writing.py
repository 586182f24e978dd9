import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from backend.apps.documents.exports import ExportFormat, UnknownFormat, format_of, stream_documents, write_documents
from tests.unit.backend.apps.documents.exports.tables import ALL, FULL_ROW, NAME, Table, table


@pytest.mark.parametrize("format", list(ExportFormat))
def test_the_ending_of_a_file_names_its_format(format: ExportFormat) -> None:
    assert format_of(Path(f"/a/b.c/Documents.{format.upper()}")) is format


@pytest.mark.parametrize("name", ["documents.xls", "documents", ".csv", "documents.csv.gz"])
def test_an_unknown_ending_gets_a_sentence(name: str) -> None:
    with pytest.raises(UnknownFormat, match=r"Choose one of: \.csv, \.json, \.jsonl, \.xlsx, \.parquet\."):
        format_of(Path(name))


@pytest.mark.parametrize("format", list(ExportFormat))
def test_writes_the_file_and_counts_its_documents(tmp_path: Path, format: ExportFormat) -> None:
    path = tmp_path / f"documents.{format}"
    assert write_documents(table(ALL, FULL_ROW, FULL_ROW), path, format) == 2
    assert path.stat().st_size > 0
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("format", list(ExportFormat))
def test_a_failure_leaves_the_old_file_and_no_draft(tmp_path: Path, format: ExportFormat) -> None:
    path = tmp_path / f"documents.{format}"
    path.write_text("old")

    def broken() -> Iterator[dict[str, Any]]:
        yield FULL_ROW
        raise RuntimeError("the database went away")

    with pytest.raises(RuntimeError):
        write_documents(Table(ALL, broken), path, format)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("format", list(ExportFormat))
def test_memory_does_not_grow_with_the_documents(format: ExportFormat) -> None:
    """50,000 documents of 240 characters are 12 MB; what is held at once stays far below."""

    def rows() -> Iterator[dict[str, Any]]:
        for number in range(50_000):
            yield {"name": f"{number:06}" * 40}

    for _ in stream_documents(table([NAME], {"name": "warm"}), format):
        pass  # imports and caches are not the export's
    tracemalloc.start()
    try:
        length = sum(len(bite) for bite in stream_documents(Table([NAME], rows), format))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert length > 100_000
    assert peak < 5_000_000
