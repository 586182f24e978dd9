"""`backup` and `restore` as people type them, on an installation of their own."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.integration.project_files.samples import SHOP_FILE

ROOT = Path(__file__).resolve().parents[3]
KEEP_SECRET = """
from backend.apps.projects.models import Project
from backend.apps.projects.services import keep_secret
keep_secret(project=Project.objects.get(), name="password", value="hunter2")
"""
TELL = """
from backend.apps.projects.models import Project, Secret
print([project.name for project in Project.objects.all()])
for secret in Secret.objects.all():
    try:
        print(secret.reveal())
    except Exception as error:
        print(type(error).__name__)
"""
SERVE = """
from backend.apps.indexers.models import IndexBuild, Indexer
from backend.apps.indexers.folders import indexer_folder
from backend.apps.projects.models import Project
indexer = Indexer.objects.create(project=Project.objects.get(), name="Served", served_build="build-1")
Indexer.objects.create(project=Project.objects.get(), name="Never built")
IndexBuild.objects.create(indexer=indexer, number=1, state="served")
folder = indexer_folder(indexer.pk) / "build-1"
folder.mkdir(parents=True)
(folder / "manifest.json").write_text("{}")
"""
TELL_INDEXES = """
from backend.apps.indexers.models import IndexBuild
from backend.apps.jobs.models import Job
print(list(IndexBuild.objects.order_by("number").values_list("number", "state")))
print(list(Job.objects.filter(kind="index").values_list("indexer__name", "state")))
"""
LEAD = """
from datetime import timedelta
from django.utils import timezone
from backend.apps.jobs.models import HeadLease
HeadLease.objects.create(pk=1, head="other", expires_at=timezone.now() + timedelta(minutes=5))
"""


class Installation:
    """Gleaner in a folder of its own, on SQLite."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def manage(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        others = {name: value for name, value in os.environ.items() if not name.startswith("GLEANER_")}
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env={**others, "GLEANER_VAR": str(self.folder)},
            capture_output=True,
            text=True,
            check=False,
        )

    def must(self, *arguments: str) -> str:
        done = self.manage(*arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def tell(self) -> list[str]:
        return [line for line in self.must("shell", "--no-imports", "-c", TELL).splitlines() if line]


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """An installation as it is after the first start; tests copy it."""
    made = Installation(tmp_path_factory.mktemp("empty"))
    made.must("migrate", "--verbosity", "0")
    made.must("first_admin")
    return made


@pytest.fixture(scope="module")
def filled(empty: Installation, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    made = Installation(tmp_path_factory.mktemp("filled") / "var")
    shutil.copytree(empty.folder, made.folder)
    file = tmp_path_factory.mktemp("file") / "shop.json"
    file.write_text(json.dumps(SHOP_FILE))
    made.must("import", str(file))
    made.must("shell", "--no-imports", "-c", KEEP_SECRET)
    return made


@pytest.fixture
def target(empty: Installation, tmp_path: Path) -> Installation:
    """A fresh installation with keys of its own."""
    made = Installation(tmp_path / "var")
    shutil.copytree(empty.folder, made.folder)
    for key in ("secret.key", "encryption.key"):
        (made.folder / key).unlink()
    return made


def test_a_backup_with_keys_brings_everything_back_elsewhere(
    filled: Installation, target: Installation, tmp_path: Path
) -> None:
    told = filled.must("backup", str(tmp_path / "a.backup"), "--with-keys")
    assert "Keep it like a password." in told
    told = target.must("restore", str(tmp_path / "a.backup"))
    assert "encryption.key.before-restore" in told
    assert "sign in with a name and password from then" in told  # set-up has just printed another one
    assert target.tell() == ["['Shops']", "hunter2"]
    again = target.manage("restore", str(tmp_path / "a.backup"))
    assert again.returncode == 1
    assert "This Gleaner has 1 project already" in again.stderr
    target.must("restore", str(tmp_path / "a.backup"), "--force")


def test_a_backup_without_keys_says_what_is_missing(filled: Installation, target: Installation, tmp_path: Path) -> None:
    told = filled.must("backup", str(tmp_path / "a.backup"))
    assert "keep a copy of var/encryption.key" in told
    assert "encrypted with another key" in target.must("restore", str(tmp_path / "a.backup"))
    assert target.tell() == ["['Shops']", "WrongKeyError"]
    assert "encrypted with another key" not in filled.must("restore", str(tmp_path / "a.backup"), "--force")
    assert filled.tell() == ["['Shops']", "hunter2"]


def test_indexes_of_the_database_before_go_and_are_built_again(filled: Installation, tmp_path: Path) -> None:
    made = Installation(tmp_path / "var")
    shutil.copytree(filled.folder, made.folder)
    made.must("shell", "--no-imports", "-c", SERVE)
    made.must("backup", str(tmp_path / "a.backup"))
    told = made.must("restore", str(tmp_path / "a.backup"), "--force")
    assert "1 search index will be built again." in told
    assert list((made.folder / "indexes").iterdir()) == []
    told = made.must("shell", "--no-imports", "-c", TELL_INDEXES)
    assert told.splitlines()[-2:] == ["[(1, 'served'), (2, 'building')]", "[('Served', 'queued')]"]


def test_neither_a_file_nor_a_running_gleaner_is_overwritten(
    filled: Installation, target: Installation, tmp_path: Path
) -> None:
    file = tmp_path / "a.backup"
    filled.must("backup", str(file))
    refused = filled.manage("backup", str(file))
    assert (refused.returncode, "is there already" in refused.stderr) == (1, True)
    target.must("shell", "--no-imports", "-c", LEAD)
    refused = target.manage("restore", str(file), "--force")
    assert (refused.returncode, "Gleaner is running" in refused.stderr) == (1, True)
    assert target.tell() == ["[]"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.backup", "var"]
