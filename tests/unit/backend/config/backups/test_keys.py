import stat
from pathlib import Path
from typing import Any

import pytest

from backend.config.backups.keys import key_prints, present_keys, put_back


@pytest.fixture(autouse=True)
def _keys(settings: Any, tmp_path: Path) -> None:
    settings.SECRET_KEY, settings.ENCRYPTION_KEYS = "signing", ["first", "second"]
    (tmp_path / "secret.key").write_text("signing")
    (tmp_path / "encryption.key").write_text("first,second")


def test_a_print_tells_keys_apart_without_giving_them_away() -> None:
    assert len(set(key_prints())) == 2
    assert not any("first" in found for found in key_prints())


def test_the_keys_of_a_backup_replace_those_here_which_stay_beside(tmp_path: Path) -> None:
    told = put_back({"secret": "signing", "encryption": "old"}, tmp_path)
    assert (tmp_path / "encryption.key").read_text() == "old"
    assert stat.S_IMODE((tmp_path / "encryption.key").stat().st_mode) == 0o600
    assert (tmp_path / "encryption.key.before-restore").read_text() == "first,second"
    assert len(told) == 1
    assert not (tmp_path / "secret.key.before-restore").exists()


def test_the_same_keys_are_left_alone(tmp_path: Path) -> None:
    assert put_back(present_keys(), tmp_path) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["encryption.key", "secret.key"]


def test_a_key_in_the_environment_is_named(tmp_path: Path) -> None:
    (tmp_path / "encryption.key").unlink()
    told = put_back({"encryption": "old"}, tmp_path)
    assert told == [
        f"GLEANER_ENCRYPTION_KEY is set and wins over {tmp_path}/encryption.key: put the restored key there too, "
        "or unset it."
    ]
