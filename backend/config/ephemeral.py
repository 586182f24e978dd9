"""A command on a database of its own that is gone afterwards."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

OPTION = "--ephemeral"
SHORTEST = "--e"
INSIDE = "GLEANER_EPHEMERAL"
"""In the environment of the child: what it could tell about its database would be gone before anybody reads it."""


def is_ephemeral() -> bool:
    """Whether this process works on a temporary database."""
    return INSIDE in os.environ


def run_ephemerally(argv: Sequence[str]) -> int:
    """Run the same command again in a child with an empty temporary database; its exit code."""
    with tempfile.TemporaryDirectory(prefix="gleaner-") as folder:
        database = {"GLEANER_VAR": folder, "GLEANER_DATABASE_URL": f"sqlite://{folder}/gleaner.sqlite3"}
        words, env = without_option(argv), {**os.environ, **database, INSIDE: "1"}
        failed = run_to_its_end([sys.executable, argv[0], "migrate", "-v0"], env)
        return failed or run_to_its_end([sys.executable, *words], env)


def without_option(argv: Sequence[str]) -> list[str]:
    """A command's words without `--ephemeral`, however far it was abbreviated: or the child would begin one, too."""
    return [word for word in argv if not (word.startswith(SHORTEST) and OPTION.startswith(word))]


def run_to_its_end(words: Sequence[str], env: Mapping[str, str]) -> int:
    """The child's exit code, as a shell tells it. Who asks us to end asks the child, and it is heard out."""
    children: list[subprocess.Popen[bytes]] = []
    with _passing_signals_to(children):
        children.append(subprocess.Popen(words, env=env))  # noqa: S603
        code = children[0].wait()
    return code if code >= 0 else 128 - code


@contextmanager
def _passing_signals_to(children: Sequence[subprocess.Popen[bytes]]) -> Iterator[None]:
    """A terminal's Ctrl-C reaches the child by itself."""

    def pass_on(number: int, _: Any) -> None:
        if number == signal.SIGTERM or not sys.stdin.isatty():
            for child in children:
                child.send_signal(number)

    before = {number: signal.signal(number, pass_on) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
