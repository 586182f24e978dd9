"""A PostgreSQL database into a file and back, by its own programs."""

from pathlib import Path

import psycopg
import pytest
from django.db import connection

from backend.apps.accounts.models import User
from backend.config.backups.databases import dump, load
from backend.config.backups.errors import BackupError

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def _only_postgres() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("runs on PostgreSQL only")


def test_what_was_dumped_replaces_what_is_there(tmp_path: Path) -> None:
    User.objects.create_user("before")
    database = connection.settings_dict
    dump(database, tmp_path / "database")
    User.objects.create_user("after")
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE left_over (a int)")
    connection.close()
    load(database, tmp_path / "database")
    assert list(User.objects.values_list("username", flat=True)) == ["before"]
    assert "left_over" not in connection.introspection.table_names()


def test_a_damaged_dump_leaves_everything_as_it_was(tmp_path: Path) -> None:
    User.objects.create_user("before")
    database = connection.settings_dict
    dump(database, tmp_path / "database")
    data = (tmp_path / "database").read_bytes()
    (tmp_path / "database").write_bytes(data[: len(data) // 2])
    User.objects.create_user("after")
    connection.close()
    with pytest.raises(BackupError, match="failed"):
        load(database, tmp_path / "database")
    assert User.objects.count() == 2


def test_a_database_in_use_is_waited_for_and_then_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from backend.config.backups import databases

    monkeypatch.setattr(databases, "EMPTY_SCHEMA", databases.EMPTY_SCHEMA.replace("20s", "200ms"))
    User.objects.create_user("before")
    database = connection.settings_dict
    dump(database, tmp_path / "database")
    with psycopg.connect(**connection.get_connection_params() | {"cursor_factory": psycopg.Cursor}) as other:
        other.execute("SELECT * FROM accounts_user")
        with pytest.raises(BackupError, match="lock timeout"):
            load(database, tmp_path / "database")
    assert User.objects.count() == 1
