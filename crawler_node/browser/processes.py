"""Operating-system processes of a browser: each the head of a group that ends as one, with its maker at the latest."""

import contextlib
import ctypes
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence

import psutil

_PR_SET_CHILD_SUBREAPER = 36
_BURIAL_SECONDS = 5.0


def adopt_orphans() -> None:
    """Make this process the one that buries what its children leave behind."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


class ProcessGroup:
    """A program with all that it starts. Start it in a thread that lives on: it is killed when that thread ends.

    `end` may be called from any thread and any number of times; afterwards nothing of the group runs or is unburied.
    """

    def __init__(
        self, command: Sequence[str], *, env: Mapping[str, str], folder: str, stdout: int = subprocess.DEVNULL
    ) -> None:
        self._folder = folder
        self._process = subprocess.Popen(  # noqa: S603
            [*dies_with_parent(), *command],
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.DEVNULL,
            env=dict(env),
            cwd=folder,
            start_new_session=True,
            text=True,
        )

    @property
    def pid(self) -> int:
        """The number of the group's head."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether the head still runs."""
        return self._process.poll() is None

    def first_line_with(self, text: str, *, seconds: float) -> str:
        """The first line of its output that holds the text; '' when it ends or the time is over."""
        assert self._process.stdout is not None  # noqa: S101 - asked for by whoever reads
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            line = self._process.stdout.readline()
            if not line or text in line:
                return line
        return ""

    def memory_bytes(self) -> int:
        """What the group holds now, shared memory counted once."""
        return sum(map(memory_of, self._members()))

    def end(self) -> None:
        """Kill the whole group and bury it; look again until nobody is left, for one may start another meanwhile."""
        deadline = time.monotonic() + _BURIAL_SECONDS
        while (members := self._members()) and time.monotonic() < deadline:
            self._kill(members)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_BURIAL_SECONDS)
            _bury(members, head=self._process.pid)
        if self._process.stdout is not None:
            self._process.stdout.close()

    def _kill(self, members: Sequence[psutil.Process]) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        for member in members:
            with contextlib.suppress(psutil.Error):
                member.kill()

    def _members(self) -> list[psutil.Process]:
        """The head's descendants and its session's, for a helper may have left either, or both but not the folder."""
        found: dict[int, psutil.Process] = {}
        with contextlib.suppress(psutil.Error):
            head = psutil.Process(self._process.pid)
            found = {process.pid: process for process in [head, *head.children(recursive=True)]}
        for pid in psutil.pids():
            with contextlib.suppress(OSError, psutil.Error):
                if pid not in found and os.getsid(pid) == self._process.pid:
                    found[pid] = psutil.Process(pid)
        for orphan in psutil.Process().children():
            if orphan.pid not in found and _works_in(orphan, self._folder):
                found[orphan.pid] = orphan
        return list(found.values())


def _works_in(process: psutil.Process, folder: str) -> bool:
    try:
        return any(folder in word for word in process.cmdline())
    except psutil.Error:
        return False


def dies_with_parent() -> list[str]:
    """Words before a command: it is killed when the thread that started it ends, however that ends."""
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", "KILL", "--"] if setpriv else []


def memory_of(process: psutil.Process) -> int:
    """What a process holds, its share of shared memory counted; 0 when it is gone."""
    try:
        return int(process.memory_full_info().pss)
    except (psutil.Error, AttributeError):
        return 0


def _bury(members: Sequence[psutil.Process], *, head: int) -> None:
    """Wait for those that have become our own children; the others are buried by whoever adopted them."""
    deadline = time.monotonic() + _BURIAL_SECONDS
    waiting = {member.pid for member in members if member.pid != head}
    while waiting and time.monotonic() < deadline:
        waiting = {pid for pid in waiting if not _is_buried(pid)}
        if waiting:
            time.sleep(0.01)


def _is_buried(pid: int) -> bool:
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError:
        return not psutil.pid_exists(pid)
