"""Progress is no error, and does not look like one."""

import io
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.core.management.base import CommandError
from django.utils import termcolors

from backend.config.management import commands
from backend.config.plain_command import PlainCommand

RED = "\x1b[31;1m"
RESET = "\x1b[0m"
FOLDER = Path(commands.__path__[0])


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DJANGO_COLORS", termcolors.DARK_PALETTE)


class Failing(PlainCommand):
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        self.stderr.write("Half way.")
        raise CommandError("It cannot be done.")


@pytest.mark.parametrize("name", sorted(file.stem for file in FOLDER.glob("*.py") if "self.stderr" in file.read_text()))
def test_what_a_command_tells_on_the_way_is_plain(name: str) -> None:
    terminal = Terminal()
    command = import_module(f"{commands.__name__}.{name}").Command(stderr=terminal, force_color=True)
    command.stderr.write("Wrote products.csv.")
    assert terminal.getvalue() == "Wrote products.csv.\n"


def test_what_a_command_fails_with_is_red() -> None:
    terminal = Terminal()
    with pytest.raises(SystemExit):
        Failing(stderr=terminal, force_color=True).run_from_argv(["gleaner", "failing", "--force-color"])
    assert terminal.getvalue() == f"Half way.\n{RED}CommandError: It cannot be done.\n{RESET}"


def test_without_colours_it_is_not() -> None:
    terminal = Terminal()
    with pytest.raises(SystemExit):
        Failing(stderr=terminal).run_from_argv(["gleaner", "failing", "--no-color"])
    assert terminal.getvalue() == "Half way.\nCommandError: It cannot be done.\n"
