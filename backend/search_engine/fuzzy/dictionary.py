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
    reader = csv.reader(_without_nul(lines), skipinitialspace=True)
    for number, cells in _rows(reader, faults):
        name = cells[0].strip() if cells else ""
        if not name:
            continue
        score = _score(cells[1]) if len(cells) > 1 else 1.0
        if score is None:
            _note(faults, number, f"“{cells[1].strip()[:40]}” is no score: write a number of 0 or more after the name.")
            continue
        yield Entry(name, score, tuple(cell.strip() for cell in cells[2:] if cell.strip()))


def _rows(reader: Iterator[list[str]], faults: list[LineFault] | None) -> Iterator[tuple[int, list[str]]]:
    number = 0
    while True:
        number += 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            _note(faults, number, f"The line cannot be read: {error}.")
        else:
            yield number, cells


def _without_nul(lines: Iterable[str]) -> Iterator[str]:
    return (line.replace("\x00", " ") for line in lines)


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
