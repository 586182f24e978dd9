"""The lines of a dictionary: `name, score, synonym, synonym, …`."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

MAX_LINE = 2_000
MAX_SHOWN = 3


@dataclass(frozen=True, slots=True)
class DictionaryEntry:
    name: str
    score: float
    synonyms: tuple[str, ...]


def parse_entry(line: str) -> DictionaryEntry | str:
    """The entry of one line, or the sentence that says what is wrong with it."""
    name, *rest = (part.strip() for part in line.split(","))
    if not name:
        return "A line begins with a name, for example: Freiburg, 5, Freiburg im Breisgau"
    if len(line) > MAX_LINE:
        return f"A line has at most {MAX_LINE:,} characters."
    score, synonyms = (rest[0], rest[1:]) if rest else ("", [])
    try:
        number = float(score) if score else 0.0
    except ValueError:
        return f"“{score[:50]}” is not a score. After the name comes a number, then synonyms: Freiburg, 5, Fribourg"
    if not abs(number) < 1e15:
        return "The score must be an ordinary number."
    return DictionaryEntry(name, number, tuple(synonym for synonym in synonyms if synonym))


def lines_of(entries: str) -> Iterator[tuple[int, str]]:
    """The lines that are not empty, with their numbers from 1."""
    return ((number, line) for number, line in enumerate(entries.splitlines(), 1) if line.strip())


def first_entries(entries: str, most: int) -> str:
    """The first lines that are not empty."""
    return "\n".join(line for _, line in islice(lines_of(entries), most))


def check_entries(entries: str) -> list[str]:
    """The first few sentences about lines that cannot be read."""
    sentences: list[str] = []
    for number, line in lines_of(entries):
        if isinstance(problem := parse_entry(line), str):
            sentences.append(f"Line {number}: {problem}")
            if len(sentences) == MAX_SHOWN:
                break
    return sentences


def count_entries(entries: str) -> int:
    return sum(1 for _ in lines_of(entries))
