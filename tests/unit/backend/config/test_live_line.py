"""A line of progress fits the terminal that it is shown on."""

import fcntl
import io
import os
import pty
import struct
import termios
from collections.abc import Iterator

import pytest
from django.core.management.base import OutputWrapper

from backend.config.live_line import LiveLine

RENEWED = "\r\x1b[K"


@pytest.fixture
def terminal() -> Iterator[tuple[int, io.TextIOWrapper]]:
    """What is shown can be read from the first of the two."""
    shown, written = pty.openpty()
    with open(written, "w", encoding="utf-8") as file:
        yield shown, file
    os.close(shown)


@pytest.mark.parametrize(
    ("columns", "line"),
    [(40, "running: 12 pages"), (18, "running: 12 pages"), (17, "running: 12 pag…"), (0, "running: 12 pages")],
)
def test_a_line_is_no_longer_than_the_terminal_is_wide(
    terminal: tuple[int, io.TextIOWrapper], columns: int, line: str
) -> None:
    shown, file = terminal
    fcntl.ioctl(file.fileno(), termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    LiveLine(OutputWrapper(file)).say("running: 12 pages")
    assert os.read(shown, 1_000).decode() == RENEWED + line


def test_elsewhere_lines_are_whole_and_few() -> None:
    out = io.StringIO()
    line = LiveLine(OutputWrapper(out))
    line.say("a" * 300)
    line.say("b")
    line.close()
    assert out.getvalue() == "a" * 300 + "\n"
