"""When the disk is nearly full, runs pause before the database does."""

import shutil
from collections.abc import Callable
from pathlib import Path

from backend.apps.runners.services import pause_all_runners

MEGABYTE = 1_000_000


def free_bytes(folder: Path) -> int:
    return shutil.disk_usage(folder).free


def pause_when_full(*, folder: Path, min_free_bytes: int, free: Callable[[Path], int] = free_bytes) -> int:
    """How many runs were paused because less than that is free where the folder is."""
    left = free(folder)
    return pause_all_runners(reason=sentence(left, min_free_bytes)) if left < min_free_bytes else 0


def sentence(left: int, wanted: int) -> str:
    return (
        f"The disk is nearly full: {left // MEGABYTE:,} MB are free, and {wanted // MEGABYTE:,} MB must stay free "
        "(GLEANER_MIN_FREE_DISK_MB). Free some space, for example with ./gleaner prune, then resume."
    )
