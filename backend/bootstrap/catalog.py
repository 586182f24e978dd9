"""Which commands there are, found by looking at files: neither Django nor any other package is imported."""

import ast
import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from backend.bootstrap.places import Places

MANAGEMENT_FOLDERS = ("backend/config/management/commands", "backend/apps/*/management/commands")


@dataclass(frozen=True)
class Script:
    """A file that is a command: its name, and the first line of its docstring."""

    name: str
    summary: str
    file: Path


def management_commands(places: Places) -> list[Script]:
    """Our own management commands, which `./gleaner NAME …` passes through to."""
    return scripts_in(folder for pattern in MANAGEMENT_FOLDERS for folder in places.root.glob(pattern))


def has_management_command(places: Places, name: str) -> bool:
    return any(script.name == name for script in management_commands(places))


def scripts_in(folders: Iterable[Path]) -> list[Script]:
    """The public Python files of the folders, by name; files that begin with an underscore are parts of others."""
    files = [
        file
        for folder in folders
        for file in folder.glob("*.py")
        if not file.name.startswith(("_", "test_", "conftest"))
    ]
    return sorted((Script(file.stem, summary_of(file), file) for file in files), key=lambda script: script.name)


def summary_of(file: Path) -> str:
    """The first line of the module's docstring; nothing when there is none or the file cannot be read as Python."""
    try:
        docstring = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8")))
    except (OSError, SyntaxError, ValueError):
        return ""
    return (docstring or "").split("\n", 1)[0]


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The command that somebody probably meant."""
    close = difflib.get_close_matches(word.lower(), list(known), n=1, cutoff=0.6)
    return close[0] if close else None
