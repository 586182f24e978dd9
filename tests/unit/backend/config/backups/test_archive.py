import stat
from pathlib import Path

import pytest

from backend.config.backups.archive import DATABASE, Manifest, extract, read_manifest, write_archive
from backend.config.backups.errors import BackupError

MANIFEST = Manifest("0.1.0", "2026-01-01T00:00:00+00:00", "sqlite", [["a", "0001"]], ["abcd"], with_keys=True)


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    database = tmp_path / "database.sqlite3"
    database.write_bytes(b"rows" * 1_000_000)
    file = tmp_path / "gleaner.backup"
    write_archive(file, MANIFEST, database, {"secret": "s", "encryption": "e"})
    return file


def test_everything_comes_back(archive: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    assert read_manifest(archive) == MANIFEST
    assert extract(archive, folder) == {"secret": "s", "encryption": "e"}
    assert (folder / DATABASE).read_bytes() == b"rows" * 1_000_000


def test_only_its_owner_can_read_it_and_no_draft_stays(archive: Path) -> None:
    assert stat.S_IMODE(archive.stat().st_mode) == 0o600
    assert not list(archive.parent.glob(".*draft"))


def test_keys_are_left_out_unless_given(tmp_path: Path) -> None:
    database = tmp_path / "database.sqlite3"
    database.write_bytes(b"rows")
    write_archive(tmp_path / "b", MANIFEST, database, None)
    (tmp_path / "out").mkdir()
    assert extract(tmp_path / "b", tmp_path / "out") is None


@pytest.mark.parametrize("content", [b"", b"hello", b"\x28\xb5\x2f\xfd broken", b"PK\x03\x04"])
def test_another_file_gets_a_sentence(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "other"
    file.write_bytes(content)
    with pytest.raises(BackupError, match="is no backup of Gleaner, or it is damaged"):
        read_manifest(file)


def test_a_backup_cut_short_gets_a_sentence(archive: Path, tmp_path: Path) -> None:
    archive.write_bytes(archive.read_bytes()[:-100])
    (tmp_path / "out").mkdir()
    with pytest.raises(BackupError, match="damaged"):
        extract(archive, tmp_path / "out")


def test_a_missing_file_gets_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="cannot be read"):
        read_manifest(tmp_path / "nowhere")
