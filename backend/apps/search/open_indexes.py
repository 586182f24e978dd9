"""The indexes this process keeps open, one place for all threads; a follower looks for new generations."""

import logging
import threading
import time
from pathlib import Path
from typing import Final

from backend.apps.search.errors import IndexBroken, NoIndexYet
from backend.apps.search.open_index import OpenIndex, Synonyms
from backend.search_engine.errors import IndexFaultError

log = logging.getLogger(__name__)

FOLLOW_SECONDS: Final = 0.25
IDLE_SECONDS: Final = 900.0
MAX_OPEN: Final = 64

VANISHED: Final = "The index is not there any more. Build it again, then search."


class OpenIndexes:
    """Opened at the first question, followed by one thread, let go when the folder is gone or nobody asks."""

    def __init__(self, *, follow_seconds: float = FOLLOW_SECONDS, idle_seconds: float = IDLE_SECONDS) -> None:
        self._follow_seconds = follow_seconds
        self._idle_seconds = idle_seconds
        self._open: dict[tuple[int, Path], OpenIndex] = {}
        self._lock = threading.Lock()
        self._opening: dict[tuple[int, Path], threading.Lock] = {}
        self._follower: threading.Thread | None = None

    def __len__(self) -> int:
        return len(self._open)

    def get(self, indexer_id: int, folder: Path, *, synonyms: Synonyms = ()) -> OpenIndex:
        """The open index; NoIndexYet when there is none in the folder, IndexBroken when it cannot be read."""
        found = self._open.get((indexer_id, folder))
        if found is None:
            found = self._open_once((indexer_id, folder), synonyms)
        found.use_synonyms(synonyms)
        found.last_asked = time.monotonic()
        return found

    def close(self, indexer_id: int) -> None:
        """Let go of everything of one indexer."""
        with self._lock:
            for key in [key for key in self._open if key[0] == indexer_id]:
                del self._open[key]

    def close_all(self) -> None:
        """Let go of everything."""
        with self._lock:
            self._open.clear()

    def follow_all(self) -> None:
        """One look at every open index."""
        for key, index in list(self._open.items()):
            if time.monotonic() - index.last_asked > self._idle_seconds:
                self._forget(key, index)
                continue
            self._follow(key, index)

    def _follow(self, key: tuple[int, Path], index: OpenIndex) -> None:
        try:
            index.follow()
            index.aids.prepare(index.searcher.snapshot)
        except (FileNotFoundError, IndexFaultError) as error:
            if not key[1].exists():
                self._forget(key, index)
            else:
                log.warning("A new generation of %s cannot be opened: %s", key[1], error)
        except Exception:  # the follower must outlive whatever one index does
            log.exception("Following %s failed.", key[1])

    def _open_once(self, key: tuple[int, Path], synonyms: Synonyms) -> OpenIndex:
        with self._lock:
            opening = self._opening.setdefault(key, threading.Lock())
        with opening:
            found = self._open.get(key)
            if found is None:
                found = _opened(key[1], synonyms)
                with self._lock:
                    self._keep(key, found)
        self._start_follower()
        return found

    def _keep(self, key: tuple[int, Path], index: OpenIndex) -> None:
        self._open[key] = index
        self._opening.pop(key, None)
        for other in [other for other in self._open if other[0] == key[0] and other != key]:
            del self._open[other]  # an indexer is served from one folder: the last
        while len(self._open) > MAX_OPEN:
            oldest = min(self._open, key=lambda each: self._open[each].last_asked)
            del self._open[oldest]

    def _forget(self, key: tuple[int, Path], index: OpenIndex) -> None:
        with self._lock:
            if self._open.get(key) is index:
                del self._open[key]

    def _start_follower(self) -> None:
        with self._lock:
            if self._follower is None or not self._follower.is_alive():
                self._follower = threading.Thread(target=self._run, name="index follower", daemon=True)
                self._follower.start()

    def _run(self) -> None:
        """Until nothing is open any more; the next opening starts another."""
        while True:
            time.sleep(self._follow_seconds)
            self.follow_all()
            with self._lock:
                if not self._open:
                    self._follower = None
                    return


def _opened(folder: Path, synonyms: Synonyms) -> OpenIndex:
    try:
        return OpenIndex(folder, synonyms=synonyms)
    except FileNotFoundError:
        raise NoIndexYet(VANISHED) from None
    except IndexFaultError as error:
        raise IndexBroken(str(error)) from error


OPEN_INDEXES: Final = OpenIndexes()
"""Those of this process."""
