"""Locks between processes: the kernel frees them when their holder ends, however it ends."""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any

from backend.bootstrap.console import report
from backend.bootstrap.processes.stop_signal import stop_signal

POLL_SECONDS = 0.2


class LockHeld(Exception):
    """Somebody else holds the lock; `holder` is what they wrote into it."""

    def __init__(self, holder: dict[str, Any]) -> None:
        super().__init__(f"held by {holder}")
        self.holder = holder


@contextmanager
def hold(file: Path, **about: Any) -> Iterator[None]:
    """Hold the lock, or raise LockHeld at once. `about` tells others who holds it, besides the process id."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a+") as stream:
        _take(stream)
        _write_holder(stream, {"pid": os.getpid(), **about})
        yield


@contextmanager
def hold_after_waiting(file: Path, *, reason: str) -> Iterator[None]:
    """Hold the lock; while another process has it, say so once and wait for it."""
    with ExitStack() as stack:
        said = False
        while True:
            try:
                stack.enter_context(hold(file))
                break
            except LockHeld as held:
                if not said:
                    report(f"  waiting: {reason} (process {held.holder.get('pid', 'unknown')})")
                said = True
            stop_signal.wait(POLL_SECONDS)
            stop_signal.check()
        yield


def _take(stream: IO[str]) -> None:
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise LockHeld(_read_holder(stream)) from None


def _read_holder(stream: IO[str]) -> dict[str, Any]:
    stream.seek(0)
    try:
        return dict(json.loads(stream.read()))
    except ValueError:  # its holder is just writing it
        return {}


def _write_holder(stream: IO[str], holder: dict[str, Any]) -> None:
    stream.seek(0)
    stream.truncate()
    stream.write(json.dumps(holder))
    stream.flush()
