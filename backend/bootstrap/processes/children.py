"""Processes that the door starts: each in a group of its own, with a log, and none outlives the door."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from backend.bootstrap.processes import tree
from backend.bootstrap.processes.stop_signal import POLL_SECONDS, stop_signal

Command = Sequence[str | Path]
GRACE_SECONDS = 20.0
TAIL_LINES = 30


class Child:
    """One process with its group. `log` receives what it prints; without one it speaks to the terminal."""

    def __init__(
        self,
        name: str,
        command: Command,
        *,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        log: Path | None = None,
        stdin: bytes | None = None,
        user: str | None = None,
        stop_with: signal.Signals = signal.SIGTERM,
    ) -> None:
        self.name, self.log, self.stop_with = name, log, stop_with
        self._log_start = log.stat().st_size if log is not None and log.exists() else 0
        with contextlib.ExitStack() as stack:
            if log is not None:
                log.parent.mkdir(parents=True, exist_ok=True)
            output = stack.enter_context(log.open("ab")) if log is not None else None
            self.process = subprocess.Popen(
                [str(part) for part in command],
                env=None if env is None else dict(env),
                cwd=cwd,
                stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
                stdout=output,
                stderr=None if output is None else subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=tree.die_with_parent(stop_with),  # noqa: PLW1509 (the door has no threads)
                user=user,
                group=user,
                extra_groups=None if user is None else [],
            )
        tree.started.add(self.process.pid)
        if stdin is not None and self.process.stdin is not None:
            self.process.stdin.write(stdin)
            self.process.stdin.close()

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def exit_code(self) -> int | None:
        code = self.process.poll()
        if code is not None:
            tree.started.discard(self.pid)
        return code

    def send(self, number: signal.Signals) -> None:
        """Signal the whole group; a group that has ended is left alone."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)

    def tail(self, lines: int = TAIL_LINES) -> str:
        """The end of what this process has printed, not counting what earlier ones left in the same log."""
        if self.log is None or not self.log.exists():
            return ""
        with self.log.open("rb") as stream:
            stream.seek(max(self._log_start, self.log.stat().st_size - 64 * 1024))
            return "\n".join(stream.read().decode(errors="replace").splitlines()[-lines:])

    def wait(self) -> int:
        """The exit code; raises StoppedError, with the process stopped, when somebody asks to stop."""
        while (code := self.exit_code) is None:
            tree.bury_orphans()
            if stop_signal.wait(POLL_SECONDS):
                stop_all([self])
                stop_signal.check()
        return code


def stop_all(children: Sequence[Child], *, grace_seconds: float = GRACE_SECONDS) -> None:
    """Ask all of them to stop, wait, then kill what is left of them and of everyone they started.

    A second Ctrl-C ends the waiting. A process whose parent left without it is asked too, before it is killed.
    """
    signals_before = stop_signal.requested
    below = _everyone_below(children)
    for child in children:
        child.send(child.stop_with)
    deadline = time.monotonic() + grace_seconds
    asked: set[int] = set()
    while (alive := _still_alive(children, below)) and time.monotonic() < deadline:
        if stop_signal.requested > signals_before:
            break
        led = _everyone_below([child for child in children if child.exit_code is None])
        _ask(alive - led - asked)
        asked |= alive - led
        below |= led
        tree.bury_orphans()
        time.sleep(POLL_SECONDS)
    _kill(children, _still_alive(children, below))


def stop_strays(*, grace_seconds: float = GRACE_SECONDS) -> None:
    """End and bury every process below this one, whoever started it; the last thing that the door does."""
    signals_before = stop_signal.requested
    _ask(_strays())
    deadline = time.monotonic() + grace_seconds
    while (strays := _strays()) and time.monotonic() < deadline and stop_signal.requested == signals_before:
        time.sleep(POLL_SECONDS)
    for pid in strays:
        tree.send_signal(pid, signal.SIGKILL)
    tree.bury_orphans()


def _strays() -> set[int]:
    return {pid for pid in tree.descendants(os.getpid()) if not tree.is_spared(pid)}


def _everyone_below(children: Sequence[Child]) -> set[int]:
    return {pid for child in children for pid in (child.pid, *tree.descendants(child.pid))}


def _still_alive(children: Sequence[Child], below: set[int]) -> set[int]:
    running = {child.pid for child in children if child.exit_code is None}
    return running | tree.living(below - {child.pid for child in children})


def _ask(pids: set[int]) -> None:
    for pid in pids:
        tree.send_signal(pid, signal.SIGTERM)


def _kill(children: Sequence[Child], alive: set[int]) -> None:
    for pid in alive:
        tree.send_signal(pid, signal.SIGKILL)
    for child in children:
        child.send(signal.SIGKILL)
        child.process.wait()
