"""The command line ends quietly when somebody has seen enough."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]


def manage(*words: str, stdout: int, **settings: str) -> tuple[int, str]:
    run = subprocess.run(
        [sys.executable, ROOT / "manage.py", *words],
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        env={**os.environ, **settings},
    )
    return run.returncode, run.stderr


def test_a_pipe_that_nobody_reads_ends_a_command_without_a_complaint() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        assert manage("help", "--commands", stdout=writing) == (141, "")
    finally:
        os.close(writing)


def test_ctrl_c_ends_a_command_without_a_complaint() -> None:
    interrupt = "import os, signal; os.kill(os.getpid(), signal.SIGINT)"
    assert manage("shell", "--no-imports", "-c", interrupt, stdout=subprocess.DEVNULL) == (130, "")


def test_ctrl_c_before_a_command_has_begun_ends_it_without_a_complaint(tmp_path: Path) -> None:
    (tmp_path / "django").mkdir()
    (tmp_path / "django" / "__init__.py").write_text("raise KeyboardInterrupt")
    assert manage("crawl", stdout=subprocess.DEVNULL, PYTHONPATH=str(tmp_path)) == (130, "")


def test_a_usage_line_begins_with_what_people_type() -> None:
    code, told = manage("crawl", stdout=subprocess.DEVNULL)
    assert (code, told.split()[:3]) == (2, ["usage:", "gleaner", "crawl"])


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("postgres://shop:secret@127.0.0.1:1/shop", "The database cannot be reached: connection failed: "),
        ("postgres://shop:secret@nowhere.invalid/shop", "The database cannot be reached: failed to resolve host "),
        ("sqlite:///nowhere/shop.sqlite3", "The database file /nowhere/shop.sqlite3 cannot be opened. "),
    ],
)
def test_a_database_that_cannot_be_reached_is_told_in_a_sentence(url: str, told: str) -> None:
    code, sentence = manage("qstat", stdout=subprocess.DEVNULL, GLEANER_DATABASE_URL=url)
    assert (code, sentence.count("\n")) == (1, 1)
    assert sentence.startswith(told)
    assert " Check " in sentence
    assert "secret" not in sentence


def test_what_else_goes_wrong_in_the_database_is_not_hidden(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'empty.sqlite3'}"
    assert "no such table" in manage("qstat", stdout=subprocess.DEVNULL, GLEANER_DATABASE_URL=url)[1]
