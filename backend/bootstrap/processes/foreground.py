"""Programs that take over the person's terminal: what they print, read and return is theirs."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NoReturn

from backend.bootstrap.environment import child_environment
from backend.bootstrap.places import Places
from backend.bootstrap.processes import tree
from backend.bootstrap.processes.children import Command
from backend.bootstrap.processes.stop_signal import POLL_SECONDS, stop_signal


def become(command: Command, *, env: Mapping[str, str]) -> NoReturn:
    """Replace the door by the program, in the person's own folder; nothing is left to clean up afterwards."""
    sys.stdout.flush()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    os.execve(command[0], [str(part) for part in command], dict(env))


def become_module(module: str, arguments: Sequence[str], *, python: Path, places: Places) -> NoReturn:
    """Replace the door by `python -m module`, which finds our packages and not what lies in the person's folder."""
    env = child_environment(places, PYTHONPATH=str(places.root))
    become([python, "-P", "-m", module, *arguments], env=env)


def run_in_foreground(command: Command, *, env: Mapping[str, str], cwd: Path) -> int:
    """Run in the terminal's own process group, where Ctrl-C reaches it directly and a debugger may read.

    Returns its exit code. A signal that reaches the door alone is passed on as an interrupt.
    """
    parts = [str(part) for part in command]
    prepare = tree.die_with_parent()
    process = subprocess.Popen(parts, env=dict(env), cwd=cwd, preexec_fn=prepare)  # noqa: PLW1509 (no threads here)
    tree.started.add(process.pid)
    passed_on = 0
    while process.poll() is None:
        tree.bury_orphans()
        time.sleep(POLL_SECONDS)
        if stop_signal.requested > passed_on:
            passed_on = stop_signal.requested
            if not _terminal_told_everyone():
                process.send_signal(signal.SIGINT)
    return process.returncode


def _terminal_told_everyone() -> bool:
    return stop_signal.last == signal.SIGINT and sys.stdin.isatty()
