"""When a process began, so that it is not taken for a later one of the same number."""

import os
from functools import cache
from pathlib import Path

import psutil

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


def began_at(process: psutil.Process) -> float:
    """Seconds on a clock that nobody can set, and that begins elsewhere whenever the machine is started.

    psutil's `create_time` goes by the clock on the wall: when that is put right, by an hour for example because the
    machine was asleep, every process that runs has begun an hour later than it had before. Where the kernel tells
    nothing better, that has to do.
    """
    beginning = _beginning()
    if beginning is None:
        return process.create_time()
    try:
        told = Path(f"/proc/{process.pid}/stat").read_bytes()
    except (FileNotFoundError, ProcessLookupError) as error:
        raise psutil.NoSuchProcess(process.pid) from error
    # The name in parentheses may itself hold spaces and parentheses. `starttime` is field 22 (proc_pid_stat(5)).
    return beginning + int(told.rpartition(b")")[2].split()[19]) / os.sysconf("SC_CLK_TCK")


@cache
def _beginning() -> float | None:
    """Where the clock began at this start of the machine: anywhere, and hardly ever where it began before."""
    return float(int(BOOT_ID.read_text()[:8], 16)) if BOOT_ID.exists() else None
