import os
import subprocess
import tempfile
from pathlib import Path

import pytest

from backend.bootstrap.servers.private_folder import private_folder, sweep


@pytest.fixture(autouse=True)
def own_temporary_files(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def test_only_its_owner_may_enter_and_it_is_gone_afterwards():
    with private_folder("test") as folder:
        assert folder.stat().st_mode & 0o777 == 0o700
        (folder / "file").touch()
    assert not folder.exists()


def test_it_is_removed_when_something_fails():
    with pytest.raises(ZeroDivisionError), private_folder("test") as folder:
        _ = 1 / 0
    assert not folder.exists()


def test_folders_of_dead_processes_are_swept_and_others_are_not(tmp_path):
    dead = subprocess.Popen(["true"])
    dead.wait()
    left = tmp_path / f"gleaner-postgres-{dead.pid}-abc"
    in_use = tmp_path / f"gleaner-postgres-{os.getpid()}-abc"
    foreign = [tmp_path / "gleaner-notes-by-hand", tmp_path / f"other-{dead.pid}-abc"]
    for folder in (left, in_use, *foreign):
        folder.mkdir()
    sweep()
    assert sorted(Path(tmp_path).iterdir()) == sorted([in_use, *foreign])
