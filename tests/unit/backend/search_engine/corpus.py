"""Made-up documents with frequent and rare words, small enough for brute force, for many tests."""

import random
from pathlib import Path

from backend.search_engine.index import Field, FieldKind, IndexWriter, Schema
from backend.search_engine.text import Analysis, Reduction

PLAIN = Analysis(reduction=Reduction.NONE)
SCHEMA = Schema(
    [
        Field("title", analysis=PLAIN, boost=2.0),
        Field("body", analysis=PLAIN),
        Field("tag", FieldKind.KEYWORD),
        Field("price", FieldKind.NUMBER),
        Field("day", FieldKind.DATE),
    ]
)
BOOSTS = {"title": 2.0, "body": 1.0}


def make_words(count: int = 300) -> list[str]:
    letters = "bcdfghklmnprstvz"
    vowels = "aeiou"
    return [
        letters[i % 16] + vowels[i // 16 % 5] + letters[i // 7 % 16] + vowels[i // 80 % 5] + letters[i // 320 % 16]
        for i in range(count)
    ]


WORDS = make_words()


def make_document(rng: random.Random, number: int) -> dict[str, object]:
    def text(least: int, most: int) -> str:
        return " ".join(WORDS[int(len(WORDS) * rng.random() ** 3)] for _ in range(rng.randint(least, most)))

    return {
        "title": text(0, 6),
        "body": text(1, 60),
        "tag": [f"t{number % 7}"] if number % 5 else ["odd", "even"],
        "price": None if number % 11 == 0 else float(number % 100) / 4,
        "day": f"2024-{number % 12 + 1:02d}-{number % 28 + 1:02d}",
    }


def make_documents(count: int, seed: int = 7) -> dict[str, dict[str, object]]:
    rng = random.Random(seed)
    return {f"k{i}": make_document(rng, i) for i in range(count)}


def write_index(folder: Path, documents: dict[str, dict[str, object]], *, per_commit: int = 10**9) -> None:
    """An index with a commit (and so a segment) for every so many documents; nothing is merged."""
    with IndexWriter(folder, SCHEMA, merges=False) as writer:
        for i, (key, document) in enumerate(documents.items(), start=1):
            writer.put(key, document)
            if i % per_commit == 0:
                writer.commit()
        writer.commit()
