"""A watch over the page a worker is working on, that works even while native code holds the worker.

The worker writes what it begins and ends into a small shared file; the owner of the process reads it from outside,
learns which page hangs, and may end the process: the page fails with the reason, everything else goes on.
"""

import mmap
import os
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

FILE_BYTES = 8_192
MAX_TOKEN_BYTES = 256

# A counter that is odd while the rest is being written, the moment a page began (0 when idle), lengths of what follows.
_HEAD = struct.Struct("<QdHH")
_MAX_URL_BYTES = FILE_BYTES - _HEAD.size - MAX_TOKEN_BYTES


@dataclass(frozen=True, slots=True)
class PageInWork:
    """The page a worker is busy with, for how long, and the token the worker gave it (to find its lease by)."""

    url: str
    token: bytes
    seconds: float

    @property
    def sentence(self) -> str:
        """Why the page failed, for people."""
        return f"Reading the page took more than {self.seconds:.0f} s, so it was given up."


class PageWatch:
    """The worker's side: `with watch.page(url, token): …` around all that a page costs in native code.

    Costs about two microseconds a page. One page at a time: a worker has one event loop.
    """

    def __init__(self, path: Path) -> None:
        self._counter = 0
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            os.ftruncate(descriptor, FILE_BYTES)
            self._memory = mmap.mmap(descriptor, FILE_BYTES)
        finally:
            os.close(descriptor)
        self._write(0.0, b"", b"")

    @contextmanager
    def page(self, url: str, token: bytes = b"") -> Iterator[None]:
        """Say that work on a page begins, and afterwards that it is over."""
        self._write(time.monotonic(), url.encode("utf-8", "replace")[:_MAX_URL_BYTES], token[:MAX_TOKEN_BYTES])
        try:
            yield
        finally:
            self._write(0.0, b"", b"")

    def close(self) -> None:
        """Let go of the file."""
        self._memory.close()

    def _write(self, began: float, url: bytes, token: bytes) -> None:
        memory = self._memory
        memory[:8] = (self._counter + 1).to_bytes(8, "little")
        memory[_HEAD.size : _HEAD.size + len(url) + len(token)] = url + token
        self._counter += 2
        memory[8 : _HEAD.size] = _HEAD.pack(0, began, len(url), len(token))[8:]
        memory[:8] = self._counter.to_bytes(8, "little")


class WatchReader:
    """The owner's side. The clock of all processes of a machine is the same (CLOCK_MONOTONIC)."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def current(self) -> PageInWork | None:
        """The page in work, None when the worker is idle, has not begun, or changes over just now."""
        try:
            data = self._path.read_bytes()
        except FileNotFoundError:
            return None
        if len(data) < FILE_BYTES:
            return None
        counter, began, url_bytes, token_bytes = _HEAD.unpack_from(data)
        if counter % 2 or began == 0.0:
            return None
        end = _HEAD.size + url_bytes
        seconds = max(time.monotonic() - began, 0.0)
        return PageInWork(data[_HEAD.size : end].decode(errors="replace"), data[end : end + token_bytes], seconds)

    def hung(self, budget_seconds: float) -> PageInWork | None:
        """The page that has been in work for longer than its budget, None while all is well.

        Asked twice in a row, so that a page that ends just now is not blamed.
        """
        first = self.current()
        if first is None or first.seconds <= budget_seconds:
            return None
        second = self.current()
        return second if second is not None and (second.url, second.token) == (first.url, first.token) else None
