"""Dictionary files: lines of `name, score, synonym, synonym, …`. A name with a comma stands in double quotes."""

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import isfinite


@dataclass(frozen=True, slots=True)
class Entry:
    """A known name, how popular it is, and what else it is called."""

    name: str
    score: float = 1.0
    synonyms: tuple[str, ...] = ()
    is_hidden: bool = False
    """Not to be offered while safe search is on."""


@dataclass(frozen=True, slots=True)
class LineFault:
    """A line that could not be used, and why."""

    line: int
    message: str


def read_dictionary(lines: Iterable[str], *, faults: list[LineFault] | None = None) -> Iterator[Entry]:
    """The entries of a dictionary file. A missing score is 1; a line that makes no sense is noted in `faults` only."""
    for number, line in enumerate(lines, start=1):
        cells = _cells(line, number, faults)
        name = cells[0].strip() if cells else ""
        if not name:
            continue
        score = _score(cells[1]) if len(cells) > 1 else 1.0
        if score is None:
            _note(faults, number, f"“{cells[1].strip()[:40]}” is no score: write a number of 0 or more after the name.")
            continue
        yield Entry(name, score, tuple(cell.strip() for cell in cells[2:] if cell.strip()))


def _cells(line: str, number: int, faults: list[LineFault] | None) -> list[str]:
    """The cells of one line: a quotation mark without a partner spoils no other."""
    try:
        return next(csv.reader([line.replace("\x00", " ")], skipinitialspace=True), [])
    except csv.Error as error:
        _note(faults, number, f"The line cannot be read: {error}.")
        return []


def _score(text: str) -> float | None:
    if not text.strip():
        return 1.0
    try:
        score = float(text)
    except ValueError:
        return None
    return score if isfinite(score) and score >= 0 else None


def _note(faults: list[LineFault] | None, line: int, message: str) -> None:
    if faults is not None:
        faults.append(LineFault(line, message))
