"""Folders for servers that live as long as one test run; what a killed run left behind is swept by the next."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PREFIX = "gleaner-"


@contextmanager
def private_folder(purpose: str, *, owner: str | None = None) -> Iterator[Path]:
    """A folder that only its owner may enter, below the system's folder for temporary files; removed at the end."""
    sweep()
    folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{purpose}-{os.getpid()}-"))
    try:
        if owner is not None:
            shutil.chown(folder, owner, owner)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def sweep() -> None:
    """Remove our own folders whose process is gone."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*-*-*"):
        pid = folder.name.split("-")[-2]
        if pid.isdecimal() and not Path(f"/proc/{pid}").exists() and Path("/proc/self").exists():
            shutil.rmtree(folder, ignore_errors=True)
