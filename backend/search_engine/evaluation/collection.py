"""Test collections from files: documents as JSON lines, queries as `id<TAB>text`, judgements as TREC qrels."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from backend.search_engine.evaluation.errors import CollectionError

_ID_NAMES: Final = ("id", "_id", "docno", "doc_id")


def read_documents(path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """(id, text fields) of each line of a JSONL file; other values are left out."""
    for number, line in _lines(path):
        try:
            record = json.loads(line)
        except ValueError:
            record = None
        if not isinstance(record, dict):
            raise CollectionError(f"Line {number} of {path.name} is no JSON object.")
        yield _identity(record, path, number), _text_fields(record)


def _identity(record: Mapping[str, Any], path: Path, number: int) -> str:
    for name in _ID_NAMES:
        if record.get(name) not in (None, ""):
            return str(record[name])
    raise CollectionError(f"Line {number} of {path.name} has no “id”.")


def _text_fields(record: Mapping[str, Any]) -> dict[str, str]:
    return {name: value for name, value in record.items() if isinstance(value, str) and name not in _ID_NAMES}


def read_queries(path: Path) -> dict[str, str]:
    """Query id → text."""
    queries: dict[str, str] = {}
    for number, line in _lines(path):
        identity, tab, text = line.partition("\t")
        if not tab:
            raise CollectionError(f"Line {number} of {path.name} has no tab between the query's id and its text.")
        queries[identity.strip()] = text.strip()
    return queries


def read_judgements(path: Path) -> dict[str, dict[str, int]]:
    """Query id → document id → grade, from lines of `query iteration document grade` or `query document grade`."""
    judgements: dict[str, dict[str, int]] = {}
    for number, line in _lines(path):
        cells = line.split()
        try:
            query, document, grade = cells[0], cells[-2], int(cells[-1])
        except (IndexError, ValueError):
            grade = None
        if grade is None or len(cells) not in (3, 4):
            raise CollectionError(f"Line {number} of {path.name} is not “query 0 document grade”.")
        judgements.setdefault(query, {})[document] = grade
    return judgements


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file that are not empty, numbered from 1."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield number, line.rstrip("\r\n")
    except OSError as error:
        raise CollectionError(f"{path} cannot be read: {error.strerror or error}.") from error
