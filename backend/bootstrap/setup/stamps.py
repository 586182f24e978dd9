"""Stamps remember what a step was made from, so that it is repeated exactly when that has changed."""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

FORMAT = "1"


def digest(files: Iterable[Path], *, root: Path, facts: Iterable[str] = ()) -> str:
    """One number for the names and contents of the files, and for the facts; their order does not matter."""
    total = hashlib.sha256(FORMAT.encode())
    for fact in sorted(facts):
        total.update(f"fact {fact}\n".encode())
    for file in sorted(set(files)):
        content = hashlib.sha256(file.read_bytes()).hexdigest()
        total.update(f"file {file.relative_to(root).as_posix()} {content}\n".encode())
    return total.hexdigest()


def files_matching(root: Path, patterns: Iterable[str], *, but_not: Iterable[str] = ()) -> Iterator[Path]:
    """The files under `root` that fit one of the glob patterns, leaving out folders named in `but_not`."""
    left_out = [root / folder for folder in but_not]
    for pattern in patterns:
        for path in root.glob(pattern):
            if path.is_file() and not any(path.is_relative_to(folder) for folder in left_out):
                yield path


class StampBook:
    """A folder with one stamp per step. A step that is broken off has no stamp, and is therefore repeated."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def is_current(self, name: str, wanted: str) -> bool:
        try:
            return self._file(name).read_text() == wanted
        except OSError:
            return False

    def remove(self, name: str) -> None:
        self._file(name).unlink(missing_ok=True)

    def write(self, name: str, value: str) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        fresh = self._file(name).with_suffix(".fresh")
        fresh.write_text(value)
        fresh.replace(self._file(name))

    def _file(self, name: str) -> Path:
        return self.folder / f"{name.replace(' ', '-')}.stamp"
