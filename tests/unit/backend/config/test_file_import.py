"""A file that is no project file is refused in a sentence that tells what to do."""

from pathlib import Path

import pytest
from django.core.management.base import CommandError

from backend.config.file_import import import_file


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"{", "This is not JSON"),
        ('{"version": 1, "name": "Caf\u00e9"}'.encode("latin-1"), "is not UTF-8 text. Save it as UTF-8"),
        (b'{"version": 1, "name": "Shops", "max": ' + b"1" * 5_000 + b"}", "thousands of digits. Write an ordinary"),
        (b'{"version": NaN}', "not a number that JSON knows"),
        (b"[" * 100_000, "nested too deeply"),
    ],
)
def test_what_cannot_be_read_is_refused(tmp_path: Path, content: bytes, told: str) -> None:
    path = tmp_path / "shops.json"
    path.write_bytes(content)
    with pytest.raises(CommandError, match=told):
        import_file(path, print)


def test_a_file_that_is_not_there_is_named_with_a_remedy(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"none\.json cannot be read \(No such file or directory\)\. Check the path"):
        import_file(tmp_path / "none.json", print)
