"""Corrections and suggestions beside an open index: mapped where the index job wrote them, else made in background."""

import logging
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from backend.apps.indexers import standard_fields as standard
from backend.search_engine.errors import IndexFaultError
from backend.search_engine.fuzzy import Tally, TypingAid, WordCounter, tally_entries
from backend.search_engine.index.snapshot import Snapshot
from backend.search_engine.safe_search import SafeSearch

log = logging.getLogger(__name__)

DUTY: Final = 20.0
"""An aid that took so many seconds to make is made again after so many times as long at the earliest."""
MIN_PAUSE_SECONDS: Final = 2.0
GROWTH: Final = 0.02
"""An aid is out of date when this share of the index is new or gone since."""
MAX_TITLE_CHARACTERS: Final = 120
BREATH_DOCUMENTS: Final = 64
"""After so many documents the maker lets searches have the interpreter."""


FIRST_SECONDS: Final = 1.0
"""So long after an index was opened do questions wait for the first aid; opening what was written takes much less."""


class AidKeeper:
    """Keeps one TypingAid up to date; no search waits for a newer one, and for the first one only a moment.

    `aid` is None until the first is ready; `number` grows with every new one.
    """

    def __init__(self, written: Path) -> None:
        self.aid: TypingAid | None = None
        self.number = 0
        self._written = written
        self._stamp = 0
        self._made_of: Snapshot | None = None
        self._next = 0.0
        self._worker: threading.Thread | None = None
        self._first_until = time.monotonic() + FIRST_SECONDS

    def first(self) -> TypingAid | None:
        """The aid; where the index was opened just now and the first is in the making, it is waited for."""
        if self.aid is None and (rest := self._first_until - time.monotonic()) > 0:
            self.wait(rest)
        return self.aid

    def prepare(self, snapshot: Snapshot) -> None:
        """Start opening or making an aid for this generation, if there is need and nobody is at it."""
        is_busy = self._worker is not None and self._worker.is_alive()
        if is_busy or time.monotonic() < self._next or not self._is_out_of_date(snapshot):
            return
        self._worker = threading.Thread(target=self._renew, args=(snapshot,), name="typing aid", daemon=True)
        self._worker.start()

    def wait(self, seconds: float) -> bool:
        """Wait for the one in the making; whether there is one then."""
        if self._worker is not None:
            self._worker.join(seconds)
        return self.aid is not None

    def _is_out_of_date(self, snapshot: Snapshot) -> bool:
        if stamp := _stamp_of(self._written):
            return stamp != self._stamp
        made = self._made_of
        if made is None:
            return True
        known = {each.entry.name for each in made.segments}
        new = sum(each.entry.documents for each in snapshot.segments if each.entry.name not in known)
        gone = made.live_documents - snapshot.live_documents
        return max(new, gone) > GROWTH * snapshot.live_documents

    def _renew(self, snapshot: Snapshot) -> None:
        began = time.monotonic()
        try:
            self.aid = self._open() or build_aid(snapshot)
            self._made_of = snapshot
            self.number += 1
        except (OSError, IndexFaultError) as error:
            log.warning("Suggestions beside %s cannot be made: %s", self._written, error)
        took = time.monotonic() - began
        self._next = time.monotonic() + max(MIN_PAUSE_SECONDS, DUTY * took)

    def _open(self) -> TypingAid | None:
        """What the index job wrote; None when it wrote nothing that can be used."""
        self._stamp = _stamp_of(self._written)
        if not self._stamp:
            return None
        try:
            return TypingAid.open(self._written)
        except IndexFaultError as error:
            log.warning("Suggestions in %s cannot be used: %s", self._written, error)
            return None


def _stamp_of(folder: Path) -> int:
    """Another after every writing; 0 when there is nothing."""
    try:
        return max(os.stat(file).st_mtime_ns for file in folder.iterdir())
    except (FileNotFoundError, ValueError):
        return 0


def build_aid(snapshot: Snapshot) -> TypingAid:
    """From the stored texts of all live documents: every word, and short texts of the first field as titles."""
    text_names = [each.name for each in snapshot.schema.text_fields if each.stored]
    words, titles = WordCounter(), Tally()
    for number, fields in enumerate(_stored(snapshot)):
        texts = [text for name in text_names if isinstance(text := fields.get(name), str)]
        is_unsafe = standard.is_unsafe(fields)
        for text in texts:
            words.add(text, is_unsafe=is_unsafe)
        shown = (text.strip() for text in texts[:1] if len(text) <= MAX_TITLE_CHARACTERS)
        titles.add_all(shown, is_unsafe=is_unsafe)
        if number % BREATH_DOCUMENTS == 0:
            time.sleep(0)
    names = tally_entries(titles)
    return TypingAid.build(words.counts, names=names, hidden_words=words.hidden, safe_search=SafeSearch())


def _stored(snapshot: Snapshot) -> Iterator[dict[str, Any]]:
    for base, each in zip(snapshot.bases, snapshot.segments, strict=False):
        for document in each.live_documents.tolist():
            yield snapshot.stored(base + document)
