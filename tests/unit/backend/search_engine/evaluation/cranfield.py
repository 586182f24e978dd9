"""The Cranfield collection (Cleverdon 1967) as the three files that `evaluate` reads."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

_RECORD = re.compile(r"^\.I +(\d+)\n(.*?)(?=^\.I |\Z)", re.DOTALL | re.MULTILINE)
_PART = re.compile(r"^\.([TABW])\n(.*?)(?=^\.[TABW]\n|\Z)", re.DOTALL | re.MULTILINE)
_GAINS = {"1": 4, "2": 3, "3": 2, "4": 1}
"""Cleverdon's codes run from 1, a complete answer, to 4, of little interest; 5 and -1 are not relevant."""


def write_collection(source: Path, folder: Path) -> list[Path]:
    """Documents, queries and judgements in our formats. Judgements number the queries by their order."""
    documents = [
        json.dumps({"id": number, "title": parts.get("T", ""), "text": parts.get("W", "")})
        for number, parts in _records(source / "cran.all.1400")
    ]
    asked = (parts["W"] for _, parts in _records(source / "cran.qry"))
    queries = [f"{number}\t{text}" for number, text in enumerate(asked, start=1)]
    rows = (line.split() for line in (source / "cranqrel").read_text(encoding="ascii").splitlines())
    judgements = [f"{row[0]} 0 {row[1]} {_GAINS.get(row[2], 0)}" for row in rows if len(row) == 3]
    files = [folder / name for name in ("docs.jsonl", "queries.tsv", "qrels.txt")]
    for file, lines in zip(files, (documents, queries, judgements), strict=True):
        file.write_text("\n".join(lines), encoding="utf-8")
    return files


def _records(path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    for found in _RECORD.finditer(path.read_text(encoding="ascii")):
        yield found[1], {part[1]: " ".join(part[2].split()) for part in _PART.finditer(found[2])}
