"""Settings that are odd stop the start with a sentence."""

import stat
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from backend.config import env


@pytest.mark.parametrize(("value", "expected"), [("1", True), ("yes", True), ("OFF", False), ("", True), ("0", False)])
def test_reads_a_boolean(monkeypatch: pytest.MonkeyPatch, value: str, expected: bool) -> None:
    monkeypatch.setenv("GLEANER_X", value)
    assert env.boolean("GLEANER_X", default=True) is expected


def test_refuses_an_odd_boolean(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLEANER_X", "maybe")
    with pytest.raises(ImproperlyConfigured, match="Set it to 1 or 0"):
        env.boolean("GLEANER_X", default=True)


@pytest.mark.parametrize("value", ["-1", "ten", "1.5", "0"])
def test_refuses_an_odd_number(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("GLEANER_X", value)
    with pytest.raises(ImproperlyConfigured, match="at least 1"):
        env.integer("GLEANER_X", default=5, minimum=1)


def test_refuses_an_unknown_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLEANER_X", "LOUD")
    with pytest.raises(ImproperlyConfigured, match="INFO, ERROR"):
        env.choice("GLEANER_X", default="INFO", options=("INFO", "ERROR"))


def test_splits_words_at_commas_and_spaces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLEANER_X", " a.example, b.example  c.example ")
    assert env.words("GLEANER_X") == ["a.example", "b.example", "c.example"]


def test_a_key_file_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    file = tmp_path / "new" / "secret.key"
    first = env.secret("GLEANER_NO_SUCH_KEY", file=file)
    assert env.secret("GLEANER_NO_SUCH_KEY", file=file) == first
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [entry.name for entry in file.parent.iterdir()] == ["secret.key"]


def test_the_environment_wins_over_the_key_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GLEANER_X", "from outside")
    assert env.secret("GLEANER_X", file=tmp_path / "k") == "from outside"
    assert not (tmp_path / "k").exists()


def test_reads_a_postgres_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLEANER_X", "postgres://me:p%40ss@db.example:5433/gleaner?sslmode=require")
    found = env.database("GLEANER_X", default="")
    assert (found["USER"], found["PASSWORD"], found["HOST"], found["PORT"]) == ("me", "p@ss", "db.example", "5433")
    assert found["OPTIONS"]["sslmode"] == "require"
    assert found["OPTIONS"]["connect_timeout"] == 3


@pytest.mark.parametrize("address", ["mysql://a/b", "postgres://host", "gleaner.sqlite3"])
def test_refuses_another_database(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv("GLEANER_X", address)
    with pytest.raises(ImproperlyConfigured, match="must look like"):
        env.database("GLEANER_X", default="")
