"""What the door says: one line per step with its time, sentences for people, errors on stderr."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from backend.bootstrap.errors import BootstrapError, StoppedError

NAME_WIDTH = 24


def say(text: str = "") -> None:
    print(text, flush=True)


def complain(error: BootstrapError) -> None:
    """The end of the program's output first, the sentence last, where the eye rests."""
    sys.stdout.flush()
    if error.detail:
        print(f"\n{error.detail.rstrip()}\n", file=sys.stderr)
    print(str(error), file=sys.stderr, flush=True)


@contextmanager
def timed_line(name: str) -> Iterator[None]:
    """Print the step's name at its start and its time at its end, on one line."""
    print(f"  {name:<{NAME_WIDTH}}", end="", flush=True)
    started = time.monotonic()
    try:
        yield
    except BaseException as error:
        how = "stopped" if isinstance(error, StoppedError) else "failed"
        say(f" {how} after {time.monotonic() - started:.1f} s")
        raise
    say(f" {time.monotonic() - started:6.1f} s")
