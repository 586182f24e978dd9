"""What helps while a query is typed, kept beside a build: the words and titles of its documents, and a dictionary."""

import copy
import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import zstandard

from backend.apps.indexers import standard_fields as standard
from backend.apps.indexers.dictionary_entries import lines_of, parse_entry
from backend.apps.indexers.models import Dictionary
from backend.search_engine.fuzzy import Entry, Tally, TypingAid, WordCounter, tally_entries, words_of
from backend.search_engine.index import Schema, Snapshot
from backend.search_engine.safe_search import SafeSearch

WORDS_FILE = "words.json.zst"
MAX_TITLE_CHARACTERS = 120
FORMAT = 3
"""Another where what is saved is made or counted otherwise; it is counted and saved anew then."""


class TypingWords:
    """Counts words and titles as documents come; `save` writes the files that suggestions are made from.

    They are those of the documents that the index holds now: what changed or went is taken back. What only unsafe
    documents have is not offered while safe search is on.
    """

    def __init__(self, schema: Schema, title: str) -> None:
        self._fields = [field.name for field in schema.text_fields]
        self._title = title
        self._words = WordCounter()
        self._titles = Tally()
        self.saved_with = ""
        """A mark of the q and the names that the aid was made with which was loaded or saved last."""
        self.changes = 0
        """How often `replace` made a difference."""

    def copy(self) -> "TypingWords":
        """One that another thread may save while this one goes on counting."""
        twin = copy.copy(self)
        twin._words, twin._titles = WordCounter(), Tally()
        for ours, theirs in ((self._words, twin._words), (self._titles, twin._titles)):
            theirs.counts, theirs.unsafe = ours.counts.copy(), ours.unsafe.copy()
        return twin

    def add(self, fields: Mapping[str, Any]) -> None:
        """Count a document."""
        is_unsafe = standard.is_unsafe(fields)
        self._words.add_all(self._words_of(fields), is_unsafe=is_unsafe)
        self._titles.add_all(self._titles_of(fields), is_unsafe=is_unsafe)

    def take_back(self, fields: Mapping[str, Any]) -> None:
        """Count a document no longer, as the index stores it."""
        is_unsafe = standard.is_unsafe(fields)
        self._words.take_back(self._words_of(fields), is_unsafe=is_unsafe)
        self._titles.take_back(self._titles_of(fields), is_unsafe=is_unsafe)

    def replace(self, before: Mapping[str, Any] | None, after: Mapping[str, Any] | None) -> None:
        """Count a document as it is instead of as it was, None where it is not there."""
        if self._text_of(before) == self._text_of(after):
            return
        if before is not None:
            self.take_back(before)
        if after is not None:
            self.add(after)
        self.changes += 1

    def _text_of(self, fields: Mapping[str, Any] | None) -> list[Any] | None:
        if fields is None:
            return None
        return [standard.is_unsafe(fields), *(fields.get(name) or "" for name in self._fields)]

    def _words_of(self, fields: Mapping[str, Any]) -> list[str]:
        return [word for name in self._fields if (text := fields.get(name)) for word in words_of(text)]

    def _titles_of(self, fields: Mapping[str, Any]) -> list[str]:
        title = (fields.get(self._title) or "").strip()
        return [title] if title and len(title) <= MAX_TITLE_CHARACTERS else []

    @property
    def counts(self) -> dict[str, Counter[str]]:
        """How many documents' words and titles there are, and how many of them are of unsafe ones."""
        return {
            "words": self._words.counts,
            "titles": self._titles.counts,
            "unsafe_words": self._words.unsafe,
            "unsafe_titles": self._titles.unsafe,
        }

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
        if data["sequence"] != sequence or data.get("format") != FORMAT:
            return False
        self._words.counts, self._words.unsafe = Counter(data["words"]), Counter(data["unsafe_words"])
        self._titles.counts, self._titles.unsafe = Counter(data["titles"]), Counter(data["unsafe_titles"])
        self.saved_with = data.get("saved_with", "")
        return True

    def is_saved_with(self, *, q: int, dictionary: Sequence[Entry]) -> bool:
        """Whether what was loaded or saved last was made with this q and these names."""
        return self.saved_with == _mark_of(q, dictionary)

    def save(self, folder: Path, *, sequence: int, q: int, dictionary: Sequence[Entry] = ()) -> None:
        """Write the aid, then the counts it was made of."""
        self._aid(dictionary, q).save(folder)
        self.saved_with = _mark_of(q, dictionary)
        self.save_counts(folder, sequence=sequence)

    def save_counts(self, folder: Path, *, sequence: int) -> None:
        """Write the counts alone, of which the aid there was made."""
        data = {"format": FORMAT, "sequence": sequence, "saved_with": self.saved_with, **self.counts}
        fresh = folder / f"{WORDS_FILE}.new"
        fresh.write_bytes(zstandard.compress(json.dumps(data).encode(), 3))
        fresh.replace(folder / WORDS_FILE)

    def _aid(self, dictionary: Sequence[Entry], q: int) -> TypingAid:
        hidden = self._titles.hidden
        known = (replace(entry, is_hidden=True) if entry.name in hidden else entry for entry in dictionary)
        return TypingAid.build(
            self._words.counts,
            names=[*known, *tally_entries(self._titles)],
            q=q,
            hidden_words=self._words.hidden,
            safe_search=SafeSearch(),
        )


def _mark_of(q: int, dictionary: Sequence[Entry]) -> str:
    names = [(entry.name, entry.score, *entry.synonyms) for entry in dictionary]
    return hashlib.sha1(json.dumps([FORMAT, q, names]).encode(), usedforsecurity=False).hexdigest()


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
