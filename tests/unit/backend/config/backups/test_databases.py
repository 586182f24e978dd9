import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from backend.config.backups.databases import dump, load
from backend.config.backups.errors import BackupError

ENGINE = "django.db.backends.sqlite3"


def make_database(path: Path, rows: int) -> dict[str, str]:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE numbers (a INTEGER, b INTEGER)")
        connection.executemany("INSERT INTO numbers VALUES (?, ?)", [(number, number) for number in range(rows)])
        connection.commit()
    return {"ENGINE": ENGINE, "NAME": str(path)}


def rows_of(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("SELECT count(*) FROM numbers").fetchone()[0])


def test_a_copy_is_one_file_of_one_moment_while_others_write(tmp_path: Path) -> None:
    database = make_database(tmp_path / "live", 10_000)
    stop = threading.Event()

    def write() -> None:
        with closing(sqlite3.connect(tmp_path / "live", timeout=20)) as connection:
            while not stop.is_set():
                with connection:
                    connection.execute("INSERT INTO numbers VALUES (-1, -1)")
                    connection.execute("INSERT INTO numbers VALUES (-1, -1)")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        dump(database, tmp_path / "copy")
    finally:
        stop.set()
        writer.join()
    assert rows_of(tmp_path / "copy") % 2 == 0, "a transaction is in it whole or not at all"
    assert sorted(path.name for path in tmp_path.glob("copy*")) == ["copy"]


def test_loading_replaces_everything(tmp_path: Path) -> None:
    saved = make_database(tmp_path / "saved", 5)
    dump(saved, tmp_path / "copy")
    live = make_database(tmp_path / "live", 70_000)
    load(live, tmp_path / "copy")
    assert rows_of(tmp_path / "live") == 5


def test_a_damaged_copy_leaves_the_database_as_it_was(tmp_path: Path) -> None:
    saved = make_database(tmp_path / "saved", 20_000)
    dump(saved, tmp_path / "copy")
    data = bytearray((tmp_path / "copy").read_bytes())
    data[4096 * 5 : 4096 * 20] = b"\xff" * 4096 * 15
    (tmp_path / "copy").write_bytes(data)
    live = make_database(tmp_path / "live", 3)
    with pytest.raises(BackupError, match="damaged"):
        load(live, tmp_path / "copy")
    assert rows_of(tmp_path / "live") == 3


def test_a_missing_database_gets_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="cannot be opened"):
        dump({"ENGINE": ENGINE, "NAME": str(tmp_path / "nowhere")}, tmp_path / "copy")


def test_a_missing_program_gets_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BackupError, match="pg_dump is missing"):
        dump({"ENGINE": "django.db.backends.postgresql", "NAME": "gleaner"}, tmp_path / "copy")
