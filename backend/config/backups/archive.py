"""The file: a tar of a manifest, the database and, where wanted, the keys; compressed with zstd."""

import io
import json
import os
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import zstandard

from backend.config.backups.errors import BackupError

FORMAT = 1
MANIFEST = "manifest.json"
DATABASE = "database"
KEYS = "keys.json"


@dataclass(frozen=True)
class Manifest:
    """`key_prints` tell which keys the secrets need without giving them away."""

    gleaner: str
    made_at: str
    database: str
    migrations: list[list[str]]
    key_prints: list[str]
    with_keys: bool
    format: int = FORMAT


def write_archive(file: Path, manifest: Manifest, database: Path, keys: dict[str, str] | None) -> None:
    """Readable by its owner only, there whole or not at all."""
    draft = file.with_name(f".{file.name}.draft")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with (
            os.fdopen(descriptor, "wb") as plain,
            zstandard.ZstdCompressor(level=3).stream_writer(plain) as packed,
            tarfile.open(fileobj=packed, mode="w|") as tar,
        ):
            _add_json(tar, MANIFEST, asdict(manifest))
            tar.add(database, DATABASE)
            if keys is not None:
                _add_json(tar, KEYS, keys)
        os.replace(draft, file)
    finally:
        draft.unlink(missing_ok=True)


def _add_json(tar: tarfile.TarFile, name: str, value: dict[str, Any]) -> None:
    data = json.dumps(value, indent=1).encode()
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(data), 0o600
    tar.addfile(entry, io.BytesIO(data))


@contextmanager
def _opened(file: Path) -> Iterator[tarfile.TarFile]:
    try:
        with (
            file.open("rb") as packed,
            zstandard.ZstdDecompressor().stream_reader(packed) as plain,
            tarfile.open(fileobj=plain, mode="r|") as tar,
        ):
            yield tar
    except (tarfile.TarError, zstandard.ZstdError, ValueError, KeyError, TypeError) as error:
        raise BackupError(f"{file} is no backup of Gleaner, or it is damaged. Choose another file.") from error
    except OSError as error:
        raise BackupError(f"{file} cannot be read ({error.strerror or error}). Check the path.") from error


def read_manifest(file: Path) -> Manifest:
    with _opened(file) as tar:
        entry = tar.next()
        if entry is None or entry.name != MANIFEST:
            raise ValueError("no manifest")
        found = json.load(tar.extractfile(entry))  # type: ignore[arg-type]
        if found["format"] != FORMAT:
            raise BackupError("This backup was made by a newer Gleaner. Update Gleaner, then restore it.")
        return Manifest(**{field.name: found[field.name] for field in fields(Manifest)})


def extract(file: Path, folder: Path) -> dict[str, str] | None:
    """Put the database of a backup into a folder, as `DATABASE`; its keys, where it has them."""
    keys = None
    with _opened(file) as tar:
        for entry in tar:
            if entry.name == DATABASE and entry.isfile():
                _copy(tar, entry, folder / DATABASE)
            elif entry.name == KEYS:
                keys = json.load(tar.extractfile(entry))  # type: ignore[arg-type]
        if not (folder / DATABASE).exists():
            raise ValueError("no database")
    return keys


def _copy(tar: tarfile.TarFile, entry: tarfile.TarInfo, target: Path) -> None:
    source = tar.extractfile(entry)
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as out:
        while source is not None and (bite := source.read(1 << 20)):
            out.write(bite)
