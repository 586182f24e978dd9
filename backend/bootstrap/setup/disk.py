"""Is there a place to write, and room enough, before anything is started."""

import shutil
import tempfile
from pathlib import Path

from backend.bootstrap.errors import ActionNeededError
from backend.bootstrap.places import Places

FIRST_SETUP_BYTES = 3 * 2**30  # the virtual environment 1.1 GB, npm packages 0.5 GB, caches of uv and npm
RUNNING_BYTES = 200 * 2**20


def check_writable(places: Places) -> None:
    """Makes `var` for its owner alone: it will hold keys, password hashes and what was crawled."""
    for folder in (places.setup, places.logs):
        try:
            folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder.mkdir(exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=folder):
                continue
        except OSError as error:
            raise ActionNeededError(
                f"Gleaner cannot write into {folder} ({error.strerror}). "
                f"Make it writable for you, or set GLEANER_VAR to a folder that is."
            ) from error


def check_room(places: Places) -> None:
    """More room is wanted for a first set-up than for a later start."""
    is_set_up = places.python.exists() and (places.frontend / "node_modules").exists()
    needed = RUNNING_BYTES if is_set_up else FIRST_SETUP_BYTES
    for folder in {places.root, places.var}:
        free = shutil.disk_usage(_existing(folder)).free
        if free < needed:
            raise ActionNeededError(
                f"There are only {free / 2**30:.1f} GB free on the disk of {folder}, and Gleaner needs "
                f"{needed / 2**30:.1f} GB. Free some space and start again."
            )


def _existing(folder: Path) -> Path:
    while not folder.exists():
        folder = folder.parent
    return folder
