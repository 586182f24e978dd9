"""One index that this process keeps open: a searcher for its newest generation, answers given before, typing aid."""

import os
import threading
import time
from itertools import islice
from pathlib import Path
from typing import Final

from django.conf import settings

from backend.apps.indexers.serving import typing_folder
from backend.apps.search.documents import DocumentReader
from backend.apps.search.typing_aids import AidKeeper
from backend.search_engine.index.manifest import MANIFEST
from backend.search_engine.index.schema import Schema
from backend.search_engine.index.snapshot import IndexReader, Snapshot
from backend.search_engine.query_cache import QueryCache
from backend.search_engine.search import Searcher
from backend.search_engine.text import Analyzer

WARM_SECONDS: Final = 0.1
"""So long at most is a new generation made ready before it takes over."""
MAX_WARM_STEPS: Final = 1_000
KEPT_ANSWERS: Final = 2_000
CACHE_BYTES: Final = 512 << 20
"""Of decoded lists and columns of one index, in all search processes together."""

Synonyms = tuple[tuple[str, ...], ...]
Stamp = tuple[int, int, int]


class OpenIndex:
    """`searcher` is the newest generation known; whoever took one keeps it until the answer is written.

    `follow` looks whether there is a newer one and puts it in place at once; searches go on meanwhile.
    """

    def __init__(self, folder: Path, *, synonyms: Synonyms = ()) -> None:
        self.folder = folder
        self.answers: QueryCache[bytes] = QueryCache(KEPT_ANSWERS)
        self.aids = AidKeeper(typing_folder(folder))
        self.documents = DocumentReader()
        self.last_asked = time.monotonic()
        self._reader = IndexReader(folder, cache_bytes=CACHE_BYTES // max(1, settings.SEARCH_PROCESSES))
        self._synonyms = synonyms
        self._analyzers: list[Analyzer] = []
        self._schema: Schema | None = None
        self._following = threading.Lock()
        self._stamp = _stamp_of(folder)
        self.searcher = self._fresh_searcher()
        self.aids.prepare(self.searcher.snapshot)

    @property
    def bytes(self) -> int:
        """How much disk the generation takes."""
        return sum(entry.file_bytes for entry in self.searcher.snapshot.manifest.segments)

    def follow(self) -> bool:
        """Take over a newer generation; True when there was one. FileNotFoundError when the folder is gone."""
        with self._following:
            stamp = _stamp_of(self.folder)
            if stamp == self._stamp:
                return False
            self._stamp = stamp  # also when it cannot be opened: it will not get better by trying again
            fresh = self._fresh_searcher()
            _warm(fresh.snapshot, self.searcher.snapshot)
            self.searcher = fresh
            self._reader.forget_older()
            self.documents.keep_only({each.entry.name for each in fresh.snapshot.segments})
            return True

    def use_synonyms(self, synonyms: Synonyms) -> None:
        """Ask with these synonyms from now on."""
        if synonyms == self._synonyms:
            return
        with self._following:
            self._synonyms, self._schema = synonyms, None
            self.searcher = self._fresh_searcher()
            self.answers = QueryCache(KEPT_ANSWERS)

    def _fresh_searcher(self) -> Searcher:
        snapshot = self._reader.snapshot(keeps_older=True)
        if snapshot.schema != self._schema:
            self._schema = snapshot.schema
            self._analyzers = _analyzers_of(snapshot.schema, self._synonyms)
        return Searcher(snapshot, self._analyzers)


def _analyzers_of(schema: Schema, synonyms: Synonyms) -> list[Analyzer]:
    return [Analyzer(group.analysis, synonyms=synonyms) for group in schema.groups]


def _stamp_of(folder: Path) -> Stamp:
    """Another after every commit: the manifest is a new file then."""
    found = os.stat(folder / MANIFEST)
    return found.st_ino, found.st_mtime_ns, found.st_size


def _warm(fresh: Snapshot, older: Snapshot) -> None:
    """Make ready what searches in the older generation used last, so that nobody waits for it."""
    end = time.monotonic() + WARM_SECONDS
    for _ in islice(fresh.warm(older), MAX_WARM_STEPS):
        time.sleep(0)  # whoever is answering goes first
        if time.monotonic() > end:
            return
