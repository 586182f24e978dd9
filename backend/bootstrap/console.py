"""What the door says: answers on stdout; progress and errors on stderr, where they do not get into `export > file`."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from backend.bootstrap.errors import BootstrapError, StoppedError

NAME_WIDTH = 24


def say(text: str = "") -> None:
    print(text, flush=True)


def report(text: str, *, end: str = "\n") -> None:
    """Say what is going on meanwhile."""
    sys.stdout.flush()
    print(text, end=end, file=sys.stderr, flush=True)


def complain(error: BootstrapError) -> None:
    """The end of the program's output first, the sentence last, where the eye rests."""
    if error.detail:
        report(f"\n{error.detail.rstrip()}\n")
    report(str(error))


@contextmanager
def timed_line(name: str) -> Iterator[None]:
    """Print the step's name at its start and its time at its end, on one line."""
    report(f"  {name:<{NAME_WIDTH}}", end="")
    started = time.monotonic()
    try:
        yield
    except BaseException as error:
        how = "stopped" if isinstance(error, StoppedError) else "failed"
        report(f" {how} after {time.monotonic() - started:.1f} s")
        raise
    report(f" {time.monotonic() - started:6.1f} s")
