"""The database into a file and back: SQLite by its online backup, PostgreSQL by its own programs."""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from backend.config.backups.errors import BackupError

EMPTY_SCHEMA = "SET lock_timeout = '20s';\nDROP SCHEMA public CASCADE;\nCREATE SCHEMA public;\n"


def dump(database: Mapping[str, Any], target: Path) -> None:
    """A copy as of one moment, while others read and write."""
    if _is_postgres(database):
        _run(["pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={target}"], database)
    else:
        with closing(_open_sqlite(Path(database["NAME"]), mode="ro")) as live, closing(sqlite3.connect(target)) as copy:
            live.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, without companions


def load(database: Mapping[str, Any], source: Path) -> None:
    """Replace everything in the database, in one transaction."""
    if _is_postgres(database):
        _load_postgres(database, source)
    else:
        _load_sqlite(Path(database["NAME"]), source)


def _load_sqlite(live: Path, source: Path) -> None:
    try:
        with closing(_open_sqlite(source, mode="ro")) as copy, closing(_open_sqlite(live, mode="rwc")) as target:
            if copy.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
                raise BackupError("The database in this backup is damaged. Choose another backup.")
            copy.backup(target)
    except sqlite3.OperationalError as error:
        raise BackupError(f"The database is in use ({error}). Stop Gleaner, then restore.") from error
    except sqlite3.DatabaseError as error:
        raise BackupError("The database in this backup is damaged. Choose another backup.") from error


def _open_sqlite(path: Path, *, mode: str) -> sqlite3.Connection:
    try:
        return sqlite3.connect(f"{path.resolve().as_uri()}?mode={mode}", uri=True, timeout=20)
    except sqlite3.OperationalError as error:
        raise BackupError(f"The database {path} cannot be opened ({error}).") from error


def _load_postgres(database: Mapping[str, Any], source: Path) -> None:
    """As one script in one transaction, so that a failure leaves everything as it was."""
    script = source.with_suffix(".sql")
    _run(["pg_restore", "--no-owner", "--no-privileges", f"--file={script}", str(source)], database)
    before = source.with_suffix(".before.sql")
    before.write_text(EMPTY_SCHEMA, encoding="utf-8")
    files = [f"--file={before}", f"--file={script}"]
    _run(["psql", "--quiet", "--no-psqlrc", "--single-transaction", "--set=ON_ERROR_STOP=1", *files], database)


def _run(command: Sequence[str], database: Mapping[str, Any]) -> None:
    program = shutil.which(command[0])
    if program is None:
        raise BackupError(f"{command[0]} is missing. Type: sudo apt-get install -y postgresql-client and try again.")
    found = {
        "PGHOST": database.get("HOST"),
        "PGPORT": database.get("PORT"),
        "PGUSER": database.get("USER"),
        "PGPASSWORD": database.get("PASSWORD"),
        "PGDATABASE": database["NAME"],
    }
    environment = os.environ | {name: str(value) for name, value in found.items() if value}
    done = subprocess.run([program, *command[1:]], env=environment, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise BackupError(f"{command[0]} failed: {done.stderr.strip()[-1000:]}")


def _is_postgres(database: Mapping[str, Any]) -> bool:
    return str(database["ENGINE"]).endswith("postgresql")


def kind_of(database: Mapping[str, Any]) -> str:
    return "postgresql" if _is_postgres(database) else "sqlite"
