"""Restoring a backup: checked whole before anything is touched."""

import shutil
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connections
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from backend.apps.errors import Conflict
from backend.apps.indexers.folders import indexes_folder
from backend.apps.indexers.models import Indexer
from backend.apps.indexers.running import start_indexer
from backend.apps.jobs.models import HeadLease
from backend.apps.projects.models import Project
from backend.config.backups.archive import DATABASE, Manifest, extract, read_manifest
from backend.config.backups.databases import kind_of, load
from backend.config.backups.errors import BackupError
from backend.config.backups.keys import key_prints, put_back
from wording import say_count

LOST_KEY = (
    "The secrets of its projects were encrypted with another key than this installation has. Put that key into "
    "var/encryption.key (or GLEANER_ENCRYPTION_KEY), or enter the secrets again."
)


@dataclass(frozen=True)
class Restored:
    """What is to be told: from when the backup is, and what a person must see to."""

    made_at: str
    notes: list[str]


def restore_backup(file: Path, *, force: bool = False) -> Restored:
    """Replace everything by what the backup holds. Refuses while Gleaner runs, and to overwrite without `force`.

    Index files are of the database that was there before, so they go; what was searchable is built again.
    """
    manifest = read_manifest(file)
    _check_fits(manifest)
    _check_free(force=force)
    with tempfile.TemporaryDirectory(prefix=".gleaner-restore-", dir=settings.VAR_DIR) as folder:
        keys = extract(file, Path(folder))
        connections.close_all()
        load(settings.DATABASES["default"], Path(folder) / DATABASE)
    _remove_indexes()
    call_command("migrate", verbosity=0, interactive=False)
    HeadLease.objects.all().delete()  # that of the moment of the backup
    notes = put_back(keys, settings.VAR_DIR) if keys is not None else []
    notes.extend(_build_indexes_again())
    if keys is None and not set(manifest.key_prints) & set(key_prints()):
        notes.append(LOST_KEY)
    return Restored(manifest.made_at, notes)


def _remove_indexes() -> None:
    """One that is left would go on from changes of documents that the restored database never had."""
    folder = indexes_folder()
    for path in folder.iterdir() if folder.is_dir() else ():
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def _build_indexes_again() -> list[str]:
    """Queue a build of every index that there was, and say so; one that is to stop is built when it is started."""
    built = Indexer.objects.filter(builds__isnull=False).distinct().order_by("pk")
    for indexer in built:
        with suppress(Conflict):
            start_indexer(indexer=indexer, rebuild=True)
    return [f"{say_count(len(built), 'search index', 'search indexes')} will be built again."] if built else []


def _check_fits(manifest: Manifest) -> None:
    kind = kind_of(settings.DATABASES["default"])
    if manifest.database != kind:
        raise BackupError(
            f"This backup is of a {manifest.database} database, and Gleaner uses {kind} here. Set GLEANER_DATABASE_URL "
            "to a database of the same kind, or move projects with ./gleaner export and import."
        )
    known = MigrationLoader(None, ignore_no_migrations=True).disk_migrations
    if any(tuple(migration) not in known for migration in manifest.migrations):
        raise BackupError("This backup was made by a newer Gleaner. Update Gleaner, then restore it.")


def _check_free(*, force: bool) -> None:
    """Nobody works on the database, and nothing in it is overwritten by accident."""
    try:
        is_running = HeadLease.objects.filter(expires_at__gt=timezone.now()).exists()
        projects = Project.objects.count()
    except DatabaseError:
        return  # no tables yet: nothing to lose
    if is_running:
        raise BackupError("Gleaner is running. Stop it, wait ten seconds, then restore.")
    if projects and not force:
        raise BackupError(
            f"This Gleaner has {say_count(projects, 'project')} already, and a restore replaces everything. "
            "Make a backup first, then give --force."
        )
