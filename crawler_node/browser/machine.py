"""How many browsers a machine has open at once, counted over all its workers without anybody who counts.

Each browser slot of the machine is a file that is locked while a browser lives. A lock goes with the process that holds
it, however that ends, so a slot is never lost.
"""

import fcntl
import os
from dataclasses import dataclass
from pathlib import Path

_WAITING = "waiting"


@dataclass(frozen=True, slots=True)
class MachineSlots:
    """`count` slots, told apart by the files of a folder that the machine's workers share."""

    folder: Path
    count: int

    def take(self) -> "TakenLock | None":
        """A slot that is free now; None where there is none."""
        self.folder.mkdir(parents=True, exist_ok=True)
        locks = (_lock(self.folder / f"slot-{number}", fcntl.LOCK_EX) for number in range(self.count))
        return next((lock for lock in locks if lock is not None), None)

    def wait(self) -> "TakenLock | None":
        """Tell others, until it is released, that somebody has no browser at all."""
        self.folder.mkdir(parents=True, exist_ok=True)
        return _lock(self.folder / _WAITING, fcntl.LOCK_SH)

    def is_waited_for(self) -> bool:
        """Whether a worker of this machine has no browser and wants one."""
        found = _lock(self.folder / _WAITING, fcntl.LOCK_EX) if self.folder.exists() else None
        if found is None:
            return self.folder.exists()
        found.release()
        return False


class TakenLock:
    """A lock that is held until it is released or its process ends. A browser does not inherit it."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor: int | None = descriptor

    def release(self) -> None:
        """Let others have it; harmless when it has been released before."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)


def _lock(path: Path, how: int) -> TakenLock | None:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, how | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return TakenLock(descriptor)
