"""A command in a child is asked to end, and heard out."""

import os
import signal
import subprocess
import sys
from typing import Final

import pytest

from backend.config.ephemeral import run_to_its_end, without_option

CHILD: Final = """
import signal, sys, time
asked = []
for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, lambda *_: asked.append(1))
print("ready", flush=True)
while not asked:
    time.sleep(0.01)
time.sleep(0.5)
print("what was collected", flush=True)
sys.exit(7)
"""
PARENT: Final = """
import os, sys
from backend.config.ephemeral import run_to_its_end
sys.exit(run_to_its_end([sys.executable, "-c", sys.argv[1]], os.environ))
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_who_asks_for_the_end_gets_what_the_child_says_last(number: signal.Signals) -> None:
    words = [sys.executable, "-c", PARENT, CHILD]
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == "ready\n"
        parent.send_signal(number)
        assert parent.stdout.read() == "what was collected\n"
        assert parent.wait() == 7


def test_a_child_that_was_killed_is_told_as_shells_do() -> None:
    killed = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    assert run_to_its_end([sys.executable, "-c", killed], os.environ) == 137


@pytest.mark.parametrize("option", ["--ephemeral", "--ephem", "--e"])
def test_the_child_is_not_told_to_begin_a_child_of_its_own(option: str) -> None:
    words = ["manage.py", "crawl", "shops.json", "--workers", "2", "--e.json", option]
    assert without_option(words) == words[:-1]
