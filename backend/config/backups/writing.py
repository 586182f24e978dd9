"""Writing a backup."""

import tempfile
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from backend.config.backups.archive import Manifest, write_archive
from backend.config.backups.databases import dump, kind_of
from backend.config.backups.errors import BackupError
from backend.config.backups.keys import key_prints, present_keys


def write_backup(file: Path, *, with_keys: bool = False, force: bool = False) -> int:
    """How many bytes the backup has. Gleaner may go on working meanwhile."""
    if file.exists() and not force:
        raise BackupError(f"{file} is there already. Choose another name, or give --force to replace it.")
    try:
        with tempfile.TemporaryDirectory(prefix=".gleaner-backup-", dir=file.resolve().parent) as folder:
            copy = Path(folder) / "database"
            dump(settings.DATABASES["default"], copy)
            write_archive(file, _manifest(with_keys=with_keys), copy, present_keys() if with_keys else None)
    except OSError as error:
        raise BackupError(f"{file} cannot be written ({error.strerror or error}). Choose another place.") from error
    return file.stat().st_size


def _manifest(*, with_keys: bool) -> Manifest:
    applied = sorted(MigrationRecorder(connection).applied_migrations())
    return Manifest(
        gleaner=settings.VERSION,
        made_at=timezone.now().isoformat(timespec="seconds"),
        database=kind_of(settings.DATABASES["default"]),
        migrations=[list(migration) for migration in applied],
        key_prints=key_prints(),
        with_keys=with_keys,
    )
