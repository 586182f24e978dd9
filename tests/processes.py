"""What tests ask of processes."""

import time
from collections.abc import Sequence

import psutil


def still_running(processes: Sequence[psutil.Process], *, patience_seconds: float) -> list[psutil.Process]:
    """Those that have not ended in time. One that ended counts as ended before its parent, or init, has buried it."""
    deadline = time.monotonic() + patience_seconds
    while (running := [process for process in processes if _runs(process)]) and time.monotonic() < deadline:
        time.sleep(0.05)
    return running


def _runs(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
