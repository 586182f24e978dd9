"""Builds segment files, at once or in threads: the compiled kernels and the compression let other threads run."""

from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path

from backend.search_engine.index.blocks import write_blocks
from backend.search_engine.index.build import Columns, SegmentBuilder
from backend.search_engine.index.schema import Schema


class BuilderPool:
    """Turns batches of documents into segment files: at once when `threads` is 0, else in that many threads.

    Threads share the words they have met, which processes would each have to learn, and nothing is copied to them.
    """

    def __init__(self, schema: Schema, threads: int) -> None:
        self._builder = SegmentBuilder(schema)
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="index") if threads else None
        self._most_waiting = threads + 1 if threads else 0  # one to take up at once when another is done
        self._waiting: set[Future[None]] = set()

    def build(self, path: Path, keys: Sequence[str], columns: Columns, *, here: bool = False) -> "Future[None]":
        """Write a segment's file, in this thread when `here`; the future is done when it is durable."""
        if self._threads is not None and not here:
            submitted = self._threads.submit(self._build, path, keys, columns)
            self._waiting.add(submitted)
            return submitted
        done: Future[None] = Future()
        self._build(path, keys, columns)
        done.set_result(None)
        return done

    def wait_for_room(self) -> None:
        """Wait until few enough batches are on their way: documents must not pile up in memory."""
        self._waiting = {each for each in self._waiting if not each.done()}
        if len(self._waiting) >= self._most_waiting > 0:
            _, self._waiting = wait(self._waiting, return_when=FIRST_COMPLETED)

    def close(self) -> None:
        """End the threads; what has not begun is left."""
        if self._threads is not None:
            self._threads.shutdown(cancel_futures=True)

    def _build(self, path: Path, keys: Sequence[str], columns: Columns) -> None:
        draft = self._builder.build_columns(keys, columns)
        write_blocks(path, draft.sections, draft.meta)
