"""Test collections from files: documents as JSON lines, queries as `id<TAB>text`, judgements as TREC qrels."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from backend.search_engine.evaluation.errors import CollectionError

_ID_NAMES: Final = ("id", "_id", "docno", "docid", "doc_id")
_QUERY_IDS: Final = frozenset(("id", "_id", "qid", "query", "queryid", "query_id", "query-id", "topic"))
_QUERY_TEXTS: Final = frozenset(("query", "question", "text", "title"))
"""What the first line of a file says when it names its columns."""


def read_documents(path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """(id, text fields) of each line of a JSONL file; lists of texts are joined, other values are left out."""
    if path.exists() and not path.is_file():
        raise CollectionError(f"{path} is no plain file. Save the documents to one: they are read twice.")
    for number, line in _lines(path):
        try:
            record = json.loads(line)
        except ValueError:
            record = None
        if not isinstance(record, dict):
            raise CollectionError(f"Line {number} of {path.name} is no JSON object. {_WRITE_DOCUMENTS}")
        yield _identity(record, path, number), _text_fields(record)


_WRITE_DOCUMENTS: Final = 'Write one document per line, as in {"id": "1", "text": "Green tea"}.'


def _identity(record: Mapping[str, Any], path: Path, number: int) -> str:
    for name in _ID_NAMES:
        if record.get(name) not in (None, ""):
            return str(record[name])
    raise CollectionError(f"Line {number} of {path.name} has no “id”. {_WRITE_DOCUMENTS}")


def _text_fields(record: Mapping[str, Any]) -> dict[str, str]:
    texts = ((name, _text(value)) for name, value in record.items() if name not in _ID_NAMES)
    return {name: text for name, text in texts if text is not None}


def _text(value: object) -> str | None:
    if isinstance(value, list) and value and all(isinstance(part, str) for part in value):
        return "\n".join(value)
    return value if isinstance(value, str) else None


def read_queries(path: Path) -> dict[str, str]:
    """Query id → text. A first line that only names the columns is skipped."""
    queries: dict[str, str] = {}
    for number, line in _lines(path):
        identity, tab, text = line.partition("\t")
        if not tab:
            told = f"Line {number} of {path.name} has no tab between the query's id and its text."
            raise CollectionError(f"{told} Write one query per line: its id, a tab, its text.")
        if number > 1 or not _names_columns(identity, text):
            queries[identity.strip()] = text.strip()
    return queries


def _names_columns(identity: str, text: str) -> bool:
    return identity.strip().casefold() in _QUERY_IDS and text.strip().casefold() in _QUERY_TEXTS


def read_judgements(path: Path) -> dict[str, dict[str, int]]:
    """Query id → document id → grade, from lines of `query iteration document grade` or `query document grade`.

    A first line that only names the columns, as BEIR's files have, is skipped.
    """
    judgements: dict[str, dict[str, int]] = {}
    for number, line in _lines(path):
        cells = line.split()
        grade = _grade(cells[-1])
        if number == 1 and grade is None and cells[0].casefold() in _QUERY_IDS:
            continue
        if grade is None or len(cells) not in (3, 4):
            told = f"Line {number} of {path.name} is not “query 0 document grade”."
            raise CollectionError(f"{told} Write the grade as a whole number: 0 is not relevant, more is better.")
        judgements.setdefault(cells[0], {})[cells[-2]] = grade
    return judgements


def _grade(text: str) -> int | None:
    """A whole number, also when it is written as 1.0; None for anything else."""
    try:
        grade = float(text)
    except ValueError:
        return None
    return int(grade) if grade.is_integer() else None


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file that are not empty, numbered from 1; a byte order mark is no part of the first."""
    try:
        with path.open(encoding="utf-8-sig", errors="replace") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield number, line.rstrip("\r\n")
    except OSError as error:
        reason = error.strerror or error
        raise CollectionError(f"{path} cannot be read: {reason}. Check the path and who may read it.") from error
