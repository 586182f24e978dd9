"""What helps while a query is typed, kept beside a build: the words and titles of its documents, and a dictionary."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import zstandard

from backend.apps.indexers.dictionary_entries import lines_of, parse_entry
from backend.apps.indexers.models import Dictionary
from backend.search_engine.fuzzy import Entry, TypingAid, WordCounter
from backend.search_engine.index import Schema, Snapshot

WORDS_FILE = "words.json.zst"
MAX_TITLE_CHARACTERS = 120


class TypingWords:
    """Counts words and titles as documents come; `save` writes the files that suggestions are made from.

    Words of documents that changed or went stay counted until the next build.
    """

    def __init__(self, schema: Schema, title: str) -> None:
        self._fields = [field.name for field in schema.text_fields]
        self._title = title
        self._words = WordCounter()
        self._titles: Counter[str] = Counter()
        self._saved_with = ""

    def add(self, fields: Mapping[str, Any]) -> None:
        for name in self._fields:
            if text := fields.get(name):
                self._words.add(text)
        title = (fields.get(self._title) or "").strip()
        if title and len(title) <= MAX_TITLE_CHARACTERS:
            self._titles[title] += 1

    def recount(self, snapshot: Snapshot) -> None:
        """Count what an index holds, from what it stored."""
        for fields in stored_documents(snapshot):
            self.add(fields)

    def load(self, folder: Path, *, sequence: int) -> bool:
        """Go on from what was saved at this very sequence number; False when there is nothing of it."""
        try:
            data = json.loads(zstandard.decompress((folder / WORDS_FILE).read_bytes()))
        except (OSError, ValueError, zstandard.ZstdError):
            return False
        if data["sequence"] != sequence:
            return False
        self._words.counts = Counter(data["words"])
        self._titles = Counter(data["titles"])
        self._saved_with = data.get("saved_with", "")
        return True

    def is_saved_with(self, *, q: int, dictionary: Sequence[Entry]) -> bool:
        """Whether what was loaded or saved last was made with this q and these names."""
        return self._saved_with == _mark_of(q, dictionary)

    def save(self, folder: Path, *, sequence: int, q: int, dictionary: Sequence[Entry] = ()) -> None:
        """Write the aid, then the counts it was made of."""
        titles = (Entry(title, count) for title, count in self._titles.items())
        TypingAid.build(self._words.counts, names=[*dictionary, *titles], q=q).save(folder)
        self._saved_with = _mark_of(q, dictionary)
        counts = {"words": self._words.counts, "titles": self._titles}
        data = {"sequence": sequence, "saved_with": self._saved_with, **counts}
        fresh = folder / f"{WORDS_FILE}.new"
        fresh.write_bytes(zstandard.compress(json.dumps(data).encode(), 3))
        fresh.replace(folder / WORDS_FILE)


def _mark_of(q: int, dictionary: Sequence[Entry]) -> str:
    names = [(entry.name, entry.score, *entry.synonyms) for entry in dictionary]
    return hashlib.sha1(json.dumps([q, names]).encode(), usedforsecurity=False).hexdigest()


def stored_documents(snapshot: Snapshot) -> Iterator[dict[str, Any]]:
    """The stored fields of every document of an index."""
    for base, each in zip(snapshot.bases, snapshot.segments, strict=False):
        for document in each.live_documents.tolist():
            yield snapshot.stored(base + document)


def dictionary_names(dictionary: Dictionary | None) -> list[Entry]:
    """The names of a dictionary; lines that cannot be read were refused when it was saved."""
    if dictionary is None:
        return []
    parsed = (parse_entry(line) for _, line in lines_of(dictionary.entries))
    return [Entry(entry.name, max(entry.score, 0.0), entry.synonyms) for entry in parsed if not isinstance(entry, str)]
