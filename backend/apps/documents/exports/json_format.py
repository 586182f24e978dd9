"""JSON: one list, or one document a line. Values keep their shape: prices are objects, several values are lists."""

import json
from collections.abc import Iterator

from backend.apps.documents.exports.columns import UNENCODABLE
from backend.apps.documents.exports.source import RowSource

BITE_CHARACTERS = 64 * 1024


def stream_json(source: RowSource) -> Iterator[bytes]:
    yield b"["
    before = "\n"
    for text in _bites(source, joiner=",\n"):
        yield f"{before}{text}".encode()
        before = ",\n"
    yield b"\n]\n"


def stream_jsonl(source: RowSource) -> Iterator[bytes]:
    for text in _bites(source, joiner="\n"):
        yield f"{text}\n".encode()


def _bites(source: RowSource, *, joiner: str) -> Iterator[str]:
    """Documents as JSON texts, several at a time."""
    names = [column.name for column in source.columns]
    held: list[str] = []
    characters = 0
    for row in source.rows():
        held.append(_to_json({name: row.get(name) for name in names}))
        characters += len(held[-1])
        if characters >= BITE_CHARACTERS:
            yield joiner.join(held)
            held, characters = [], 0
    if held:
        yield joiner.join(held)


def _to_json(row: dict[str, object]) -> str:
    return UNENCODABLE.sub("\ufffd", json.dumps(row, ensure_ascii=False, separators=(",", ":")))
