"""Builds segment files, here or in other processes."""

import multiprocessing
import os
import threading
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from pathlib import Path
from typing import Any

from backend.search_engine.index.blocks import write_blocks
from backend.search_engine.index.build import Columns, SegmentBuilder
from backend.search_engine.index.schema import Schema

_builders: dict[str, SegmentBuilder] = {}


class BuilderPool:
    """Turns batches of documents into segment files: at once when `workers` is 0, else in that many processes."""

    def __init__(self, schema: Schema, workers: int) -> None:
        self._processes = _processes(schema, workers) if workers else None
        self._builder = SegmentBuilder(schema)
        self._most_waiting = workers + 1
        self._waiting: set[Future[None]] = set()

    def build(self, path: Path, keys: Sequence[str], columns: Columns, *, here: bool = False) -> "Future[None]":
        """Write a segment's file, in this process when `here`; the future is done when it is durable."""
        if self._processes is not None and not here:
            submitted = self._processes.submit(_build_here, str(path), keys, columns)
            self._waiting.add(submitted)
            return submitted
        done: Future[None] = Future()
        _build(self._builder, path, keys, columns)
        done.set_result(None)
        return done

    def wait_for_room(self) -> None:
        """Wait until few enough batches are on their way: documents must not pile up in memory."""
        self._waiting = {each for each in self._waiting if not each.done()}
        if len(self._waiting) >= self._most_waiting:
            _, self._waiting = wait(self._waiting, return_when=FIRST_COMPLETED)

    def close(self) -> None:
        """End the processes."""
        if self._processes is not None:
            self._processes.shutdown(cancel_futures=True)


def _processes(schema: Schema, workers: int) -> ProcessPoolExecutor:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])  # the compiled kernels are loaded once, not once a worker
    return ProcessPoolExecutor(workers, context, initializer=_start_worker, initargs=(schema.to_json(),))


def _start_worker(schema: list[dict[str, Any]]) -> None:
    """Prepare a worker; it dies with the writer, so that a killed one leaves nothing behind."""
    threading.Thread(target=_die_with_writer, daemon=True).start()
    _builders["here"] = SegmentBuilder(Schema.from_json(schema))


def _die_with_writer() -> None:
    """End this process when the writer's ends: a worker holds the fork server alive, so neither would go by itself."""
    writer = multiprocessing.parent_process()
    if writer is not None:
        writer.join()
        os._exit(1)


def _build_here(path: str, keys: Sequence[str], columns: Columns) -> None:
    _build(_builders["here"], Path(path), keys, columns)


def _build(builder: SegmentBuilder, path: Path, keys: Sequence[str], columns: Columns) -> None:
    draft = builder.build_columns(keys, columns)
    write_blocks(path, draft.sections, draft.meta)
