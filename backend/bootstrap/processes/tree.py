"""The processes below this one, as the kernel sees them: found even when they left their process group.

On Linux the door becomes the *subreaper* of its descendants (prctl(2)): whoever loses its parent becomes a child of
the door, so that nobody can slip away, and the door can end and bury everyone. Elsewhere these functions see nothing
and only process groups are stopped.
"""

import ctypes
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
SPARED = "GLEANER_SPARED"  # in the environment of a process that shall outlive the door
IS_LINUX = sys.platform == "linux"
_prctl = ctypes.CDLL(None, use_errno=True).prctl if IS_LINUX else None


started: set[int] = set()
"""Processes that this one started and will wait for itself."""
_is_subreaper = False


def become_subreaper() -> None:
    global _is_subreaper  # noqa: PLW0603 (the kernel keeps this as one flag of the process, too)
    if _prctl is not None:
        _is_subreaper = _prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0


def die_with_parent(number: signal.Signals = signal.SIGTERM) -> Callable[[], None]:
    """For `preexec_fn`: the child receives the signal when the door itself is killed and can stop nobody."""
    door = os.getpid()

    def prepare() -> None:
        if _prctl is None:
            return
        _prctl(PR_SET_PDEATHSIG, int(number), 0, 0, 0)
        if os.getppid() != door:  # it died between fork and prctl
            os._exit(1)

    return prepare


def descendants(ancestor: int) -> list[int]:
    """Living processes below `ancestor`, parents before children; zombies are not counted."""
    children: dict[int, list[int]] = {}
    for pid, parent, state in _all_processes():
        if state not in "ZX":
            children.setdefault(parent, []).append(pid)
    found: list[int] = []
    waiting = [ancestor]
    while waiting:
        below = children.get(waiting.pop(0), [])
        found += below
        waiting += below
    return found


def living(pids: set[int]) -> set[int]:
    """Those of `pids` that still run; zombies do not."""
    return {pid for pid, _, state in _all_processes() if pid in pids and state not in "ZX"} if pids else set()


def is_spared(pid: int) -> bool:
    try:
        return f"{SPARED}=".encode() in Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:  # it ended, or belongs to somebody else
        return False


def bury_orphans() -> None:
    """Collect the zombies that came to the door as subreaper, as `init` would: whoever looks for them finds them gone.

    Processes in `started` are left to those who started them. Does nothing in a process that is not the door.
    """
    while _is_subreaper:
        try:
            found = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return
        if found is None or found.si_pid in started:
            return
        os.waitpid(found.si_pid, os.WNOHANG)


def send_signal(pid: int, number: signal.Signals) -> None:
    """Signal a process that may have ended meanwhile."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return


def _all_processes() -> list[tuple[int, int, str]]:
    """(pid, parent, state) of every process."""
    rows = []
    for folder in Path("/proc").glob("[0-9]*") if IS_LINUX else ():
        try:
            # The name in parentheses may itself hold spaces and parentheses.
            state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
        except (OSError, ValueError):  # it ended while we were looking
            continue
        rows.append((int(folder.name), int(parent), state))
    return rows
