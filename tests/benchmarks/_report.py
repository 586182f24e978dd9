"""Tables for docs/benchmarks.md, and the way into their section."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """The lines of a Markdown table."""
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows]


def replace_section(page: Path, title: str, lines: Iterable[str]) -> None:
    """Put lines into the section `## title` of a page, which is made if need be; other sections stay as they are."""
    text = page.read_text(encoding="utf-8") if page.exists() else "# Benchmarks\n"
    section = f"## {title}\n\n" + "\n".join(lines) + "\n"
    pattern = re.compile(rf"^## {re.escape(title)}\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
    if pattern.search(text):
        text = pattern.sub(lambda _: section + "\n", text).rstrip("\n") + "\n"
    else:
        text = text.rstrip("\n") + "\n\n" + section
    page.write_text(text, encoding="utf-8")
