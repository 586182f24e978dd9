"""Tables for people at a terminal, and the same as JSON for programs."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

EMPTY = "-"


def table(rows: Sequence[dict[str, Any]], columns: Sequence[str]) -> str:
    """Columns as wide as they need to be; the head in capitals, as PBS people know it."""
    cells = [[cell(row.get(name)) for name in columns] for row in rows]
    heads = [name.replace("_", " ").upper() for name in columns]
    widths = [max(map(len, column)) for column in zip(heads, *cells, strict=True)]
    lines = [heads, ["-" * width for width in widths], *cells]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )


def as_json(value: Any) -> str:
    return json.dumps(value, default=_plain, ensure_ascii=False)


def cell(value: Any) -> str:
    """A value as people read it, in one line."""
    if value is None or value in ("", []):
        return EMPTY
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M:%S}"
    if isinstance(value, float):
        return f"{value:.2f}"
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    return str(value).replace("\n", " ")


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else str(value)
